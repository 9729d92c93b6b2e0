// Exercises: captures of Go to be found, judged by proof; and the proof itself, to step through.
import {h, set, button, announce, count, errorLine, field, select} from '../dom.js';
import {get, once, post} from '../api.js';
import {keys} from '../keys.js';
import {recall, remember} from '../store.js';
import {framesOf, viewOf} from '../board/boards.js';
import {ProofTree} from './prooftree.js';

const path = (id, rest = '') => `/api/problems/${encodeURIComponent(id)}${rest}`;
const GRADES = ['', 'First volume: easy', 'Second volume: harder', 'Third volume: hard'];

/** The result of each problem: right, wrong, or the proof was shown before. Only the first counts. */
const outcomes = () => recall('exercises', {});
function note(id, outcome) {
  if (!outcomes()[id]) remember('exercises', {...outcomes(), [id]: outcome});
}

class Exercise {
  /** bare: without the way to other problems. */
  constructor(rows, problem, frame, {bare = false} = {}) {
    Object.assign(this, {rows, problem, frame, bare});
    this.error = errorLine();
    this.status = h('p', {class: 'lead verdict', role: 'status'});
    this.tally = h('p', {class: 'note'});
    this.hint = h('p', {class: 'note'});
    this.view = viewOf(problem.game, {onMove: (move) => this.try(move.move), label: `Go board: ${problem.question}`});
    this.text = h('pre', {class: 'text-board', hidden: true, tabindex: '0', 'aria-label': 'Board as text'});
    this.proof = new ProofTree((moves) => this.step(moves));
    this.again = button('Try again', () => this.reset(), {key: 'u'});
    this.never = button('It cannot be done', () => this.try(), {key: 'x'});
    this.solve = button('Show the proof', () => this.reveal(), {key: 'p'});
    this.element = this.#layout();
    this.reset();
  }

  #layout() {
    const {problem, rows} = this;
    const volume = rows.filter((row) => row.volume === problem.volume);
    const link = (id, label, title) => id ? h('a', {href: `#/exercises/${id}`, class: 'button', title}, label) : null;
    const volumes = [...new Set(rows.map((row) => row.volume))];
    const chooser = field('Volume', select(volumes.map((one) => ({value: String(one), label: GRADES[one] ?? `Volume ${one}`})), String(problem.volume),
      (value) => { location.hash = `#/exercises/${rows.find((row) => String(row.volume) === value).id}`; }));
    const number = field('Problem', select(volume.map((row, i) => ({value: row.id, label: `${i + 1} of ${volume.length}`})), problem.id,
      (value) => { location.hash = `#/exercises/${value}`; }));
    return h('div', {class: 'replay exercise'},
      h('div', {class: 'board-area'}, h('div', {class: 'board-place'}, this.view.element), this.text),
      h('div', {class: 'stack tight'},
        h('p', {class: 'lead'}, problem.question),
        this.hint,
        this.status, this.error.element,
        h('div', {class: 'row tight'}, this.never, this.again, this.solve),
        this.bare ? null : h('div', {class: 'row tight'}, link(problem.before, 'Previous', 'Previous problem (k)'), link(problem.after, 'Next', 'Next problem (j)')),
        this.proof.element,
        this.bare ? null : [h('div', {class: 'row'}, chooser, number), this.tally]));
  }

  #draw(frame, {legal = [], last = null} = {}) {
    this.view.show({...frame, legal, last, marks: [this.problem.target.cell]});
    this.text.textContent = frame.drawing;
  }

  reset() {
    this.asked = null; // drop a position that is still being fetched
    this.#draw(this.frame, {legal: this.problem.legal});
    this.status.textContent = '';
    this.error.clear();
    this.proof.clear();
    this.base = null;
    this.line = [];
    this.hint.textContent = 'The question is about the stone with the triangle. Click where you would play.';
    this.again.disabled = true;
    this.never.disabled = this.solve.disabled = false;
    this.#count();
  }

  #count() {
    const own = this.rows.filter((row) => row.volume === this.problem.volume), known = outcomes();
    const of = (outcome) => own.filter((row) => known[row.id] === outcome).length;
    this.tally.textContent = `In this volume: ${count(of('right'))} right at the first try, ${count(of('wrong'))} wrong, ${count(of('shown'))} looked up, of ${count(own.length)}.`;
  }

  /** A move, or none: it cannot be done. */
  async try(move) {
    this.error.clear();
    try {
      const line = this.line, asking = this.base !== null; // only the first answer is a try; then a person asks: what if?
      const verdict = await post(path(this.problem.id, '/try'), {move, line: line.length ? line.join(' ') : undefined});
      if (!asking && verdict.right !== null) note(this.problem.id, verdict.right ? 'right' : 'wrong');
      await this.#settle(verdict.proof, move ? [...line, move] : line, verdict.text);
    } catch (problem) { this.error.show(problem); }
  }

  async reveal() {
    this.error.clear();
    try {
      const proof = await get(path(this.problem.id, '/proof'));
      note(this.problem.id, 'shown');
      await this.#settle(proof, [], '');
    } catch (problem) { this.error.show(problem); }
  }

  /** Shows the result: after these moves, with the proof from there. */
  async #settle(proof, moves, text) {
    this.status.textContent = text;
    this.base = moves;
    const {roles} = this.problem.game, mover = moves.length % 2 ? 1 - this.problem.mover : this.problem.mover;
    if (proof) this.proof.fill(proof, mover, roles, /captured|lost/.test(proof.text) && !/cannot/.test(proof.text) ? 'taken' : 'safe');
    else this.proof.clear();
    this.again.disabled = false;
    this.never.disabled = true; // that was asked at the start
    this.hint.textContent = 'What if? Click any point, at any move of the proof, to see what follows from there.';
    this.#count();
    await this.step([]);
  }

  /** The position after what was tried and these moves of the proof. */
  async step(moves) {
    const line = this.asked = [...this.base, ...moves];
    try {
      const {frames} = await framesOf(this.problem.game.spec, this.problem.position, line.join(' '));
      if (this.asked !== line) return;
      const frame = frames.at(-1);
      this.line = line;
      this.#draw(frame, {legal: this.#free(frame), last: frame.text ? {path: frame.path, text: frame.text} : null});
      if (moves.length) announce(`After ${moves.join(', ')}.`);
    } catch (problem) { this.error.show(problem); }
  }

  /** Where a stone can be put, while the target is there. */
  #free({cells, movers}) {
    if (!movers.length || !cells[this.problem.target.cell]) return [];
    return this.problem.game.board.cells.flatMap(({name}, i) => cells[i] ? [] : [{role: movers[0], move: name, path: [i]}]);
  }

  toggleText() {
    this.text.hidden = !this.text.hidden;
    this.view.element.toggleAttribute('hidden', !this.text.hidden);
    if (!this.text.hidden) this.text.focus();
  }
}

/** A problem to try, ready to be shown. */
export async function exerciseOf(rows, id, options) {
  const problem = await get(path(id)), {frames} = await framesOf(problem.game.spec, problem.position);
  return new Exercise(rows, problem, frames[0], options);
}

export default {
  title: 'Exercises',
  async show(place, [id]) {
    const rows = await once('/api/problems');
    const wanted = id ?? rows.find((row) => !outcomes()[row.id])?.id ?? rows[0].id;
    const exercise = await exerciseOf(rows, wanted), {problem} = exercise;
    set(place, h('div', {class: 'page'}, h('h1', null, 'Captures'), exercise.element));
    const go = (to) => { if (to) location.hash = `#/exercises/${to}`; };
    const off = keys('Exercises', [
      ['b', 'To the board (arrows walk, Enter picks)', () => exercise.view.focus()],
      ['x', 'It cannot be done', () => exercise.never.click()],
      ['u', 'Try again', () => exercise.again.click()],
      ['p', 'Show the proof', () => exercise.solve.click()],
      ['j', 'Next problem', () => go(problem.after)],
      ['k', 'Previous problem', () => go(problem.before)],
      ['t', 'Board as text', () => exercise.toggleText()],
    ]);
    return {close: off};
  },
};
