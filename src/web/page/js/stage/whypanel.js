// The panel beside the board: the explanation of the shown move or of a hint, and the running analysis.
import {h, set, button, capital, count, errorLine, score} from '../dom.js';
import {plainMove, plural} from '../names.js';
import {sessionPath, get, query} from '../api.js';
import {folded, reasonView} from '../why.js';
import {Known} from './known.js';

const VERDICTS = {best: '✓ Best', good: '✓ Good', inaccurate: '~ Playable', mistake: '? Mistake', blunder: '?? Blunder'};

/** "0.4 men", "12 % of the points". */
const amount = ({cost, unit}) => `${cost.toFixed(unit[0] === '%' ? 0 : 1)} ${unit}`;

/** What a judge says of a move, without what it was worth: that is the verdict above it. "It gives up a man. The reply to expect is 23x16." */
const becauseOf = (said, move) => capital((said.startsWith(`${move} `) ? `it${said.slice(move.length)}` : said).replace(/ (After (it|\d+ plies)|In the one|In \d+) [^.]*(\.\d+[^.]*)*\.$/, ''));

/** A move in its game: what was said about it holds as long as the moves before it stay. */
const keyOf = (session, ply) => `${session.id} ${session.history.slice(0, ply + 1).map((one) => one.text).join(' ')}`;

const engineAt = (by) => Boolean(by) && by !== 'human';

export class WhyPanel {
  /** ask(): the explanation of the shown move is wanted; context(): {game, flip, onMove} for boards. */
  constructor(context, {analyse}) {
    this.context = context;
    this.kept = new Map(); // by session, ply and move
    this.error = errorLine();
    this.verdict = h('div', {class: 'verdict', role: 'status', hidden: true});
    this.subject = h('p', {class: 'subject'});
    this.body = h('div', {class: 'why-body'});
    this.analysis = h('div', {class: 'analysis', hidden: true});
    this.known = new Known((text) => this.context().onMove(text));
    this.analyseButton = button('Analyse', analyse, {key: 'a', pressed: false, title: 'Search deeper while you look'});
    this.element = h('aside', {class: 'why', 'aria-label': 'Why'},
      h('div', {class: 'row tight'}, h('h2', null, 'Why'), this.analyseButton),
      this.analysis, this.known.element, this.verdict, this.subject, this.error.element, this.body);
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
    if (!row) { this.verdict.hidden = true; this.welcome(); return; }
    const key = keyOf(session, ply);
    if (this.asked === key) return;
    this.error.clear();
    // In simultaneous games the engine explains its own part. The player of the move may have left the seat since.
    const role = row.role ?? Math.max(row.by?.findIndex(engineAt) ?? 0, 0);
    const engine = engineAt(Array.isArray(row.by) ? row.by[role] : row.by);
    this.verdict.hidden = true;
    if (this.kept.has(key)) { this.asked = key; this.#tell(session, row, this.kept.get(key)); }
    else if (engine) this.#ask(session, ply, key, role);
    else {
      this.invite(`${plainMove(row.text)} was your own move.`, button('How good was it?', () => this.#ask(session, ply, key, role)));
      this.asked = key;
    }
    if (engine) this.#comment(session, ply);
  }

  /** What the person's move before this one was worth, in a line; the rest unfolds. */
  async #comment(session, ply) {
    const own = ply - 1, row = session.history[own];
    if (session.game.simultaneous || !row || engineAt(row.by)) return;
    const key = keyOf(session, own), shown = this.asked;
    try {
      if (!this.kept.has(key)) this.kept.set(key, await get(query(sessionPath(session.id, '/why'), {ply: own, role: row.role})));
    } catch { return; } // a courtesy: the panel has its own errors
    const answer = this.kept.get(key);
    if (this.asked !== shown || !answer.verdict) return;
    this.verdict.hidden = false;
    this.verdict.dataset.verdict = answer.verdict;
    const name = plainMove(row.text), costs = ['inaccurate', 'mistake', 'blunder'].includes(answer.verdict);
    set(this.verdict, h('p', null, h('span', {class: `chip ${answer.verdict}`}, VERDICTS[answer.verdict]), ` Your ${/^\d+$/.test(name) ? `man on ${name}` : name}`,
      costs && answer.cost >= 0.05 ? ` costs ${amount(answer)}.` : '.'),
    costs && answer.because ? h('p', null, becauseOf(answer.because, row.text)) : null,
    folded(answer.verdict === 'best' ? 'Why it is good' : `${answer.verdict === 'good' ? 'As good' : 'Better'}: ${plainMove(answer.chosen)}`, () => reasonView(answer.reason, this.context())));
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
    const who = row.role === null || row.role === undefined || row.role < 0 ? '' : `${capital(session.game.roles[row.role])}: `;
    const other = answer.same === false && !answer.verdict ? `. Another choice is ${plainMove(answer.chosen)}, because:` : '';
    this.subject.textContent = `Move ${row.ply + 1}. ${who}${plainMove(row.text)}${other}`;
    set(this.body, reasonView(answer.reason ?? {text: 'This player gives no explanation.'}, this.context()));
  }

  hint(text, reason) {
    this.asked = 'hint';
    this.error.clear();
    this.subject.textContent = `Hint: ${plainMove(text)}`;
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
    if (ended) { this.analysis.append(h('p', {class: 'note'}, !why || why === 'done' ? 'The analysis is finished.' : why)); return; }
    set(this.analysis, h('p', null, h('strong', null, text ?? score(value)),
      depth ? ` after ${count(depth)} ${depth === 1 ? 'ply' : 'plies'}` : '', nodes ? `, ${plural(nodes, 'position')}` : ''),
    line ? h('p', {class: 'moves-text'}, Array.isArray(line) ? line.join(' ') : line) : null);
  }
}
