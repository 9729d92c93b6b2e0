// Class: a room by its code, boards whose seats have owners, the teacher's view of all of them, and Axelrod's tournament (docs/classroom.md).
import {h, set, button, errorLine, field, renew, select} from '../dom.js';
import {brought, get, post, query} from '../api.js';
import * as live from '../live.js';
import {recall, remember} from '../store.js';
import {own} from '../owner.js';
import {viewOf} from '../board/boards.js';
import {gameTitle, playerTitle, plural} from '../names.js';
import {confirm, GameChoice} from '../stage/newgame.js';
import {levelsOf} from '../stage/players.js';
import {Outcome, StrategyForm} from './strategy.js';

const roomPath = (code, rest = '') => `/api/rooms/${encodeURIComponent(code)}${rest}`;
const keyOf = (code) => recall('rooms', {})[code];
const keep = (code, key) => remember('rooms', {...recall('rooms', {}), [code]: key});

/* ---- without a room ---- */

function joinForm(wanted) {
  const error = errorLine(), code = h('input', {type: 'text', autocapitalize: 'characters', autocomplete: 'off', spellcheck: 'false', maxlength: 5, size: 6, value: wanted ?? ''});
  const name = h('input', {type: 'text', autocomplete: 'off', maxlength: 40});
  return h('form', {class: 'panel run-form', 'aria-label': 'Join a room', on: {submit: async (event) => {
    event.preventDefault();
    try {
      const room = await post(roomPath(code.value.trim(), '/join'), {name: name.value.trim()});
      keep(room.code, room.key);
      location.hash = `#/class/${room.code}`;
      if (wanted) dispatchEvent(new HashChangeEvent('hashchange'));
    } catch (problem) { error.show(problem); }
  }}}, h('h2', null, 'Join a room'), field('Code of the room', code), field('Your name', name, 'Everybody in the room sees it.'), h('button', {class: 'strong'}, 'Join'), error.element);
}

function openForm() {
  const error = errorLine(), choice = new GameChoice(), title = h('input', {type: 'text', maxlength: 40, value: 'Our class'});
  choice.fill('checkers').catch((problem) => error.show(problem));
  return h('form', {class: 'panel run-form', 'aria-label': 'Open a room', on: {submit: async (event) => {
    event.preventDefault();
    try {
      const room = await post('/api/rooms', {game: choice.value, title: title.value.trim()});
      keep(room.code, room.key);
      location.hash = `#/class/${room.code}`;
    } catch (problem) { (problem.field === 'game' ? choice.error : error).show(problem); }
  }}}, h('h2', null, 'Open a room'), field('Its name', title), choice.element, h('button', {class: 'strong'}, 'Open a room'), error.element);
}

function showDoor(place) {
  place.append(h('div', {class: 'page'}, h('h1', null, 'Class'),
    h('p', {class: 'lead'}, brought.worker ? 'A classroom needs a server that everybody reaches: start `knack serve` on one computer, and open its page here and there.'
      : 'Play with a class: the teacher opens a room, the students join it by its code, and nobody moves for another.'),
    brought.worker ? null : h('div', {class: 'two even'}, joinForm(), openForm())));
  return {close() {}};
}

/* ---- in a room ---- */

const nameAt = (seat) => seat.kind === 'human' ? seat.owner ?? 'free' : playerTitle(seat.spec, classLevels);
let classLevels = []; // of the room's game
const stateOf = (board) => board.over ? board.result?.text ?? 'over' : board.seats.some((seat) => seat.kind === 'human' && !seat.owner) ? 'waits for a second player'
  : `${board.movers.map((role) => nameAt(board.seats[role])).join(' and ')} to move, after ${plural(board.ply, 'move')}`;

/** One board among all. */
class BoardCard {
  constructor(board) {
    this.picture = viewOf(board.game, {mini: true, label: 'A board of the class'});
    this.title = h('h3', null);
    this.state = h('p', {class: 'note'});
    this.actions = h('div', {class: 'row tight'});
    this.element = h('article', {class: 'run class-board'}, this.title, h('div', {class: 'still'}, this.picture.element), this.state, this.actions);
  }

  show(board, actions) {
    this.title.textContent = board.seats.filter((seat) => seat.kind !== 'nature').map(nameAt).join(' – ');
    this.state.textContent = stateOf(board);
    this.picture.show({...board, legal: []});
    renew(this.actions, [board.id, board.seats, board.over], () => actions(board));
  }
}

class RoomView {
  constructor(code) {
    this.code = code;
    this.key = keyOf(code);
    this.cards = new Map();
    this.error = errorLine();
    this.head = h('div', {class: 'stack tight'});
    this.tools = h('div', {class: 'stack'});
    this.boards = h('div', {class: 'class-boards'});
    this.members = h('div', {class: 'stack tight'});
    this.outcome = new Outcome();
    this.strategy = h('div', {class: 'stack'});
    this.element = h('div', {class: 'page'}, this.head, this.error.element, this.tools,
      h('section', {'aria-label': 'Boards', class: 'stack'}, h('h2', null, 'Boards'), this.boards),
      h('div', {class: 'two'}, h('section', {class: 'panel', 'aria-label': 'Strategies'}, h('h2', null, 'Strategies'), this.strategy, this.outcome.element),
        h('section', {class: 'panel', 'aria-label': 'Who is here'}, h('h2', null, 'Who is here'), this.members)));
    // The room says that something has changed; what, the page asks for.
    this.offs = [live.on('room', () => this.refresh()), live.on('open', () => this.refresh())];
    live.listen({room: code});
  }

  close() { this.offs.forEach((off) => off()); }

  /** Sends a change; shows the room as it is then. */
  async act(what, body = {}) {
    try {
      const room = await post(roomPath(this.code, `/${what}`), {key: this.key, ...body});
      this.error.clear();
      await this.refresh();
      return room;
    } catch (problem) { this.error.show(problem); return null; }
  }

  async refresh() {
    // One question at a time: what changes meanwhile is asked for once more.
    if (this.asking) { this.again = true; return this.asking; }
    this.asking = this.#ask();
    await this.asking;
    this.asking = null;
    if (this.again) { this.again = false; await this.refresh(); }
  }

  async #ask() {
    try {
      const room = await get(query(roomPath(this.code), {key: this.key, boards: 1}));
      classLevels = await levelsOf(room.game);
      this.show(room);
    } catch (problem) {
      if (problem.status === 404) { this.close(); this.error.show(problem); } else if (!this.room) this.error.show(problem);
    }
  }

  async sit(board) {
    const room = await this.act('sit', {board: board.id});
    if (room) this.enter(board.id);
  }

  enter(id) {
    own(id, this.key, this.room.you.name);
    location.hash = `#/play/${id}`;
  }

  #actions(board) {
    const {you} = this.room, mine = you && board.seats.some((seat) => seat.owner === you.name);
    const free = board.seats.some((seat) => seat.kind === 'human' && !seat.owner);
    if (mine) return [button(board.over ? 'Look at it' : 'Play', () => this.enter(board.id), {kind: board.over ? null : 'strong'})];
    if (you && free) return [button('Sit down here', () => this.sit(board), {kind: 'strong'})];
    return [button('Watch', () => { location.hash = `#/play/${board.id}`; })];
  }

  #studentTools(room) {
    const level = select([], null);
    levelsOf(room.game).then((levels) => level.replaceChildren(...levels.map((one) => h('option', {value: one.spec}, one.title))));
    const open = async (engine) => {
      const answer = await this.act('board', engine ? {engine} : {});
      if (answer && engine) this.enter(answer.board);
    };
    return [h('div', {class: 'row'}, button('Open a board for two', () => open(null), {kind: 'strong'}), button('Play against the engine', () => open(level.value)),
      h('label', {class: 'row tight'}, 'Level', level))];
  }

  #teacherTools(room) {
    const noise = select([['0', 'no noise'], ['0.01', '1 % noise'], ['0.05', '5 % noise'], ['0.1', '10 % noise']].map(([value, label]) => ({value, label})), '0');
    const classics = h('input', {type: 'checkbox', checked: true});
    return [h('div', {class: 'row'},
      button('Pair the class', () => this.act('pair'), {kind: 'strong', title: 'Seat all who play nowhere in pairs'}),
      button('Play the tournament', () => this.act('tournament', {noise: Number(noise.value), classics: classics.checked})),
      h('label', {class: 'row tight'}, 'with', noise), h('label', {class: 'row tight'}, classics, 'and six classics'),
      button('Close the room', () => confirm(`Close the room ${room.code}? Names and strategies are deleted, games stay.`, 'Close the room', async () => {
        if (await post(roomPath(this.code, '/close'), {key: this.key}).catch((problem) => { this.error.show(problem); })) location.hash = '#/class';
      })))];
  }

  show(room) {
    const first = !this.room;
    this.room = room;
    renew(this.head, [room.title, room.code, room.game, room.you?.name, room.teacher], () => [h('h1', null, room.title),
      h('p', {class: 'lead'}, 'Code ', h('strong', {class: 'room-code'}, room.code), `, ${gameTitle(room.game)}. `,
        room.teacher ? ['You opened this room. Write the code on the board, or give this link to the students: ', h('a', {href: `#/class/${room.code}`}, `${location.href.split('#')[0]}#/class/${room.code}`), '.'] : room.you ? `You are ${room.you.name}.` : 'You look on.')]);
    renew(this.tools, [room.teacher, room.you?.name], () => room.teacher ? this.#teacherTools(room) : room.you ? this.#studentTools(room) : [joinForm(room.code)]);
    const boards = [...room.boards].reverse();
    for (const board of boards) if (!this.cards.has(board.id)) this.cards.set(board.id, new BoardCard(board));
    renew(this.boards, boards.map((board) => board.id), () => boards.length ? boards.map((board) => this.cards.get(board.id).element)
      : h('p', {class: 'note'}, room.teacher ? 'No boards yet. "Pair the class" opens some as soon as two students are here.' : 'No boards yet. Open one.'));
    for (const board of boards) this.cards.get(board.id).show(board, (one) => this.#actions(one));
    renew(this.members, [room.members, room.teacher], () => room.members.length ? h('ul', {class: 'trainings'}, room.members.map((member) => h('li', null, member.name,
      member.entered ? h('span', {class: 'note'}, ' has entered a strategy ') : ' ',
      room.teacher ? button('Dismiss', () => this.act('dismiss', {name: member.name}), {kind: 'link', title: `Take ${member.name} out of the room`}) : null)))
      : h('p', {class: 'note'}, 'Nobody has joined yet.'));
    if (first) {
      if (room.you) {
        const form = new StrategyForm(async (strategy) => {
          await post(roomPath(this.code, '/strategy'), {key: this.key, ...strategy});
          await this.refresh();
        });
        if (room.you.strategy) form.show(room.you.strategy);
        set(this.strategy, form.element);
      } else set(this.strategy, h('p', null, 'Each student enters a strategy for the repeated prisoner’s dilemma; every strategy then meets every other one.'));
    }
    this.outcome.show(room.tournament, roomPath(this.code, '/tournament.csv'));
  }
}

export default {
  title: 'Class',
  async show(place, [code]) {
    if (!code || brought.worker) return showDoor(place);
    const room = new RoomView(code.toUpperCase());
    place.append(room.element);
    await room.refresh();
    return room;
  },
};
