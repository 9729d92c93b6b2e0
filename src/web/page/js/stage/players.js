// Who can play: people, levels, and any player by its spec; and the names of seats.
import {h, capital, errorLine, field, select} from '../dom.js';
import {once, query} from '../api.js';
import {playerTitle} from '../names.js';

export const levelsOf = (game) => once(query('/api/levels', {game})).catch(() => []);
export const gamesOf = () => once('/api/games');
export const openingsOf = (game) => once(query('/api/openings', {game})).catch(() => []);

/** "You", "Easy", the name of a seat's owner, or what the player does. `mine`: the name that is ours on a board whose seats have owners. */
export function seatName(seat, levels = [], mine = undefined) {
  if (seat.kind === 'human') return seat.owner && seat.owner !== mine ? seat.owner : 'You';
  if (seat.kind === 'nature') return 'Chance';
  return playerTitle(seat.spec, levels);
}

/** How a game ended, for whoever looks on, or for the one person who played: "White wins, 36 to 28." or "You win, 36 to 28." */
export function outcomeText(session, people) {
  const me = people.length === 1 ? session.game.roles[people[0]] : null, text = session.result?.text ?? 'the game is over.';
  const told = me ? text.replace(`${me} wins`, 'you win').replace(`${me} resigns`, 'you resign').replace(`${me} gets`, 'you get') : text;
  return told.replace(/(^|\. )([a-z])/g, (_, before, letter) => before + letter.toUpperCase());
}

/** How strong a level is, in words. */
const strength = ({elo, elo_95: error, measured}) => elo !== undefined ? `Elo ${elo} ± ${error}, where random play has 0.`
  : /points a turn, by/.test(measured) ? `Five plain strategies earn at most ${/ is ([\d.]+) /.exec(measured)?.[1]} points a round from it; two who cooperate earn 3.00.`
  : /^scores/.test(measured) ? `${capital(measured.replace(/ \(knack .*$/s, ''))}.` : 'Its strength on this board has not been measured.';

/** A choice of player: levels, a person if allowed, or any spec. */
export class PlayerChoice {
  constructor(label, {human = true} = {}) {
    this.human = human;
    this.error = errorLine();
    this.spec = h('input', {type: 'text', spellcheck: 'false', autocomplete: 'off', 'aria-label': `${label}: player spec`,
      placeholder: 'alphabeta(depth=6)', on: {input: () => this.error.clear()}});
    this.specField = h('div', {class: 'field', hidden: true}, this.spec);
    this.note = h('p', {class: 'note'});
    this.choice = select([], null, () => this.#changed());
    this.element = h('div', {class: 'seat-choice'}, field(label, this.choice), this.note, this.specField, this.error.element);
  }

  async fill(game, chosen) {
    this.levels = await levelsOf(game);
    const options = [
      ...(this.human ? [{value: 'human', label: 'You'}] : []),
      ...this.levels.map((level) => ({value: level.spec, label: level.title})),
      {value: '', label: 'For programmers: any player…'},
    ];
    this.choice.replaceChildren(...options.map((option) => h('option', {value: option.value}, option.label)));
    const known = options.some((option) => option.value === chosen && chosen);
    this.choice.value = known ? chosen : this.levels[1]?.spec ?? (this.human ? 'human' : '');
    if (chosen && !known) {
      this.choice.append(h('option', {value: chosen}, playerTitle(chosen)));
      this.choice.value = this.spec.value = chosen;
    }
    this.#changed();
  }

  /** Another game was chosen: a level keeps its name, but its player may differ there. */
  async follow(game) {
    const id = this.levels?.find((level) => level.spec === this.choice.value)?.id;
    const there = id && (await levelsOf(game)).find((level) => level.id === id);
    await this.fill(game, there ? there.spec : this.value);
  }

  #changed() {
    this.error.clear();
    this.specField.hidden = this.choice.value !== '';
    const level = this.levels?.find((one) => one.spec === this.choice.value);
    this.note.textContent = level ? strength(level) : '';
    this.note.title = level?.measured ?? this.choice.value; // with the command, for programmers
  }

  get value() { return this.choice.value || this.spec.value.trim(); }

  /** False, with a message, if nothing is chosen. */
  check() {
    if (this.value) return true;
    this.error.show('Type a player, for example alphabeta(depth=6), or choose a level.');
    this.spec.focus();
    return false;
  }
}
