// The stage: a session with its board, moves, score and reasons. Play and Watch are this with different tools.
import {h, set, renew, announce, capital, errorLine} from '../dom.js';
import {ApiError, sessionPath, get, post} from '../api.js';
import * as live from '../live.js';
import {keys} from '../keys.js';
import {recall, remember} from '../store.js';
import {Chart} from '../chart.js';
import {framesOf, viewOf} from '../board/boards.js';
import {icon, skinOf} from '../board/skins.js';
import {gameTitle, plainMove} from '../names.js';
import {winningRow} from '../board/geometry.js';
import {levelsOf, outcomeText, seatName} from './players.js';
import {ownedOf, ownRoles} from '../owner.js';
import {MoveList} from './moves.js';
import {changeSeat} from './newgame.js';
import {MoveEntry} from './tools.js';
import {SetUp} from './setup.js';
import {WhyPanel} from './whypanel.js';
import {dropZone, load, save} from './files.js';

const AGAIN = 1000; // milliseconds until a game that could not be begun is tried again
const CLIP = 6; // men: higher scores are cut, the game is won

/** Resolves when the current drawing is on the screen, or the page is hidden. */
const seen = () => new Promise((done) => { if (document.hidden) done(); else requestAnimationFrame(() => setTimeout(done)); });

/** The moves of all roles in a joint move: bars outside of parentheses separate them. */
export function jointMoves(text) {
  const moves = [];
  let depth = 0, word = '';
  for (const letter of text) {
    if (letter === '|' && !depth) { moves.push(word); word = ''; continue; }
    depth += (letter === '(') - (letter === ')');
    word += letter;
  }
  return [...moves, word];
}

export class Stage {
  /** opened(session): another session has come onto the stage. */
  constructor({opened, tools}) {
    this.opened = opened;
    this.session = null;
    this.looking = null; // a ply, or null for the current position
    this.frames = null;
    this.hint = null;
    this.values = null;
    this.showValues = false;
    this.turned = false;
    this.textual = false;
    this.setUp = null;
    this.sending = new Set(); // roles whose moves are on their way, of this turn
    this.levels = [];
    this.title = h('h1', null, 'Knack');
    this.seats = h('div', {class: 'seats'});
    this.status = h('p', {class: 'status'});
    this.error = errorLine();
    this.boardPlace = h('div', {class: 'board-place'});
    this.textBoard = h('pre', {class: 'text-board', hidden: true, tabindex: '0', 'aria-label': 'Board as text'});
    this.entry = new MoveEntry((text) => this.play(text));
    this.moves = new MoveList((ply) => this.look(ply));
    this.why = new WhyPanel(() => ({game: this.session.game, flip: this.#flip(), onMove: (text) => this.pointAt(text)}),
      {analyse: () => this.analyse()});
    this.ending = null; // comes with the first end of a game
    this.graph = new Chart({label: 'Score over the game', x: 'move', y: '',
      series: [{label: 'score', colour: 'blue', points: true}], pick: (ply) => this.look(ply), height: 130, labels: false, fold: 'Table'});
    this.graphNote = h('p', {class: 'note'});
    this.graphUnit = h('span', {class: 'note'}, 'by move');
    this.tools = h('div', {class: 'tools'});
    this.toolRow = tools(this);
    set(this.tools, this.entry.element, this.toolRow);
    this.element = h('div', {class: 'stage'},
      h('header', {class: 'stage-head'}, h('div', {class: 'row tight'}, this.title, this.status), this.seats),
      h('div', {class: 'board-area'}, this.boardPlace, this.textBoard),
      h('div', {class: 'tool-area'}, this.tools, this.entry.error.element, this.error.element),
      this.why.element,
      h('div', {class: 'below'}, this.moves.element,
        h('section', {class: 'graph', 'aria-label': 'Score graph'}, h('h2', null, 'Score ', this.graphUnit), this.graphNote, this.graph.element)));
    dropZone(this.element, (file) => this.load(file));
    this.offs = [
      live.on('session', (session) => this.apply(session)),
      live.on('analysis', (found) => this.analysed(found)),
      live.on('back', () => this.refresh()),
      live.on('gone', () => this.gone()),
      keys('Board and moves', [
        ['b', 'To the board (arrows walk, Enter picks)', () => this.view?.focus()],
        ['m', 'Type a move', () => this.entry.input.focus()],
        ['[', 'One move back', () => this.look(this.at() - 1)],
        [']', 'One move on', () => this.look(this.at() + 1)],
        ['{', 'To the start', () => this.look(0)],
        ['}', 'To the last move', () => this.look(null)],
        ['Escape', 'Back to the game', () => this.escape()],
        ['t', 'Board as text', () => this.toggleText()],
        ['f', 'Turn the board', () => { this.turned = !this.turned; this.render(); }],
        ['a', 'Analyse the position', () => this.analyse()],
        ['w', 'To the explanation', () => { this.why.element.tabIndex = -1; this.why.element.focus(); }],
      ]),
    ];
  }

  close() {
    this.closed = true;
    for (const off of this.offs) off();
    this.setUp?.close();
    this.ending?.close();
    this.graph.close();
  }

  /* ---- which session ---- */

  async open(id) { this.enter(await get(sessionPath(id))); }

  /** Takes another session onto the stage. With `begin` it is a preview of the session that `begin` creates: it can be played at once. */
  enter(session, begin = null) {
    this.session = null;
    this.onward = true;
    this.looking = this.frames = this.hint = this.values = null;
    if (this.setUp) this.endSetUp();
    this.view = null;
    this.error.clear();
    this.entry.done();
    this.levels = [];
    this.why.welcome();
    this.apply(session);
    this.arriving = begin && this.#arrive(session, begin);
    if (!begin) this.#entered();
    levelsOf(session.game.spec).then((levels) => { this.levels = levels; this.renderHead(); });
  }

  #entered() {
    live.listen({...this.wish, session: this.session.id});
    this.opened?.(this.session);
  }

  /** The session replaces its preview, unless another one was opened meanwhile; retries until it succeeds. */
  async #arrive(picture, begin) {
    await seen(); // show the first board before sending requests
    for (;;) {
      try {
        const session = await begin();
        if (this.closed || this.session !== picture) return;
        this.arriving = null;
        this.session = session;
        this.error.clear();
        this.#entered();
        return;
      } catch (problem) {
        if (this.closed || this.session !== picture) return;
        this.error.show(problem);
        await new Promise((done) => { setTimeout(done, AGAIN); });
      }
    }
  }

  /** A path below the session, once it exists. */
  async #path(what) {
    await this.arriving;
    return sessionPath(this.session.id, what);
  }

  /** The session from the server; a state older than the one shown is dropped. */
  apply(session) {
    if (this.session && (session.id !== this.session.id || session.revision < this.session.revision)) return;
    const before = this.session;
    this.session = session;
    if (!before || before.position !== session.position || before.ply !== session.ply) {
      this.hint = this.values = null;
      this.sending = new Set();
      this.why.endHint();
    }
    if (before && before.history.map((row) => row.text).join(' ') !== session.history.map((row) => row.text).join(' ')) this.frames = null;
    if (this.looking !== null && this.looking >= session.ply) this.looking = null;
    this.render();
    this.#announce(before);
    this.#forced();
    if (this.showValues && !this.values) this.fetchValues();
  }

  /** In simultaneous games a role with one legal move need not click: in game descriptions the other roles wait. Not after
   * something was taken back, or it could never be. */
  #forced() {
    const {session} = this;
    if (!session.game.simultaneous || !this.onward || session.paused || this.looking !== null) return;
    const legal = this.legal();
    const role = [...new Set(legal.map((move) => move.role))].find((one) => legal.filter((move) => move.role === one).length === 1);
    if (role !== undefined) this.play(legal.find((move) => move.role === role).move, role);
  }

  async refresh() {
    if (!this.session?.id) return;
    try { this.apply(await get(sessionPath(this.session.id))); } catch (problem) { if (problem.status === 404) this.gone(); }
  }

  gone() { this.error.show('The server no longer has this game. Start a new one, or load it from a file.'); }

  /* ---- what is shown ---- */

  at() { return this.looking ?? this.session?.ply ?? 0; }

  people() { return ownRoles(this.session); }

  /** Moves that a person at this page may make now. */
  legal() {
    const {session} = this;
    if (this.looking !== null || session.over) return [];
    const people = this.people();
    return session.legal.filter((move) => people.includes(move.role) && session.movers.includes(move.role) && !session.chosen?.includes(move.role));
  }

  #flip() {
    const people = this.people();
    return (people.length === 1 && people[0] === 0) !== this.turned;
  }

  render() {
    const {session} = this;
    if (!session) return;
    if (!this.view) {
      this.view = viewOf(session.game, {flip: this.#flip(), onMove: (move) => this.play(move.move, move.role)});
      set(this.boardPlace, this.view.element);
    }
    if (this.setUp) return;
    this.view.flip(this.#flip());
    const legal = this.legal(), frame = this.#frame();
    this.view.show({...frame, legal, session, won: session.over && this.looking === null ? winningRow(session) : null, hint: this.looking === null ? this.hint : null, values: this.looking === null ? this.values : null});
    this.textBoard.textContent = frame.drawing;
    this.entry.show(this.view.bare, legal.length > 0);
    this.renderHead();
    this.moves.show(session.history, this.at(), session.ply, session.game.roles);
    this.#renderGraph();
    this.why.analyseButton.hidden = session.game.board?.kind === 'table';
    this.why.analysing(Boolean(session.analysing));
    this.why.show(session, this.at() - 1);
    this.why.known.show(session, this.at());
    this.toolRow.update?.(session);
    this.#renderEnding();
    if (session.trouble) this.error.show(session.trouble);
    else if (this.error.source === 'trouble') this.error.clear();
    this.error.source = session.trouble ? 'trouble' : this.error.source;
  }

  /** Cells, drawing and last move of the shown ply. */
  #frame() {
    const {session} = this, ply = this.at();
    const row = session.history[ply - 1];
    const last = row ? {path: row.path, text: row.text, moves: jointMoves(row.text)} : null;
    const withMoves = {...session, history: session.history.map((one) => ({...one, moves: jointMoves(one.text)}))};
    if (this.looking === null || !this.frames) return {cells: session.cells, drawing: session.drawing, position: session.position, last, session: withMoves};
    const frame = this.frames[ply];
    return {cells: frame.cells, drawing: frame.drawing, position: frame.position, last, session: {...withMoves, ply}};
  }

  renderHead() {
    const {session} = this;
    if (!session) return;
    const skin = skinOf(session.game.name);
    // Only game descriptions are looked up: the browser's store would hold up the first board.
    const file = session.game.name === 'gdl' && recall('sheets', {})[session.game.spec];
    this.title.textContent = file || gameTitle(session.game.spec, session.game.name);
    const name = (role) => seatName(session.seats[role], this.levels, ownedOf(session.id)?.name);
    const moving = session.over ? [] : session.movers;
    const players = session.seats.filter((seat) => seat.kind !== 'nature');
    renew(this.seats, [session.game.spec, players, moving, players.map((seat) => name(seat.role))], () => players.map((seat) => {
      const toMove = moving.includes(seat.role);
      return h('button', {type: 'button', class: toMove ? 'seat link to-move' : 'seat link', title: 'Change who plays', on: {click: () => this.changeSeat(seat)}},
        icon(skin, seat.role, session.game.roles[seat.role]),
        h('span', null, h('span', {class: 'role'}, `${capital(session.game.roles[seat.role])}: `), name(seat.role)),
        toMove ? h('span', {class: 'unseen'}, ' (to move)') : null);
    }));
    this.status.textContent = this.statusText(name);
    document.title = `${this.title.textContent} – Knack`;
  }

  statusText(name = (role) => seatName(this.session.seats[role], this.levels, ownedOf(this.session.id)?.name)) {
    const {session} = this;
    if (this.looking !== null) return `Move ${this.looking} of ${session.ply}. Esc: back to the game.`;
    if (session.over) return outcomeText(session, this.people());
    const people = this.people().filter((role) => session.movers.includes(role));
    if (people.length) return this.people().length > 1 ? `${capital(session.game.roles[people[0]])} to move.` : 'Your move.';
    if (session.paused) return 'Paused.';
    const owned = session.seats.some((seat) => seat.owner), person = session.movers.find((role) => session.seats[role]?.kind === 'human');
    if (owned && person !== undefined) return session.seats[person].owner ? `${session.seats[person].owner} to move.` : 'This seat is free: nobody moves here yet.';
    const engine = session.movers.find((role) => session.seats[role]?.kind === 'engine');
    return engine === undefined ? '' : `${name(engine)} is thinking…`;
  }

  /** The graph in the unit of its scores: networks and random games expect a share of the points, other evaluations count. */
  #graphIn(unit, percent) {
    const {graph} = this;
    if (graph.series[0].label === unit) return;
    graph.series[0].label = unit;
    graph.digits = percent ? 0 : 2;
    graph.range = percent ? [0, 100] : (plot, low, high) => [Math.min(low, -1) * 1.1, Math.max(high, 1) * 1.1];
    graph.rebuild();
  }

  #renderGraph() {
    const scores = this.session.scores ?? [];
    const clip = (value) => value === null || value === undefined ? null : Math.min(Math.max(value, -CLIP), CLIP);
    const some = scores.some((value) => value !== null && value !== undefined);
    const engineMoved = this.session.history.some((row) => [row.by].flat().some((by) => by && by !== 'human'));
    const {chances} = this.session, first = capital(this.session.game.roles[0] ?? '');
    this.#graphIn(chances ? `% of the points for ${first}` : `${this.session.score_unit} for ${first}`, Boolean(chances));
    this.graphUnit.textContent = some ? chances ? `% of the points for ${first}` : `${this.session.score_unit} that ${first} is ahead` : 'by move';
    this.graphNote.textContent = some ? '' : this.session.game.board?.kind === 'table' ? 'What counts is the sum of the payoffs.' : engineMoved ? 'These players give no score.' : 'The score appears here once an engine has moved.';
    this.graph.element.classList.toggle('empty', !some);
    this.graph.show(some ? [scores.map((_, i) => i + 1), chances ? chances.map((value) => value === null ? null : 100 * value) : scores.map(clip)] : [[], []]);
    this.graph.mark(some ? this.at() : null);
  }

  async #renderEnding() {
    if (!this.ending && !this.session.over) return;
    if (!this.ending) {
      const {Ending} = await import('../later.js');
      if (this.closed) return;
      this.ending ??= new Ending({look: (ply) => this.look(ply), enter: (session) => this.enter(session), save: () => this.save(),
        context: () => ({game: this.session.game, flip: this.#flip(), onMove: (text) => this.pointAt(text)})});
      if (!this.ending.element.isConnected) this.why.element.prepend(this.ending.element);
    }
    this.ending.show(this.session, this.people());
  }

  #announce(before) {
    const {session} = this;
    if (!before || before.id !== session.id) return;
    const words = session.history.slice(before.ply, session.ply).map((row) =>
      `${row.role === null || row.role === undefined || row.role < 0 ? '' : `${capital(session.game.roles[row.role])} `}${plainMove(row.text)}.`);
    if (session.ply < before.ply) words.push(`Taken back to move ${session.ply}.`);
    if (words.length || session.over !== before.over) announce(`${words.join(' ')} ${this.statusText()}`);
  }

  /** Shows the position after `ply` plies; null: the current position. */
  async look(ply) {
    const {session} = this;
    if (!session || this.setUp) return;
    if (ply === null || ply >= session.ply) this.looking = null;
    else {
      try {
        this.frames ??= (await framesOf(session.game.spec, session.start, session.history.map((row) => row.text).join(' '))).frames;
      } catch (problem) { this.error.show(problem); return; }
      this.looking = Math.max(0, ply);
      if (!this.frames[this.looking]) this.looking = null;
    }
    this.error.clear();
    this.why.endHint();
    this.render();
    const row = session.history[this.at() - 1];
    announce(row ? `After move ${this.at()}, ${plainMove(row.text)}.` : 'At the start.');
  }

  escape() {
    if (this.view?.unpick()) return;
    if (this.setUp) this.endSetUp();
    else if (this.looking !== null) this.look(null);
    else if (this.hint) { this.hint = null; this.why.endHint(); this.render(); }
  }

  toggleText() {
    this.textual = !this.textual;
    this.textBoard.hidden = !this.textual;
    this.boardPlace.hidden = this.textual;
    if (this.textual) this.textBoard.focus();
  }

  /** Shows a move of an explanation. */
  pointAt(text) {
    const move = this.session.legal.find((one) => one.move === text);
    if (!move) return;
    this.hint = {...move, text};
    this.render();
  }

  /* ---- what one can do ---- */

  /** A change of a board whose seats have owners carries our key. */
  #signed(body) {
    const key = ownedOf(this.session?.id)?.key;
    return key ? {...body, key} : body;
  }

  /** Sends a change and shows the result; an error appears at `place`. */
  async act(what, body, place = this.error) {
    if (what === 'undo' || what === 'redo') this.onward = false;
    try {
      const session = await post(await this.#path(`/${what}`), this.#signed(body));
      place.clear();
      if (session?.game) this.apply(session);
      return session;
    } catch (problem) {
      if (!(problem instanceof ApiError)) throw problem;
      place.show(problem);
      if (problem.status === 409) this.refresh();
      return null;
    }
  }

  /** Once a turn: a double click is one move. The event of the next turn may arrive before this answer. */
  async play(text, role) {
    const {session, sending} = this;
    if (!session || sending.has(role)) return;
    sending.add(role);
    const typed = this.entry.input.value;
    const done = await this.act('move', {ply: session.ply, move: text, ...(role === undefined ? {} : {role})}, this.entry.error);
    sending.delete(role);
    if (done) {
      this.entry.done(typed);
      this.onward = true;
      this.#forced();
    }
    else this.render(); // a dragged man goes back
  }

  async takeHint() {
    const {session} = this;
    if (!this.legal().length) { this.error.show('It is not your move, so there is no hint.'); return; }
    const hint = await this.act('hint', {ply: session.ply});
    if (!hint || this.session.ply !== session.ply) return;
    const move = session.legal.find((one) => one.move === hint.move);
    this.hint = {path: hint.path ?? move?.path ?? [], text: hint.move};
    this.why.hint(hint.move, hint.reason);
    this.render();
    announce(`Hint: ${plainMove(hint.move)}. ${hint.reason?.text ?? ''}`);
  }

  async toggleValues() {
    this.showValues = !this.showValues;
    if (!this.showValues) this.values = null;
    else await this.fetchValues();
    this.render();
    return this.showValues;
  }

  async fetchValues() {
    const {session} = this;
    if (session.over) return;
    try {
      const {values} = await get(await this.#path('/values'));
      if (this.session?.revision !== session.revision || !this.showValues) return;
      this.values = values;
      this.error.clear();
      this.render();
    } catch (problem) { if (problem.status !== 409) this.error.show(problem); }
  }

  analyse() { return this.session && this.act('analyse', {on: !this.session.analysing}); }

  analysed(found) {
    if (!this.session?.analysing || found.ply !== undefined && found.ply !== this.session.ply) return;
    this.why.found(found);
    if (!this.showValues || !found.values) return;
    this.values = found.values;
    this.render();
  }

  async save() {
    try {
      announce(`Saved as ${await save(await this.#path('/export'))}.`);
      this.error.clear();
    } catch (problem) { this.error.show(problem); }
  }

  async load(file) {
    try {
      const session = await load(file);
      if (session.game.name === 'gdl') remember('sheets', {...recall('sheets', {}), [session.game.spec]: file.name});
      this.enter(session);
    } catch (problem) { this.error.show(`${file.name}: ${problem.message}`); }
  }

  changeSeat(seat) {
    changeSeat(this.session, seat, async (spec) => this.apply(await post(await this.#path('/seat'), this.#signed({role: seat.role, spec}))));
  }

  beginSetUp() {
    if (!this.session || this.setUp) return;
    this.looking = this.hint = this.values = null;
    this.setUp = new SetUp(this.session, this.view, {
      done: async (position) => {
        const session = await post(await this.#path('/setup'), this.#signed({position}));
        this.endSetUp();
        this.apply(session);
      },
      cancel: () => this.endSetUp(),
    });
    this.why.replace(this.setUp.element);
    this.element.classList.add('setting-up');
    this.status.textContent = 'Setting up a position.';
  }

  endSetUp() {
    this.setUp?.close();
    this.setUp = null;
    this.why.replace(null);
    this.element.classList.remove('setting-up');
    this.render();
  }
}
