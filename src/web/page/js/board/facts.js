// A game that is known by its rules only: its state as facts, by relation. A relation that looks like a board (two
// coordinates and a content, most places filled) is shown as a grid; moves are buttons, and where a move names a
// place of such a grid and nothing else can be meant, the place is a button too.
import {h, renew, score} from '../dom.js';
import {fromDrawing, fromPlaces, fromRow, placesOf} from './drawn.js';
import {manPicture} from './men.js';

/** "(cell 1 1 free) (control x) done" -> [['cell','1','1','free'], ['control','x'], ['done']] */
export function parseTerms(text) {
  const words = text.match(/[()]|[^\s()]+/g) ?? [];
  let at = 0;
  function term() {
    const word = words[at++];
    if (word !== '(') return word;
    const list = [];
    while (at < words.length && words[at] !== ')') list.push(term());
    at++;
    return list;
  }
  const terms = [];
  while (at < words.length) {
    const next = term();
    if (next !== ')') terms.push(Array.isArray(next) ? next : [next]);
  }
  return terms;
}

export const termText = (term) => Array.isArray(term) ? `(${term.map(termText).join(' ')})` : term;

/** How a term is said: "mark 1 1". */
const spoken = (term) => Array.isArray(term) ? term.map(termText).join(' ') : term;

function byRelation(terms) {
  const relations = new Map();
  for (const [name, ...rest] of terms) {
    const key = typeof name === 'string' ? name : termText(name);
    if (!relations.has(key)) relations.set(key, []);
    relations.get(key).push(rest);
  }
  return relations;
}

const order = (a, b) => a.localeCompare(b, 'en', {numeric: true});

/** {columns, lines, at} if these facts fill a grid of at least 2x2 by half, one content a place; else null. */
export function asGrid(facts) {
  if (facts.length < 4 || facts.some((fact) => fact.length !== 3 || fact.some((word) => typeof word !== 'string'))) return null;
  const columns = [...new Set(facts.map((fact) => fact[0]))].sort(order), lines = [...new Set(facts.map((fact) => fact[1]))].sort(order);
  const at = new Map(facts.map((fact) => [`${fact[0]} ${fact[1]}`, fact[2]]));
  if (at.size !== facts.length || columns.length < 2 || lines.length < 2 || columns.length > 26 || lines.length > 26) return null;
  return at.size * 2 >= columns.length * lines.length ? {columns, lines, at} : null;
}

const HEXAGONAL = /^gdl:hex/; // built-in game descriptions whose cells have six neighbours
const BLANK = /^(b|blank|free|empty|none)$/i;

export class Facts {
  constructor(game, {onMove, mini = false, edges = !mini} = {}) {
    this.game = game;
    this.onMove = onMove;
    this.mini = mini;
    this.edged = edges; // with coordinates
    this.bare = [];
    this.picked = null; // the cell that a move begins with
    this.walk = ''; // the cell that the keyboard is on
    this.element = h('div', {class: 'facts', role: 'group', 'aria-label': 'State of the game', on: {keydown: (event) => this.#step(event)}});
  }

  show({position = '', drawing = '', legal = [], hint = null, values = null}) {
    if (this.position !== position) this.picked = null;
    this.position = position;
    this.shown = {position, drawing, legal, hint, values};
    this.#render();
  }

  #render() {
    const {position, drawing, legal, hint, values} = this.shown, before = document.activeElement;
    if (this.element.contains(before) && before.dataset.place) { this.walk = before.dataset.place; this.held = true; }
    renew(this.element, [this.shown, this.picked], () => this.#parts(position, drawing, legal, hint, values));
    this.#rove();
  }

  #places() { return [...this.element.querySelectorAll('.place[data-place]')]; }

  /** One cell at a time is in the order of tabs. Whoever was on the board stays there when it is drawn again. */
  #rove() {
    const places = this.#places(), here = places.find((one) => one.dataset.place === this.walk) ?? places[0], {activeElement} = document;
    for (const one of places) one.tabIndex = one === here ? 0 : -1;
    if (activeElement !== document.body && !this.element.contains(activeElement)) this.held = false;
    else if (this.held && here && activeElement === document.body) here.focus({preventScroll: true});
  }

  /** Arrow keys walk to the next cell where something can be done. */
  #step(event) {
    const way = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]}[event.key], from = event.target;
    if (!way || !from.dataset?.place) return;
    event.preventDefault();
    event.stopPropagation();
    const middle = (one) => { const {left, top, width, height} = one.getBoundingClientRect(); return [left + width / 2, top + height / 2]; }, [x, y] = middle(from);
    const ahead = this.#places().map((one) => { const [a, b] = middle(one), along = (a - x) * way[0] + (b - y) * way[1], aside = Math.abs((a - x) * way[1]) + Math.abs((b - y) * way[0]); return {one, along, cost: along + 3 * aside}; });
    const next = ahead.filter(({along}) => along > 4).sort((a, b) => a.cost - b.cost)[0]?.one;
    if (!next) return;
    this.walk = next.dataset.place;
    this.#rove();
    next.focus({preventScroll: true});
  }

  #parts(position, drawing, legal, hint, values) {
    const relations = byRelation(parseTerms(position));
    const moves = legal.map((move) => ({...move, term: parseTerms(move.move)[0] ?? [move.move]}));
    const square = [...relations].map(([name, facts]) => [name, fromPlaces(facts) ?? fromRow(facts)]).find(([, grid]) => grid);
    const board = square?.[1] ?? fromDrawing(drawing);
    if (board) return this.#drawn(board, relations, square?.[0], moves, hint, values);
    const parts = [...relations].map(([name, facts]) => {
      const grid = asGrid(facts);
      return grid ? this.#grid(name, grid, moves) : this.#list(name, facts);
    });
    return [parts.length ? parts : h('p', null, 'There are no facts in this state.'),
      this.mini || !moves.length ? null : this.#choices(moves, hint, values)];
  }

  /** A board with men; moves that name cells are made there, the others are buttons, and the rest of the facts unfolds. */
  #drawn(board, relations, own, moves, hint, values) {
    const played = this.mini ? [] : moves.map((move) => ({move, path: placesOf(move.term, board)}));
    const onBoard = played.filter(({path}) => path.length), bare = played.filter(({path}) => !path.length).map(({move}) => move);
    const {columns, lines, at} = board, contents = [...new Set([...this.game.roles, ...at.values()])];
    // A man that is dropped comes to rest on the lowest free cell of its column: that is where the dot belongs.
    const resting = new Set(columns.map((column) => `${column} ${lines.findLast((line) => !at.has(`${column} ${line}`))}`));
    const hinted = hint && placesOf(parseTerms(hint.text ?? '')[0], board).at(-1);
    const fits = (place) => this.picked ? onBoard.filter(({path}) => path.length === 2 && path[0][0] === this.picked && path[1][0] === place)
      : onBoard.filter(({path}) => path[0].includes(place));
    const begins = (place) => onBoard.some(({path}) => path.length === 2 && path[0][0] === place);
    const press = (place) => {
      const single = fits(place).filter(({path}) => path.length === (this.picked ? 2 : 1));
      if (single.length === 1) { this.picked = null; this.onMove?.(single[0].move); return; }
      this.picked = begins(place) && this.picked !== place ? place : null;
      this.#render();
    };
    const worth = (place) => {
      const found = fits(place).map(({move}) => values?.[move.move]).filter(Boolean).sort((a, b) => b.score - a.score)[0];
      return found && (found.chance === undefined ? found.score === 0 ? '=' : score(found.score) : `${Math.round(100 * found.chance)}%`);
    };
    const cell = (column, line) => {
      const place = `${column} ${line}`, content = at.get(place) ?? '', can = fits(place).length > 0 || begins(place);
      const inside = content && !BLANK.test(content) ? manPicture(content, contents.indexOf(content)) : null;
      const move = fits(place).length === 1 ? fits(place)[0].move : null, goal = fits(place).some(({path}) => path.at(-1).length === 1 || resting.has(place));
      const said = inside ? begins(place) || board.things ? worth(place) : null : goal ? worth(place) : null;
      const looks = {picked: this.picked === place, hinted: hinted?.includes(place), own: inside && (board.things ? fits(place).length > 0 : begins(place)), left: column === columns[0], right: column === columns.at(-1), top: line === lines[0], bottom: line === lines.at(-1)};
      return h('td', {class: Object.keys(looks).filter((one) => looks[one]).join(' ') || null}, can
        ? h('button', {type: 'button', class: 'place', 'aria-label': `${place}, ${content || 'empty'}${move ? `: ${spoken(move.term)}` : ''}${said ? `, worth ${said}` : ''}`, 'data-move': move?.move, 'data-place': place,
          on: {click: () => press(place)}}, inside ?? (said ? null : h('span', {class: goal ? 'can-go' : null, 'aria-hidden': 'true'})), said ? h('span', {class: 'worth', 'aria-hidden': 'true'}, said) : null)
        : h('div', {class: 'square'}, inside));
    };
    const rest = [...relations].filter(([name, facts]) => name !== own && !asGrid(facts) && !facts.every((fact) => fact.some((word) => columns.includes(word)) && fact.length > 1));
    // Bricks: each touches six others, as the cells of Hex do. A row lies half a brick to the right of the one below it.
    const bricks = HEXAGONAL.test(this.game.spec), wide = bricks ? 2 : null, gap = (count) => bricks && count ? h('td', {class: 'gap', colspan: count}) : null;
    const span = (element) => { if (wide) element.colSpan = wide; return element; };
    const named = this.edged && !board.things, across = columns.length + (bricks ? (lines.length - 1) / 2 : 0), down = bricks ? 0.866 * lines.length + 0.3 : lines.length;
    const table = h('table', {class: `fact-grid drawn${bricks ? ' bricks' : ''}${board.things ? ' tiles' : ''}`},
      h('caption', {class: 'unseen'}, 'The board'),
      named ? h('colgroup', null, h('col', {class: 'edge'})) : null,
      h('tbody', null, lines.map((line, i) => h('tr', null, named ? h('th', {scope: 'row'}, board.row ? '' : line) : null, gap(lines.length - 1 - i), columns.map((column) => span(cell(column, line))), gap(i)))),
      named ? h('tfoot', null, h('tr', null, h('td'), columns.map((column) => span(h('th', {scope: 'col'}, column))), gap(lines.length - 1))) : null);
    table.style.setProperty('--across', across);
    table.style.setProperty('--down', down);
    return [table, bare.length ? this.#choices(bare, hint, values) : null,
    this.mini || !rest.length ? null : h('details', null, h('summary', null, 'More about the position'), rest.map(([name, facts]) => this.#list(name, facts)))];
  }

  #list(name, facts) {
    const bare = facts.every((fact) => fact.length === 0);
    return h('section', null, h('h3', null, name),
      bare ? h('p', null, 'is true') : h('ul', {class: 'terms'}, facts.map((fact) => h('li', null, fact.map(termText).join(' ')))));
  }

  #grid(name, {columns, lines, at}, moves) {
    const meaning = (column, line) => {
      const fitting = moves.filter(({term}) => term.length >= 3 && term.at(-2) === column && term.at(-1) === line);
      return fitting.length === 1 ? fitting[0] : null;
    };
    const cell = (column, line) => {
      const content = at.get(`${column} ${line}`) ?? '', shown = BLANK.test(content) ? '·' : content;
      const move = this.mini ? null : meaning(column, line);
      return h('td', null, move
        ? h('button', {type: 'button', class: 'place', 'aria-label': `${column} ${line}, ${content}: ${spoken(move.term)}`,
          'data-move': move.move, on: {click: () => this.onMove?.(move)}}, shown)
        : shown);
    };
    return h('section', null, h('h3', null, name),
      h('table', {class: 'fact-grid'},
        h('caption', {class: 'unseen'}, `${name} by place`),
        h('thead', null, h('tr', null, h('td'), columns.map((column) => h('th', {scope: 'col'}, column)))),
        h('tbody', null, lines.map((line) => h('tr', null, h('th', {scope: 'row'}, line), columns.map((column) => cell(column, line)))))));
  }

  #choices(moves, hint, values) {
    const roles = [...new Set(moves.map((move) => move.role ?? 0))];
    return roles.map((role) => {
      const own = moves.filter((move) => (move.role ?? 0) === role), name = this.game.roles[role] ?? 'You';
      return h('div', {class: 'choices', role: 'group', 'aria-label': `Moves of ${name}`},
        h('p', null, `${name}: ${own.length === 1 ? 'one move' : `${own.length} moves`}`),
        own.map((move) => h('button', {
          type: 'button', class: hint?.text === move.move ? 'choice hinted' : 'choice',
          'data-move': move.move, on: {click: () => this.onMove?.(move)},
        }, spoken(move.term), values?.[move.move] ? h('span', {class: 'note'}, ` ${values[move.move].text ?? ''}`) : null)));
    });
  }

  flip() {}
  unpick() {
    if (!this.picked) return false;
    this.picked = null;
    this.#render();
    return true;
  }
  focus() { (this.#places().find((one) => one.tabIndex === 0) ?? this.element.querySelector('button'))?.focus(); }
}
