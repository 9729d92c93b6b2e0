// Allocation: a game in which a player has a few deep searches for many moves. Its supply is spent before your eyes, and every move can be asked why it got one.
import {h, s, set, button, capital, errorLine, fixed} from '../../dom.js';
import {get, post, query, sessionPath} from '../../api.js';
import {viewOf} from '../../board/boards.js';
import {plural} from '../../names.js';

const DEEP = 8, MOVES = 40, PACE = 0.7, POLL = 350;
export const ALLOCATOR = `allocate(alphabeta(eval=ntuple), k=4, n=2, deep=${DEEP}, moves=${MOVES}, policy=learned)`;
const OPPONENT = 'alphabeta(depth=4, eval=ntuple)';
const W = 640, H = 150, TOP = 14;

const part = (reason, label) => reason?.children?.find((child) => child.label === label);
const textOf = (group, label) => part(group, label)?.text ?? '';

/** What a move cost, from its explanation. */
function effortOf(ply, answer) {
  const allocation = part(answer.reason, 'allocation');
  return {ply, move: answer.move, nodes: part(answer.reason, 'searched')?.number ?? 0, deep: /^deep/.test(textOf(allocation, 'decision')),
    decision: textOf(allocation, 'decision'), left: textOf(allocation, 'left before this move'), said: answer.reason?.text ?? '',
    chance: part(allocation, 'probability that it pays')?.number, wanted: part(allocation, 'threshold with what is left')?.number};
}

/** Positions searched for each move, as bars that can be chosen. */
function bars(efforts, chosen, choose) {
  const most = Math.max(1, ...efforts.map((one) => one.nodes)), step = W / Math.max(20, efforts.length), tall = (nodes) => Math.max(3, (H - TOP) * Math.sqrt(nodes / most));
  return s('svg', {class: 'efforts', viewBox: `0 0 ${W} ${H + 2}`, role: 'group', 'aria-label': 'Effort of each move'},
    s('line', {class: 'track-line', x1: 0, x2: W, y1: H, y2: H}),
    efforts.map((one, i) => {
      const bar = s('g', {class: `effort ${one.deep ? 'deep' : 'shallow'}${one === chosen ? ' chosen' : ''}`, role: 'button', tabindex: '0', 'aria-pressed': String(one === chosen),
        'aria-label': `Move ${one.ply / 2 + 1}, ${one.move}: ${plural(one.nodes, 'position')}, ${one.deep ? 'deep' : 'shallow'}`, on: {click: () => choose(one), keydown: (event) => {
          if (event.key === 'Enter' || event.key === ' ') { event.preventDefault(); choose(one); }
        }}},
        s('rect', {class: 'hit', x: i * step, y: 0, width: step, height: H}),
        s('rect', {class: 'body', x: i * step + step * 0.15, y: H - tall(one.nodes), width: step * 0.7, height: tall(one.nodes)}),
        one.deep ? s('path', {class: 'deep-mark', d: `M${(i + 0.5) * step - 5} ${H - tall(one.nodes) - 11}h10l-5 8z`}) : null);
      return bar;
    }));
}

export class ClockGame {
  constructor() {
    this.error = errorLine();
    this.board = h('div', {class: 'small-board'});
    this.status = h('p', {class: 'note', role: 'status'}, 'The game begins.');
    this.supply = h('p', {class: 'supply'});
    this.picture = h('div', {class: 'efforts-place'});
    this.said = h('div', {class: 'stack tight'});
    this.pause = button('Pause', () => this.#pace());
    this.element = h('div', {class: 'two even'},
      h('div', {class: 'stack tight'}, this.board, this.status, this.error.element,
        h('div', {class: 'row tight'}, this.pause, button('Another game', () => this.begin()), button('Play it yourself', () => this.#meet()))),
      h('div', {class: 'stack tight'}, this.supply, this.picture,
        h('p', {class: 'note'}, 'A bar is a move of Black, its height the positions that it searched (a bar half as high is a quarter as many). A mark above it: a deep search. Choose a bar to see the position.'), this.said));
    this.begin();
  }

  async begin() {
    await this.#drop();
    Object.assign(this, {efforts: [], chosen: null, paused: false, asked: 0});
    this.pause.textContent = 'Pause';
    this.#tell();
    try {
      const session = await post('/api/sessions', {game: 'checkers', seats: [ALLOCATOR, OPPONENT], seed: Math.floor(Math.random() * 1e6), pace: {paused: false, delay: PACE}});
      this.session = session;
      this.view = viewOf(session.game, {mini: true, edges: true, label: 'The game'});
      set(this.board, this.view.element);
      this.#show(session);
      this.#follow();
    } catch (problem) { this.error.show(problem); }
  }

  #follow() {
    clearTimeout(this.timer);
    if (!this.closed && !this.session?.over) this.timer = setTimeout(() => this.#look(), POLL);
  }

  async #look() {
    const {session} = this;
    try {
      if (!document.hidden) {
        const now = await get(sessionPath(session.id));
        if (this.closed || this.session?.id !== now.id) return;
        this.session = now;
        if (!this.chosen) this.#show(now);
        await this.#explain(now);
        this.error.clear();
      }
    } catch (problem) { if (!this.closed && this.session === session) this.error.show(problem); }
    this.#follow();
  }

  /** The next move of Black that has not been asked about. */
  async #explain(session) {
    while (this.asked < session.ply && session.history[this.asked]?.role !== 0) this.asked++;
    if (this.asked >= session.ply) return;
    const ply = this.asked, answer = await get(query(sessionPath(session.id, '/why'), {ply, role: 0}));
    if (this.closed || this.session?.id !== session.id || this.asked !== ply) return;
    this.asked++;
    this.efforts.push(effortOf(ply, answer));
    this.#tell();
  }

  #show(session) {
    this.view.show({...session, legal: []});
    this.status.textContent = session.over ? capital(session.result.text) : `Black has the deep searches, White always looks 4 plies ahead. Move ${Math.floor(session.ply / 2) + 1}.`;
  }

  #tell() {
    const spent = this.efforts.filter((one) => one.deep).length, moves = this.efforts.length, positions = this.efforts.reduce((sum, one) => sum + one.nodes, 0);
    const {chosen} = this;
    set(this.supply, h('strong', null, `${plural(DEEP - spent, 'deep search', 'deep searches')} left`), ` of ${DEEP}, for ${plural(Math.max(MOVES - moves, 0), 'move')}. `,
      h('span', {class: 'tokens', 'aria-hidden': 'true'}, Array.from({length: DEEP}, (_, i) => h('span', {class: i < DEEP - spent ? 'token' : 'token spent'}))),
      h('span', {class: 'note'}, ` ${plural(positions, 'position')} searched so far.`));
    set(this.picture, bars(this.efforts, chosen, (one) => this.#choose(one)));
    const hard = [...this.efforts].filter((one) => one.deep);
    set(this.said, chosen ? [
      h('p', {class: 'sentence'}, `${chosen.move}: ${chosen.decision}.`),
      chosen.chance === undefined ? null : h('p', null, `The chance that a deep search changes its move: ${fixed(100 * chosen.chance, 0)} %. Wanted with what was left (${chosen.left}): ${fixed(100 * chosen.wanted, 0)} %.`),
      h('p', {class: 'note'}, chosen.said), button('Back to the game', () => this.#choose(null))]
      : h('p', null, hard.length ? `It thought hard about ${hard.map((one) => one.move).join(', ')}.` : moves ? 'It has not thought hard yet.' : ''));
  }

  async #choose(one) {
    this.chosen = one === this.chosen ? null : one;
    this.#tell();
    try {
      if (!this.chosen) { this.#show(this.session); return; }
      const then = await get(query(sessionPath(this.session.id), {ply: this.chosen.ply}));
      if (this.chosen !== one || this.closed) return;
      this.view.show({...then, legal: [], hint: {text: one.move, path: this.session.history[one.ply].path}});
      this.status.textContent = `Before move ${one.ply / 2 + 1} of Black. The arrow shows what it played.`;
    } catch (problem) { this.error.show(problem); }
  }

  async #pace() {
    this.paused = !this.paused;
    this.pause.textContent = this.paused ? 'Go on' : 'Pause';
    try { await post(sessionPath(this.session.id, '/pace'), {paused: this.paused}); } catch (problem) { this.error.show(problem); }
  }

  async #meet() {
    try {
      const session = await post('/api/sessions', {game: 'checkers', seats: ['human', ALLOCATOR]});
      location.hash = `#/play/${session.id}`;
    } catch (problem) { this.error.show(problem); }
  }

  async #drop() {
    clearTimeout(this.timer);
    const {session} = this;
    this.session = null;
    if (session) await post(sessionPath(session.id, '/delete')).catch(() => {});
  }

  close() { this.closed = true; this.#drop(); }
}
