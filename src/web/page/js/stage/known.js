// What is known about the position without a search: from endgame tables and from the experience base of a player.
import {h, set, button, capital, count, short, table} from '../dom.js';
import {plural} from '../names.js';
import {sessionPath, get, query} from '../api.js';

const TABLES_MEN = 10; // no tables have more pieces
const signed = (value) => (value > 0 ? '+' : '') + short(value);
const games = (number) => `${count(number)} ${number === 1 ? 'game' : 'games'}`;

export class Known {
  /** onMove(text): show this move on the board. */
  constructor(onMove) {
    this.onMove = onMove;
    this.element = h('section', {class: 'known', 'aria-label': 'What is known here', hidden: true});
    this.asked = '';
    this.untabled = ''; // a session whose game has no tables here
  }

  #wanted(session) {
    if (!session.id || session.over && session.ply === session.now) return false;
    if (session.seats.some((seat) => seat.spec.startsWith('experience('))) return true;
    return session.game.name === 'checkers' && this.untabled !== session.id && session.cells.filter((cell) => cell !== 0).length <= TABLES_MEN;
  }

  /** Asks again when another position is looked at. */
  async show(session, ply) {
    const key = this.#wanted(session) ? `${session.id} ${ply} ${session.revision}` : '';
    if (key === this.asked) return;
    this.asked = key;
    if (!key) { this.element.hidden = true; return; }
    try {
      const known = await get(query(sessionPath(session.id, '/known'), {ply}));
      if (this.asked !== key) return;
      if (!known.tables) this.untabled = session.id;
      const parts = [this.#tables(known.tables), known.experience.map((one) => this.#base(one, session))].flat().filter(Boolean);
      set(this.element, h('h3', null, 'What is known here'), parts);
      this.element.hidden = !parts.length;
    } catch (problem) {
      if (this.asked !== key) return;
      this.asked = '';
      this.element.hidden = true;
    }
  }

  #move(text) { return button(text, () => this.onMove(text), {kind: 'link move-text', title: 'Show on the board'}); }

  #tables(tables) {
    if (!tables?.position) return null;
    return h('div', null, h('p', null, `The tables: ${tables.position.text} for the side to move.`),
      h('details', null, h('summary', null, `Each move `, h('span', {class: 'note'}, String(tables.moves.length))),
        table('What the tables say of each move', ['move', 'verdict'], tables.moves.map((row) => [this.#move(row.move), row.text]), {hideCaption: true})));
  }

  #base(base, session) {
    const name = `${capital(session.game.roles[base.role])}’s base`;
    const met = base.known ? `has met this position in ${games(base.games)} (${count(base.distinct)} distinct): value ${signed(base.value)} for the side to move, ${signed(base.mean)} on average.`
      : 'has never met this position.';
    const rows = [...base.moves].sort((a, b) => b.explored - a.explored || (b.value ?? 0) - (a.value ?? 0));
    const fresh = rows.filter((row) => !row.explored).length, best = base.best_unexplored;
    return h('div', null, h('p', null, h('strong', null, name), ` ${met}`),
      base.known ? h('details', {open: true}, h('summary', null, `${count(rows.length - fresh)} explored, ${count(fresh)} unexplored `),
        table('What the base knows of each move', ['move', 'games', 'value', 'mean'], rows.map((row) => row.explored
          ? [this.#move(row.move), count(row.games), signed(row.value), signed(row.mean)] : [this.#move(row.move), 'new', '–', '–']), {hideCaption: true, kind: 'numbers'}),
        best ? h('p', {class: 'note'}, `Best unexplored: ${best.move}, ${best.text} after ${plural(best.depth, 'ply', 'plies')}.`) : null) : null,
      h('p', {class: 'note'}, `The base holds ${plural(base.size.positions, 'position')} of ${games(base.size.games)}, ${count(base.size.distinct)} distinct.`));
  }
}
