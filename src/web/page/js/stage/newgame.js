// The dialog that sets up a game: which, who, and from where.
import {h, set, button, capital, errorLine, field, select} from '../dom.js';
import {post} from '../api.js';
import {SHEETS, sheetOf} from '../board/skins.js';
import {gameTitle} from '../names.js';
import {gamesOf, openingsOf, PlayerChoice} from './players.js';

/** The usual boards of a game; others are for programmers. */
const BOARDS = {
  go: [['go(size=5)', '5×5'], ['go(size=7)', '7×7'], ['go', '9×9'], ['go(size=13)', '13×13'], ['go(size=19)', '19×19']],
  othello: [['othello', '8×8'], ['othello(size=6)', '6×6'], ['othello(size=4)', '4×4']],
  morris: [['morris', 'five men a side'], ['morris(men=6)', 'six men a side'], ['morris(men=9)', 'nine men a side']],
  tictactoe: [['tictactoe', 'three in a row wins'], ['tictactoe(lose)', 'three in a row loses']],
};

/** A game by name with its board: lists, and the spec for those who want more. */
export class GameChoice {
  /** sheets: offer game descriptions too. */
  constructor(change, {sheets = false} = {}) {
    this.error = errorLine();
    this.change = change;
    this.sheets = sheets;
    this.choice = select([], null, () => this.#chosen());
    this.spec = h('input', {type: 'text', spellcheck: 'false', autocomplete: 'off', on: {
      input: () => this.error.clear(), change: () => { this.#describe(); this.change?.(this.value); }}});
    this.note = h('p', {class: 'note'});
    this.board = select([], null, (spec) => { this.spec.value = spec; this.error.clear(); this.change?.(this.value); });
    this.boardField = field('Board', this.board);
    this.element = h('div', {class: 'game-choice'}, field('Game', this.choice), this.note,
      this.boardField, h('details', {class: 'programmers'}, h('summary', null, 'For programmers'), field('Game with options', this.spec, 'For example go(size=5) or dilemma(turns=10).')),
      this.error.element);
  }

  async fill(spec) {
    this.games = (await gamesOf()).filter((game) => game.name !== 'gdl');
    this.choice.replaceChildren(...this.games.map((game) => h('option', {value: game.name}, gameTitle(game.name, game.name))),
      this.sheets ? h('optgroup', {label: 'From game descriptions'}, SHEETS.map(([value, title]) => h('option', {value}, title))) : '');
    const name = this.sheets && sheetOf(spec) ? spec : /^\w+/.exec(spec ?? '')?.[0];
    this.choice.value = this.games.some((game) => game.name === name) || this.sheets && sheetOf(name) ? name : this.games[0]?.name;
    this.spec.value = this.choice.value === name ? spec : this.#example();
    this.#describe();
  }

  /** The chosen game as /api/games describes it. */
  get chosen() { return this.games?.find((game) => game.name === this.choice.value); }
  #example() { return this.chosen?.example ?? this.choice.value; }
  #describe() {
    this.note.textContent = capital(this.chosen?.summary ?? sheetOf(this.choice.value)?.[3] ?? '');
    const boards = BOARDS[this.choice.value] ?? [], known = boards.some(([spec]) => spec === this.spec.value);
    this.boardField.hidden = !boards.length;
    this.board.replaceChildren(...boards.map(([value, label]) => h('option', {value}, label)), ...known ? [] : [h('option', {value: this.spec.value}, gameTitle(this.spec.value))]);
    this.board.value = this.spec.value;
  }

  /** How many players it seats. */
  get seats() { return sheetOf(this.value)?.[2] ?? 2; }

  #chosen() {
    this.error.clear();
    this.spec.value = this.#example();
    this.#describe();
    this.change?.(this.value);
  }

  get value() { return this.spec.value.trim() || this.choice.value; }
}

/** Asks for a new game and makes it: done(session). kind: 'play' or 'watch'. */
export async function newGame(kind, present, done) {
  const dialog = document.getElementById('dialog');
  const watch = kind === 'watch';
  const error = errorLine();
  const seats = [new PlayerChoice('First player', {human: !watch}), new PlayerChoice('Second player', {human: !watch})];
  const opening = select([], null);
  const openingField = field('Opening', opening);
  const position = h('input', {type: 'text', spellcheck: 'false', autocomplete: 'off', on: {input: () => positionError.clear()}});
  const positionError = errorLine();
  const game = new GameChoice((spec) => fillFor(spec), {sheets: true});

  async function fillFor(spec, chosen = []) {
    const openings = await openingsOf(spec);
    seats[1].element.hidden = game.seats < 2;
    openingField.hidden = !openings.length;
    opening.replaceChildren(h('option', {value: ''}, 'The usual start'),
      ...openings.map((one, i) => h('option', {value: String(i)}, one.title)));
    opening.list = openings;
    await Promise.all([seats[0].fill(spec, chosen[0] ?? (watch ? undefined : 'human')), seats[1].fill(spec, chosen[1])]);
  }

  const start = h('button', {class: 'strong'}, watch ? 'Start' : 'Play');
  const form = h('form', {on: {submit: async (event) => {
    event.preventDefault();
    error.clear();
    const seated = seats.slice(0, game.seats);
    if (!seated.every((seat) => seat.check())) return;
    const chosen = opening.value === '' ? null : opening.list[Number(opening.value)];
    start.disabled = true;
    try {
      const session = await post('/api/sessions', {
        game: game.value, seats: seated.map((seat) => seat.value),
        position: position.value.trim() || undefined, moves: chosen?.moves,
      });
      dialog.close();
      done(session);
    } catch (problem) {
      const place = {game: game.error, position: positionError, 'seats[0]': seats[0].error, 'seats[1]': seats[1].error,
        'seats.0': seats[0].error, 'seats.1': seats[1].error}[problem.field] ?? error;
      place.show(problem);
    } finally {
      start.disabled = false;
    }
  }}},
  h('h2', {id: 'dialog-title'}, watch ? 'New game to watch' : 'New game'),
  game.element, seats[0].element, seats[1].element, openingField,
  h('details', null, h('summary', null, 'For programmers: start from a position'),
    field('Position', position, 'In the game’s own notation; empty for the usual start.'), positionError.element),
  error.element,
  h('div', {class: 'row end'}, button('Cancel', () => dialog.close()), start));
  set(dialog, form);
  dialog.setAttribute('aria-labelledby', 'dialog-title');
  dialog.showModal();
  try {
    const spec = present && (!present.game.spec.startsWith('gdl') || sheetOf(present.game.spec)) ? present.game.spec : undefined;
    await game.fill(spec);
    await fillFor(game.value, spec ? present.seats.filter((seat) => seat.kind !== 'nature').slice(0, 2)
      .map((seat) => seat.kind === 'human' ? watch ? undefined : 'human' : seat.spec) : []);
  } catch (problem) { error.show(problem); }
}

/** Asks for the player of a seat: done(spec). */
export async function changeSeat(session, seat, done) {
  const dialog = document.getElementById('dialog');
  const error = errorLine();
  const name = session.game.roles[seat.role];
  const choice = new PlayerChoice(`Player of ${name}`);
  set(dialog, h('form', {on: {submit: async (event) => {
    event.preventDefault();
    if (!choice.check()) return;
    try {
      await done(choice.value);
      dialog.close();
    } catch (problem) { choice.error.show(problem); }
  }}}, h('h2', {id: 'dialog-title'}, `Who plays ${name}?`), choice.element, error.element,
  h('div', {class: 'row end'}, button('Cancel', () => dialog.close()), h('button', {class: 'strong'}, 'Change the player'))));
  dialog.setAttribute('aria-labelledby', 'dialog-title');
  dialog.showModal();
  try { await choice.fill(session.game.spec, seat.kind === 'human' ? 'human' : seat.spec); } catch (problem) { error.show(problem); }
}

/** Asks before something that cannot easily be undone: done() if so. */
export function confirm(question, label, done) {
  const dialog = document.getElementById('dialog');
  set(dialog, h('form', {on: {submit: (event) => {
    event.preventDefault();
    dialog.close();
    done();
  }}}, h('h2', {id: 'dialog-title'}, question),
  h('div', {class: 'row end'}, button('Cancel', () => dialog.close()), h('button', {class: 'strong'}, label))));
  dialog.setAttribute('aria-labelledby', 'dialog-title');
  dialog.showModal();
}
