// Things to touch in an exhibit: a small game whose player explains itself, a tree of remembered games, two agents that walk.
import {h, s, set, button, count, errorLine, field, fixed, select} from '../dom.js';
import {get, post, sessionPath, query} from '../api.js';
import {viewOf} from '../board/boards.js';
import {SHEETS, sheetOf} from '../board/skins.js';
import {gameTitle, plainMove, plural} from '../names.js';
import {reasonView} from '../why.js';
import {satisfice} from '../satisfice.js';

const POLL = 250; // milliseconds between questions whether the engine has moved

/** A game on the page of an exhibit: a board to play on, and beside it what the player says about its move. */
export class SmallGame {
  constructor({game, seats, said}) {
    Object.assign(this, {game, seats});
    this.error = errorLine();
    this.board = h('div', {class: 'small-board'});
    this.status = h('p', {class: 'note', role: 'status'});
    this.why = h('div', {class: 'small-why'}, h('p', null, said));
    this.said = said;
    this.element = h('div', {class: 'two even'},
      h('div', {class: 'stack tight'}, this.board, this.status, this.error.element,
        h('div', {class: 'row tight'}, button('Begin again', () => this.begin()), button('Play it full size', () => this.#leave()))), this.why);
    this.begin();
  }

  async begin(change = {}) {
    Object.assign(this, change);
    await this.#drop();
    set(this.why, h('p', null, this.said));
    try {
      this.#enter(await post('/api/sessions', {game: this.game, seats: this.seats}));
    } catch (problem) { this.error.show(problem); }
  }

  /** A session that is there already, as from an uploaded rule sheet. */
  async take(session) {
    await this.#drop();
    set(this.why, h('p', null, this.said));
    this.#enter(session);
  }

  #enter(session) {
    this.error.clear();
    this.view = viewOf(session.game, {onMove: (move) => this.#move(move), label: gameTitle(session.game.spec, session.game.name)});
    set(this.board, this.view.element);
    this.#show(session);
  }

  #show(session) {
    if (this.closed) return;
    this.session = session;
    const mine = session.seats.filter((seat) => seat.kind === 'human').map((seat) => seat.role);
    const legal = session.legal.filter((move) => mine.includes(move.role) && session.movers.includes(move.role) && !session.chosen?.includes(move.role));
    this.view.show({...session, legal, session});
    const bare = this.view.bare ?? [];
    set(this.status, session.over ? session.result.text : legal.length ? 'Your move: click on the board.' : 'It is thinking…',
      bare.map((move) => [' ', button(plainMove(move.move), () => this.#move(move))]));
    const ply = session.history.findLastIndex((row) => [row.by].flat().some((by) => by && by !== 'human'));
    if (ply >= 0 && ply !== this.told) this.#explain(session, ply);
    const only = session.game.simultaneous && legal.length === 1 && this.forced !== session.ply; // nothing to choose: the other role moves
    if (only) { this.forced = session.ply; this.#move(legal[0]); }
    else if (!session.over && !legal.length) this.timer = setTimeout(() => this.#look(), POLL);
  }

  async #look() {
    try { this.#show(await get(sessionPath(this.session.id))); } catch (problem) { this.error.show(problem); }
  }

  async #move(move) {
    try {
      this.#show(await post(sessionPath(this.session.id, '/move'), {ply: this.session.ply, move: move.text ?? move.move, role: move.role}));
      this.error.clear();
    } catch (problem) { this.error.show(problem); this.#look(); }
  }

  async #explain(session, ply) {
    this.told = ply;
    const row = session.history[ply], role = row.role ?? Math.max(row.by.findIndex((by) => by && by !== 'human'), 0);
    try {
      const answer = await get(query(sessionPath(session.id, '/why'), {ply, role}));
      if (this.told === ply) set(this.why, h('p', {class: 'note'}, `Its move ${plainMove(row.text)}:`), reasonView(answer.reason ?? {text: 'This player gives no explanation.'}, {game: session.game, flip: false}));
    } catch { /* a courtesy */ }
  }

  #leave() { const {id} = this.session; this.kept = true; location.hash = `#/play/${id}`; }

  /** Small games leave nothing behind. */
  async #drop() {
    clearTimeout(this.timer);
    this.told = this.forced = -1;
    if (this.session && !this.kept) await post(sessionPath(this.session.id, '/delete')).catch(() => {});
    this.session = null;
  }

  close() { this.closed = true; this.#drop(); }
}

/** Choose a rule sheet, or paste one, and play it against a player that has never seen it. */
export class SheetGame {
  constructor() {
    this.error = errorLine();
    this.game = new SmallGame({game: SHEETS[0][0], seats: ['human', 'general'], said: 'The player reads the rules when the game begins. After its move it says here what it expects.'});
    const choice = select(SHEETS.map(([value, label]) => ({value, label})), SHEETS[0][0], (spec) => this.game.begin({game: spec, seats: ['human', 'general'].slice(0, sheetOf(spec)[2])}));
    const text = h('textarea', {rows: 8, spellcheck: 'false', placeholder: '(role white) (role black) (init …)'});
    this.element = h('div', {class: 'stack'}, field('A rule sheet', choice), this.game.element,
      h('details', null, h('summary', null, 'Paste rules of your own, in GDL'), field('Rules', text), this.error.element,
        button('Play by these rules', async () => {
          try { await this.game.take(await post('/api/sessions/import', {kif: text.value})); this.error.clear(); } catch (problem) { this.error.show(problem); }
        })));
  }

  close() { this.game.close(); }
}

/** The tree of remembered games: from the start, move after move, what the base of a training run knows. */
export class MemoryTree {
  constructor(run) {
    Object.assign(this, {run, moves: [], error: errorLine(), said: h('p', {class: 'sentence numeric'}), board: h('div', {class: 'small-board'}), list: h('div')});
    this.path = h('div', {class: 'row tight'});
    this.element = h('div', {class: 'two even'}, h('div', {class: 'stack tight'}, this.board, this.path), h('div', {class: 'stack tight'}, this.said, this.list, this.error.element));
    this.show();
  }

  async show() {
    const turn = this.turn = (this.turn ?? 0) + 1;
    try {
      this.player ??= await post(`/api/learn/${encodeURIComponent(this.run)}/player`);
      const session = await post('/api/sessions', {game: this.player.game, seats: [this.player.spec, this.player.spec], moves: this.moves.join(' ') || undefined, pace: {paused: true, delay: 1}});
      const known = await get(query(sessionPath(session.id, '/known'), {ply: session.ply}));
      await post(sessionPath(session.id, '/delete'));
      if (turn !== this.turn) return;
      this.error.clear();
      this.#tell(session, known.experience?.[0]);
    } catch (problem) {
      if (turn === this.turn) this.error.show(problem.status === 409 || problem.status === 404 ? 'Nothing is remembered yet. Open the front page: a player learns there; come back in half a minute.' : problem);
    }
  }

  #go(moves) { this.moves = moves; this.show(); }

  #tell(session, base) {
    const view = viewOf(session.game, {mini: true, label: 'The position in the tree'});
    view.show({...session, legal: []});
    set(this.board, view.element);
    set(this.path, button('Start', () => this.#go([]), {kind: 'link'}), this.moves.map((move, i) => button(move, () => this.#go(this.moves.slice(0, i + 1)), {kind: 'link move-text'})));
    if (!base) { this.said.textContent = 'This player has no base.'; return; }
    this.said.textContent = `It remembers ${plural(base.size?.positions ?? 0, 'position')} of ${plural(base.size?.games ?? 0, 'game')}. ${base.known ? `It has been here in ${count(base.games ?? 0)} of them.` : 'It has never been here.'}`;
    const rows = (base.moves ?? []).filter((one) => one.explored);
    set(this.list, rows.length ? h('p', null, 'Moves that it has tried here; open one:') : h('p', null, 'From here on it knows nothing: it would have to search.'),
      h('div', {class: 'row'}, rows.map((one) => button(one.move, () => this.#go([...this.moves, one.move])))));
  }

  close() { this.turn = -1; }
}

/** Two agents walk the plane of their aspirations. */
export class Walk {
  constructor() {
    this.picture = h('div', {class: 'walk'});
    this.said = h('p', {class: 'sentence', role: 'status'});
    this.numbers = [['alpha', 'First aspiration of agent 1', 0, 2, 1.6], ['beta', 'First aspiration of agent 2', 0, 2, 1.2], ['lambda', 'How much of the old aspiration is kept', 0, 0.99, 0.9],
      ['sigma', 'Payoff of mutual cooperation', 0.5, 1, 0.8], ['delta', 'Payoff of mutual defection', 0, 0.8, 0.4]].map(([name, label, low, high, value]) => {
      const slider = h('input', {type: 'range', min: low, max: high, step: 0.01, value, on: {input: () => this.show()}});
      const said = h('output', {class: 'numeric'});
      return {name, slider, said, element: field(label, slider), label};
    });
    this.element = h('div', {class: 'two even'}, h('div', null, this.picture, this.said), h('div', {class: 'stack tight'}, this.numbers.map((one) => [one.element, one.said])));
    this.show();
  }

  show() {
    const value = Object.fromEntries(this.numbers.map((one) => [one.name, Number(one.slider.value)]));
    for (const one of this.numbers) one.said.textContent = fixed(Number(one.slider.value), 2);
    let state = {actions: 'DD', aspirations: [value.alpha, value.beta]};
    const trail = [state];
    for (let i = 0; i < 400; i++) trail.push(state = satisfice(state, value));
    const x = (number) => 40 + number * 130, y = (number) => 300 - number * 130, last = trail.at(-1);
    const dots = {CC: 'walk-cc', DD: 'walk-dd', CD: 'walk-cd', DC: 'walk-cd'};
    set(this.picture, s('svg', {viewBox: '0 0 320 330', role: 'img', 'aria-label': `The aspirations of both agents from ${trail[0].aspirations.map((one) => fixed(one, 2)).join(' and ')} to ${last.aspirations.map((one) => fixed(one, 2)).join(' and ')}`},
      s('rect', {class: 'walk-plane', x: 40, y: 40, width: 260, height: 260}),
      s('text', {x: 170, y: 324, 'text-anchor': 'middle'}, 'aspiration of agent 1'), s('text', {x: 14, y: 170, 'text-anchor': 'middle', transform: 'rotate(-90 14 170)'}, 'aspiration of agent 2'),
      s('polyline', {class: 'walk-line', points: trail.map(({aspirations: [a, b]}) => `${x(a)},${y(b)}`).join(' ')}),
      trail.map(({actions, aspirations: [a, b]}) => s('circle', {class: dots[actions], cx: x(a), cy: y(b), r: actions === 'CC' ? 4 : 2.5})),
      s('circle', {class: 'walk-start', cx: x(value.alpha), cy: y(value.beta), r: 7})));
    const ends = trail.slice(-20), settled = ends.every((one) => one.actions === last.actions);
    this.said.textContent = !settled ? 'They do not settle: they go round and round.' : last.actions === 'CC' ? `They end by cooperating, after ${plural(trail.findLastIndex((one) => one.actions !== 'CC') + 1, 'round')}.`
      : last.actions === 'DD' ? 'They end by defecting: both are content with little.' : 'One exploits the other, and both are content.';
  }

  close() {}
}
