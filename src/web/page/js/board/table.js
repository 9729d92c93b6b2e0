// A matrix game: the table of payoffs, what was played last in it, and a button for each of one's actions. Both choose at
// the same time, so the other choice stays hidden until both are made.
import {h, renew, short} from '../dom.js';

/** What an action is called; other games than the dilemma have their own names. */
const NAMES = {dilemma: {C: 'Cooperate', D: 'Defect'}, publicgoods: {C: 'Contribute', D: 'Keep'}};

export class Table {
  constructor(game, {onMove, mini = false} = {}) {
    this.game = game;
    this.onMove = onMove;
    this.mini = mini;
    this.element = h('div', {class: 'matrix', role: 'group', 'aria-label': 'Payoffs and choices'});
    this.bare = [];
  }

  show({legal = [], last = null, values = null, session = null, position = '', drawing = '', hint = null}) {
    const {table} = this.game.board;
    const roles = [...new Set(legal.map((move) => move.role))]; // several where people share the page: each has choices of its own
    const chosen = roles.filter((role) => session?.chosen?.includes(role));
    renew(this.element, [legal, last, values, position, drawing, hint, chosen], () => [
      table && table.actions.length === 2 ? this.#payoffs(table, last, Number(position.split(' ')[0])) : h('pre', null, drawing),
      position ? this.#totals(position, table, session) : null,
      this.mini ? null : roles.map((role) => h('div', {class: 'choices', role: 'group', 'aria-label': `Choice of ${this.game.roles[role]}`},
        h('p', null, chosen.includes(role) ? 'You have chosen; the other has not yet.'
          : `You are ${this.game.roles[role]}. What do you do?`),
        legal.filter((move) => move.role === role).map((move) => h('button', {
          type: 'button', class: hint?.text === move.move ? 'choice hinted' : 'choice',
          'data-move': move.move, on: {click: () => this.onMove?.(move)},
        }, this.#name(move.move), values?.[move.move] ? h('span', {class: 'note'}, ` ${values[move.move].text ?? short(values[move.move].score)}`) : null)))),
    ]);
  }

  #name(action) { const name = NAMES[this.game.name]?.[action]; return name ? `${name} (${action})` : action; }

  #payoffs(table, last, round) {
    const payoffs = table.later && round >= table.change ? table.later : table.payoffs;
    const [mine, others] = table.actions;
    const played = (a, b) => last?.moves?.[0] === a && last?.moves?.[1] === b;
    return h('table', {class: 'payoffs'},
      h('caption', null, `Payoffs to ${this.game.roles[0]}, ${this.game.roles[1]}`),
      h('thead', null, h('tr', null, h('td'), others.map((b) => h('th', {scope: 'col'}, this.#name(b))))),
      h('tbody', null, mine.map((a, i) => h('tr', null, h('th', {scope: 'row'}, this.#name(a)),
        others.map((b, j) => h('td', {class: played(a, b) ? 'played' : null},
          payoffs[i][j].map(short).join(', '), played(a, b) ? h('span', {class: 'note'}, ' last round') : null))))));
  }

  /** Rounds and totals, from the position's own text: "3 C,D 8,3". */
  #totals(position, table, session) {
    const [rounds, , totals] = position.split(' ');
    const sums = totals?.split(',') ?? [];
    const players = this.game.roles.slice(0, table?.actions.length ?? 2);
    const people = session?.seats?.filter((seat) => seat.kind === 'human') ?? [], mine = people.length === 1 && players.length === 2 ? people[0].role : null;
    const has = (name, role) => mine === null ? `${name} has` : role === mine ? 'you have' : 'the other has';
    return h('p', {class: 'totals'}, `Round ${rounds}${table?.turns ? ` of ${table.turns}` : ''}: `,
      players.map((name, role) => `${has(name, role)} ${sums[role] ?? 0}`).join(', '));
  }

  flip() {}
  unpick() { return false; }
  focus() { this.element.querySelector('button')?.focus(); }
}
