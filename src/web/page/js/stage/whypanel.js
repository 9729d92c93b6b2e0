// The panel beside the board: the explanation of the shown move or of a hint, and the running analysis.
import {h, set, button, count, errorLine, score} from '../dom.js';
import {sessionPath, get, query} from '../api.js';
import {reasonView} from '../why.js';
import {Known} from './known.js';

export class WhyPanel {
  /** ask(): the explanation of the shown move is wanted; context(): {game, flip, onMove} for boards. */
  constructor(context, {analyse}) {
    this.context = context;
    this.kept = new Map(); // by session, ply and move
    this.error = errorLine();
    this.subject = h('p', {class: 'subject'});
    this.body = h('div', {class: 'why-body'});
    this.analysis = h('div', {class: 'analysis', hidden: true});
    this.known = new Known((text) => this.context().onMove(text));
    this.analyseButton = button('Analyse', analyse, {key: 'a', pressed: false, title: 'Search deeper while you look'});
    this.element = h('aside', {class: 'why', 'aria-label': 'Why'},
      h('div', {class: 'row tight'}, h('h2', null, 'Why'), this.analyseButton),
      this.analysis, this.known.element, this.subject, this.error.element, this.body);
    this.asked = '';
    this.welcome();
  }

  /** Before the first move. */
  welcome() {
    this.invite('After each move of an engine, its explanation appears here.', h('p', {class: 'note'}, 'Watch a player learn in ',
      h('a', {href: '#/learn'}, 'Learn'), ', or compare measurements with published papers in the ', h('a', {href: '#/lab'}, 'Lab'),
      '. Or try Go problems in the ', h('a', {href: '#/exercises'}, 'Exercises'), '.'));
  }

  /** Shows something else in the panel; null: back. */
  replace(element) {
    this.element.querySelector('.set-up')?.remove();
    this.element.classList.toggle('replaced', Boolean(element));
    if (element) this.element.append(element);
  }

  invite(text, action) {
    this.asked = '';
    this.subject.textContent = '';
    set(this.body, h('p', null, text), action ?? null);
  }

  /** The explanation of the move at a ply (from 0): fetched at once for engines, on request for people. */
  show(session, ply) {
    if (this.asked === 'hint') return;
    const row = session.history[ply];
    if (!row) { this.welcome(); return; }
    const key = `${session.id} ${ply} ${row.text} ${session.history.slice(0, ply).map((one) => one.text).join(' ')}`;
    if (this.asked === key) return;
    this.error.clear();
    // In simultaneous games the engine explains its own part. The player of the move may have left the seat since.
    const engineAt = (by) => Boolean(by) && by !== 'human';
    const role = row.role ?? Math.max(row.by?.findIndex(engineAt) ?? 0, 0);
    const engine = engineAt(Array.isArray(row.by) ? row.by[role] : row.by);
    if (this.kept.has(key)) { this.asked = key; this.#tell(session, row, this.kept.get(key)); }
    else if (engine) this.#ask(session, ply, key, role);
    else {
      this.invite(`${row.text} was your own move.`, button('What would an engine play?', () => this.#ask(session, ply, key, role)));
      this.asked = key;
    }
  }

  async #ask(session, ply, key, role) {
    this.asked = key;
    this.element.setAttribute('aria-busy', 'true');
    try {
      this.kept.set(key, await get(query(sessionPath(session.id, '/why'), {ply, role})));
      if (this.kept.size > 200) this.kept.delete(this.kept.keys().next().value);
      if (this.asked === key) this.#tell(session, session.history[ply], this.kept.get(key));
    } catch (problem) {
      if (this.asked !== key) return;
      this.asked = '';
      this.error.show(problem);
    } finally {
      this.element.removeAttribute('aria-busy');
    }
  }

  #tell(session, row, answer) {
    const who = row.role === null || row.role === undefined || row.role < 0 ? '' : `${session.game.roles[row.role]}: `;
    const other = answer.same === false ? `. ${answer.by} would play ${answer.chosen}, because:` : '';
    this.subject.textContent = `Move ${row.ply + 1}. ${who}${row.text}${other}`;
    set(this.body, reasonView(answer.reason ?? {text: 'This player gives no explanation.'}, this.context()));
  }

  hint(text, reason) {
    this.asked = 'hint';
    this.error.clear();
    this.subject.textContent = `Hint: ${text}`;
    set(this.body, reason ? reasonView(reason, this.context()) : null);
  }

  endHint() { if (this.asked === 'hint') this.asked = ''; }

  analysing(on) {
    this.analyseButton.setAttribute('aria-pressed', String(on));
    this.analysis.hidden = !on;
    if (!on) set(this.analysis);
    else if (!this.analysis.childElementCount) set(this.analysis, h('p', null, 'The analysis starts…'));
  }

  /** The result of the analysis so far. */
  found({depth, score: value, text, line, nodes, ended, why}) {
    if (ended) { this.analysis.append(h('p', {class: 'note'}, why ?? 'The analysis is finished.')); return; }
    set(this.analysis, h('p', null, h('strong', null, text ?? score(value)),
      depth ? ` after ${count(depth)} ${depth === 1 ? 'ply' : 'plies'}` : '', nodes ? `, ${count(nodes)} positions` : ''),
    line ? h('p', {class: 'moves-text'}, Array.isArray(line) ? line.join(' ') : line) : null);
  }
}
