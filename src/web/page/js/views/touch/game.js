// A small game to play in an exhibit, whose player explains itself; and the same by a game description of your choice.
import {h, set, button, capital, errorLine, field, select} from '../../dom.js';
import {get, post, sessionPath, query} from '../../api.js';
import {viewOf} from '../../board/boards.js';
import {SHEETS, sheetOf} from '../../board/skins.js';
import {gameTitle, plainMove} from '../../names.js';
import {reasonView} from '../../why.js';

const POLL = 250; // milliseconds between questions whether the engine has moved

/** A game on the page of an exhibit: a board to play on, and beside it what the player says about its move. */
export class SmallGame {
  /** open: which groups of the explanation are unfolded. */
  constructor({game, seats, said, open}) {
    Object.assign(this, {game, seats, open});
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

  /** A session that is there already, as from an uploaded game description. */
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
    set(this.status, session.over ? capital(session.result.text) : legal.length ? 'Your move: click on the board.' : 'It is thinking…',
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
      if (this.told === ply) set(this.why, h('p', {class: 'note'}, `Its move ${plainMove(row.text)}:`), reasonView(answer.reason ?? {text: 'This player gives no explanation.'}, {game: session.game, flip: false, open: this.open}));
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

const PLAYER = 'general(time=1)', SEATS = [PLAYER, 'human']; // it begins: there is something to see at once
/** Rules to begin with, short enough to be read and changed. */
const MATCHES = `; Take one or two of seven matches. Who takes the last one wins.
(role first) (role second)
(init (heap 7)) (init (control first))
(<= (legal ?p (take 1)) (true (control ?p)) (true (heap ?n)) (succ ?m ?n))
(<= (legal ?p (take 2)) (true (control ?p)) (true (heap ?n)) (succ ?m ?n) (succ ?k ?m))
(<= (legal first noop) (true (control second)))
(<= (legal second noop) (true (control first)))
(<= (next (heap ?m)) (true (heap ?n)) (does ?p (take 1)) (succ ?m ?n))
(<= (next (heap ?k)) (true (heap ?n)) (does ?p (take 2)) (succ ?m ?n) (succ ?k ?m))
(<= (next (control second)) (true (control first)))
(<= (next (control first)) (true (control second)))
(<= terminal (true (heap 0)))
(<= (goal first 100) (true (control second)))
(<= (goal first 0) (true (control first)))
(<= (goal second 100) (true (control first)))
(<= (goal second 0) (true (control second)))
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7)
`;

/** Choose a game description, or paste one, and play it against a player that has never seen it. */
export class SheetGame {
  constructor() {
    this.error = errorLine();
    this.game = new SmallGame({game: SHEETS[0][0], seats: SEATS, open: /^moves$/, said: 'The player reads the rules when the game begins, and thinks for a second about each move. Then it says here what it expects.'});
    const choice = select(SHEETS.map(([value, label]) => ({value, label})), SHEETS[0][0], (spec) => this.game.begin({game: spec, seats: sheetOf(spec)[2] === 1 ? ['human'] : SEATS}));
    const text = h('textarea', {rows: 12, spellcheck: 'false'}, MATCHES);
    this.element = h('div', {class: 'stack'}, field('A game description', choice), this.game.element,
      h('details', null, h('summary', null, 'Paste rules of your own, in GDL'), field('Rules', text), this.error.element,
        button('Play by these rules', async () => {
          try { await this.game.take(await post('/api/sessions/import', {kif: text.value, seats: SEATS})); this.error.clear(); } catch (problem) { this.error.show(problem); }
        })));
  }

  close() { this.game.close(); }
}
