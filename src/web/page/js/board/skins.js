// What is special about the board of a game: its background, its men, their names, and how a position is written. A
// game without a skin gets squares and letters. Men differ in outline as well as in fill, so that colours are not needed.
import {s} from '../dom.js';
import {CELL, rows} from './geometry.js';
import {manOf} from './men.js';

const disc = (kind, radius, ...more) => [s('circle', {class: kind, r: radius}), ...more];
const ring = (radius, kind = 'engraved') => s('circle', {class: kind, r: radius});

// A dark man has a smooth edge and one groove, a light one a milled edge and two.
const dark = () => disc('man dark', 36, ring(24));
const light = () => [s('circle', {class: 'man light', r: 33.5}), s('circle', {class: 'milled', r: 35}), ring(25), ring(15)];
const crown = (kind) => s('path', {class: `crown ${kind}`, d: 'M-20 13 L-22 -11 L-10 0 L0 -17 L10 0 L22 -11 L20 13 Z'});
const darkKing = () => [...disc('man dark', 36), crown('on-dark')];
const lightKing = () => [s('circle', {class: 'man light', r: 33.5}), s('circle', {class: 'milled', r: 35}), crown('on-light')];

// Stones: a plain dark disc, and a light one with a second outline.
const darkStone = (radius) => () => disc('man dark', radius);
const lightStone = (radius) => () => disc('man light', radius, ring(radius - 8));

const cross = () => [s('path', {class: 'stroke first', d: 'M-26 -26 L26 26 M26 -26 L-26 26'})];
const nought = () => [s('circle', {class: 'stroke second', r: 28})];

const ball = () => [s('circle', {class: 'ball', r: 40}), s('path', {class: 'ball-mark', d: 'M0 -20 L19 -6 L12 16 L-12 16 L-19 -6 Z'})];
const footballer = () => disc('man dark', 30);

const line = (x1, y1, x2, y2, kind = 'line') => s('line', {class: kind, x1, y1, x2, y2});

/* ---- grounds: what lies under the men; coordinates in cells from the top left corner of the first cell ---- */

/** Squares; those that are cells are dark if the others are no cells (draughts), else all are alike. Two elements, however many squares. */
function squares({width, height, left, top}, cells) {
  const lines = (count, path) => Array.from({length: count - 1}, (_, i) => path((i + 1) * CELL)).join('');
  return [s('rect', {class: 'square', x: 0, y: 0, width: width * CELL, height: height * CELL}),
    cells.length < width * height
      ? s('path', {class: 'square dark', d: cells.map(({x, y}) => `M${(x - left) * CELL} ${(y - top) * CELL}h${CELL}v${CELL}h${-CELL}z`).join('')})
      : s('path', {class: 'square', d: lines(width, (x) => `M${x} 0v${height * CELL}`) + lines(height, (y) => `M0 ${y}h${width * CELL}`)})];
}

function othelloGround(box, cells) {
  const marks = box.width === 8 ? [[2, 2], [6, 2], [2, 6], [6, 6]] : [];
  return [...squares(box, cells), marks.map(([x, y]) => s('circle', {class: 'star', cx: x * CELL, cy: y * CELL, r: 5}))];
}

/** Lines through the middles of cells: Go, Phutball. */
function lattice(box, stars = [], goals = false) {
  const list = [s('rect', {class: 'ground', x: 0, y: 0, width: box.width * CELL, height: box.height * CELL})];
  const middle = (i) => (i + 0.5) * CELL;
  if (goals) for (const y of [0, box.height - 1])
    list.push(s('rect', {class: 'goal', x: 0, y: y * CELL, width: box.width * CELL, height: CELL}));
  for (let x = 0; x < box.width; x++) list.push(line(middle(x), middle(0), middle(x), middle(box.height - 1)));
  for (let y = 0; y < box.height; y++) list.push(line(middle(0), middle(y), middle(box.width - 1), middle(y)));
  for (const [x, y] of stars) list.push(s('circle', {class: 'star', cx: middle(x), cy: middle(y), r: 9}));
  return list;
}

function goGround(box) {
  const edge = box.width >= 13 ? 3 : 2, far = box.width - 1 - edge, centre = (box.width - 1) / 2;
  const stars = [];
  if (box.width >= 7) for (const x of [edge, far]) for (const y of [edge, far]) stars.push([x, y]);
  if (box.width % 2 && box.width >= 5) stars.push([centre, centre]);
  if (box.width >= 15 && box.width % 2) for (const at of [edge, far]) stars.push([at, centre], [centre, at]);
  return lattice(box, stars);
}

/** Squares inside each other, joined at the middles of their sides. */
function morrisGround(box, cells) {
  const size = box.width, centre = size / 2, rings = (size - 1) / 2;
  const list = [s('rect', {class: 'ground', x: 0, y: 0, width: size * CELL, height: size * CELL})];
  for (let r = 0; r < rings; r++)
    list.push(s('rect', {class: 'line', x: (r + 0.5) * CELL, y: (r + 0.5) * CELL, width: (size - 1 - 2 * r) * CELL,
      height: (size - 1 - 2 * r) * CELL}));
  const out = 0.5, inner = rings - 0.5;
  for (const [a, b] of [[out, inner], [size - out, size - inner]])
    list.push(line(centre * CELL, a * CELL, centre * CELL, b * CELL), line(a * CELL, centre * CELL, b * CELL, centre * CELL));
  for (const cell of cells)
    list.push(s('circle', {class: 'star', cx: (cell.x - box.left + 0.5) * CELL, cy: (cell.y - box.top + 0.5) * CELL, r: 7}));
  return list;
}

/** A hash: inner lines only. */
function hash(box) {
  const list = [s('rect', {class: 'ground', x: 0, y: 0, width: box.width * CELL, height: box.height * CELL})];
  for (let i = 1; i < box.width; i++) list.push(line(i * CELL, 8, i * CELL, box.height * CELL - 8, 'line thick'));
  for (let i = 1; i < box.height; i++) list.push(line(8, i * CELL, box.width * CELL - 8, i * CELL, 'line thick'));
  return list;
}

/* ---- positions in the game's own notation, for those who set one up ---- */

const inRows = (cells, letters, between = '/') =>
  rows(cells).map((row) => row.map((index) => letters[index]).join('')).join(between);

function draughtsText(cells, letters, mover) {
  const list = (man, king) => letters.map((letter, i) =>
    letter === man ? cells[i].name : letter === king ? `K${cells[i].name}` : null).filter(Boolean).join(',');
  return `${mover === 0 ? 'B' : 'W'}:W${list('w', 'W')}:B${list('b', 'B')}`;
}

/* ---- Phutball names a jump by its direction: its path is worked out here ---- */

const COMPASS = {N: [0, -1], NE: [1, -1], E: [1, 0], SE: [1, 1], S: [0, 1], SW: [-1, 1], W: [-1, 0], NW: [-1, -1]};

function jumpPath(move, cells, letters) {
  const way = COMPASS[move.move];
  const from = letters.indexOf('*');
  if (!way || from < 0) return move.path;
  const at = new Map(cells.map((cell, index) => [`${cell.x},${cell.y}`, index]));
  let {x, y} = cells[from];
  for (;;) {
    x += way[0];
    y += way[1];
    const next = at.get(`${x},${y}`);
    if (next === undefined) return []; // over the goal line
    if (letters[next] !== 'o') return [from, next];
  }
}

/** What a move's path means: where it begins and ends, and what is taken beside (a morris man after x). */
const plainEnds = ({path}) => ({from: path[0], to: path.at(-1)});
function morrisEnds({path, text}) {
  if (!/x/.test(text)) return plainEnds({path});
  return {from: path[0], to: path.at(-2), taken: path.at(-1)};
}

const stones = (radius, names) => ({
  [names[0]]: {draw: darkStone(radius), name: 'black'}, [names[1]]: {draw: lightStone(radius), name: 'white'}});

const SKINS = {
  checkers: {
    title: 'Draughts', ground: squares, numbers: {x: -45, y: -31}, turns: true,
    men: {
      b: {draw: dark, name: 'black man'}, w: {draw: light, name: 'white man'},
      B: {draw: darkKing, name: 'black king'}, W: {draw: lightKing, name: 'white king'},
    },
    icons: ['b', 'w'], write: draughtsText,
  },
  othello: {
    title: 'Othello', ground: othelloGround, men: stones(40, 'XO'), icons: ['X', 'O'],
    write: (cells, letters, mover) => `${inRows(cells, letters, '')} ${'XO'[mover]}`,
  },
  go: {
    title: 'Go', ground: goGround, men: stones(46, 'xo'), icons: ['x', 'o'],
    write: (cells, letters, mover) => `${inRows(cells, letters)} ${'bw'[mover]} - 0`,
  },
  morris: {
    title: 'Morris', ground: morrisGround, men: {W: {draw: lightStone(34), name: 'white'}, B: {draw: darkStone(34), name: 'black'}},
    icons: ['W', 'B'], numbers: {x: -25, y: -27, 'text-anchor': 'end'}, ends: morrisEnds,
    write: (cells, letters, mover, before) =>
      `${inRows(cells, letters)} ${'wb'[mover]}${/ (\d+)$/.exec(before ?? '')?.[0] ?? ''}`,
  },
  fives: {
    title: 'Fives', ground: squares, men: {x: {draw: cross, name: 'cross'}, o: {draw: nought, name: 'nought'}}, icons: ['x', 'o'],
    write: (cells, letters, mover) => `${inRows(cells, letters)} ${'xo'[mover]}`,
  },
  tictactoe: {
    title: 'Tic-tac-toe', ground: hash, men: {x: {draw: cross, name: 'cross'}, o: {draw: nought, name: 'nought'}}, icons: ['x', 'o'],
    write: (cells, letters, mover) => `${inRows(cells, letters)} ${'xo'[mover]}`,
  },
  phutball: {
    title: 'Phutball', ground: (box) => lattice(box, [], true), direct: true, path: jumpPath,
    men: {o: {draw: footballer, name: 'man'}, '*': {draw: ball, name: 'ball'}}, icons: [],
    write: (cells, letters, mover) => `${inRows(cells, letters)} ${'ns'[mover]} -`,
  },
  dilemma: {title: 'Prisoner’s dilemma', icons: []},
  matrix: {title: 'Matrix game', icons: []},
  publicgoods: {title: 'Public goods', icons: []},
  gdl: {title: 'Game description', icons: []},
};

const letterMan = (letter) => ({
  draw: () => [s('text', {class: 'letter', 'text-anchor': 'middle', dy: '0.35em'}, letter)], name: letter});

/** The skin of a game by its name; works for any game that has cells. */
export function skinOf(name) {
  const skin = SKINS[name] ?? {title: name, icons: []};
  return {
    ground: squares, men: {}, path: (move) => move.path, ends: plainEnds, turns: false, direct: false, numbers: null, ...skin,
    man(letter) { return this.men[letter] ?? letterMan(letter); },
  };
}

/** Built-in game descriptions that people can play: spec, title, number of seats, what it is. */
export const SHEETS = [
  ['gdl:connectfour', 'Connect four', 2, 'Four in a row; men fall to the lowest free place of a column.'],
  ['gdl:breakthrough', 'Breakthrough', 2, 'Men step forward and take diagonally. Reach the last row.'],
  ['gdl:hex5', 'Hex 5×5', 2, 'Join your two sides of the board.'],
  ['gdl:fours', 'Fours', 2, 'Four in a row on a board of six by six.'],
  ['gdl:othello6', 'Othello 6×6', 2, 'Othello on a small board, as a game description.'],
  ['gdl:eightpuzzle', 'Eight puzzle', 1, 'Slide the tiles into order within forty moves.'],
  ['gdl:lightsout', 'Lights out', 1, 'A press changes a light and its neighbours. Put all of them out.'],
  ['gdl:frogs', 'Frogs and toads', 1, 'Let both sides change places.'],
];
export const sheetOf = (spec) => SHEETS.find(([one]) => one === spec);

/** A small picture of a role's men, for headings. `name`: of the role, by which rules of a game's own may have a picture. */
export function icon(skin, role, name = '') {
  const letter = skin.icons[role], drawn = letter ? skin.man(letter).draw() : manOf(name);
  return drawn && s('svg', {class: 'icon', viewBox: '-50 -50 100 100', 'aria-hidden': 'true'}, drawn);
}

/** The cells' letters from what the server sends (numbers of symbols, or letters). */
export const lettersOf = (board, cells) => cells.map((cell) => typeof cell === 'number' ? board.symbols[cell] : cell);
