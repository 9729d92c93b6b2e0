// A board as a picture that is also an ARIA grid: one focusable cell at a time, arrow keys walk, Enter picks; a click and
// a drag do the same. The skin draws; the picker knows which cells make a move.
import {s, set, announce, stillness, score} from '../dom.js';
import {CELL, coordinates, layout, rows, step} from './geometry.js';
import {Picker} from './picker.js';
import {lettersOf, skinOf} from './skins.js';

const SLIM = 14, SLIDE = 140; // room without coordinates; milliseconds a man takes
const FINGER = 26; // pixels of a cell that a finger hits without a second look

export class Board {
  /** game: the session's game; onMove(legal move); onCell(index) takes every pick while it is set; mini: a still picture, with coordinates if `edges`; flip:
   * seen from the other side, where the game's boards are turned. */
  constructor(game, {onMove, mini = false, edges = !mini, label, flip = false} = {}) {
    this.game = game;
    this.cells = game.board.cells;
    this.skin = skinOf(game.name);
    this.onMove = onMove;
    this.onCell = null;
    this.mini = mini;
    this.edged = edges; // with coordinates
    this.focused = 0;
    this.flipped = flip && this.skin.turns;
    this.state = {letters: [], legal: [], last: null, hint: null, values: null, marks: []};
    this.picker = new Picker();
    this.label = label ?? `${this.skin.title} board`;
    this.element = mini ? s('svg', {class: 'board mini', role: 'img', 'aria-label': this.label})
      : s('svg', {class: 'board', role: 'grid', 'aria-label': this.label});
    this.#build();
    if (!mini) this.#listen();
  }

  /* ---- what is shown ---- */

  /** {cells, legal, last: {path, text}, hint: {path, text}, values, marks: cells with a triangle, label}; legal only where a person may move. */
  show({cells, legal = [], last = null, hint = null, values = null, marks = [], won = null, label}) {
    const letters = lettersOf(this.game.board, cells);
    const complete = (move) => ({...move, text: move.text ?? move.move, path: this.skin.path(move, this.cells, letters)});
    const before = this.state.letters;
    if (before?.join() !== letters.join()) this.armed = null;
    this.state = {letters, last, values, marks, won, legal: legal.map(complete), hint: hint && complete({move: hint.text, ...hint})};
    // The same moves again (another seat's news, a value that came in): what was picked halfway stays picked.
    const picked = this.picker?.prefix ?? [], offered = (picker) => [...picker.legal, ...picker.bare].map((move) => move.move).join(' ');
    const picker = new Picker(this.state.legal, {direct: this.skin.direct});
    if (this.picker && before.join() === letters.join() && offered(this.picker) === offered(picker)) picker.prefix = picked;
    this.picker = picker;
    if (label) this.element.setAttribute('aria-label', label);
    this.#draw();
    if (before.length && last && !stillness()) this.#slide(before);
  }

  /** Shows part of a board, row by row as in the game's notation, # where anything may stand; false if the text does not fit this board. */
  pattern(text) {
    const order = rows(this.cells).flat(), letters = [...text.replaceAll('/', '')], [blank] = this.game.board.symbols;
    if (letters.length !== order.length || letters.some((letter) => letter !== '#' && !this.game.board.symbols.includes(letter))) return false;
    const at = new Map(order.map((index, i) => [index, letters[i]]));
    this.show({cells: this.cells.map((_, index) => at.get(index) === '#' ? blank : at.get(index))});
    for (const [index, letter] of at) this.parts[index].group.classList.toggle('veiled', letter === '#');
    return true;
  }

  /** Moves without a cell: pass, stop, a jump off the board. */
  get bare() { return this.picker.bare; }

  flip(flipped) {
    if (!this.skin.turns || flipped === this.flipped) return;
    this.flipped = flipped;
    this.#build();
    this.#draw();
  }

  focus() { this.cellElements[this.focused].focus(); }

  /** Forgets what has been picked so far. */
  unpick() {
    if (!this.picker.prefix.length) return false;
    this.picker.clear();
    this.#marks();
    return true;
  }

  /* ---- building ---- */

  #place(cell) {
    const {left, top, width, height} = this.box;
    const x = cell.x - left, y = cell.y - top;
    return this.flipped ? [width - 1 - x, height - 1 - y] : [x, y];
  }

  #build() {
    const box = this.box = layout(this.cells), edges = coordinates(this.cells);
    this.places = this.cells.map((cell) => this.#place(cell));
    // Coordinates are as large on every board: their size follows the board's, not the cell's.
    this.edge = 46 * Math.max(box.width, box.height) / 8;
    const pad = edges && this.edged ? this.edge : SLIM, width = box.width * CELL, height = box.height * CELL;
    this.element.setAttribute('viewBox', `${-pad} ${-pad} ${width + 2 * pad} ${height + 2 * pad}`);
    const ground = s('g', {'aria-hidden': 'true', class: 'ground-layer'}, this.skin.ground(box, this.cells));
    if (this.flipped) ground.setAttribute('transform', `rotate(180 ${width / 2} ${height / 2})`);
    this.cellElements = [];
    const blank = this.#blank();
    this.parts = this.cells.map((cell, index) => this.#cell(blank, cell, index));
    const grid = rows(this.cells.map((cell, index) => ({...cell, x: this.places[index][0], y: this.places[index][1]})))
      .map((list) => s('g', {role: this.mini ? null : 'row'}, list.map((index) => this.parts[index].group)));
    this.over = s('g', {'aria-hidden': 'true', class: 'over'});
    this.hand = s('g', {'aria-hidden': 'true', class: 'over'}); // the piece that is being dragged
    set(this.element, ground, edges && this.edged ? this.#edges(edges, width, height) : null, grid, this.over, this.hand);
  }

  /** All cells are clones of one: cloning is faster than building each. */
  #blank() {
    return s('g', {class: 'cell', role: this.mini ? null : 'gridcell', tabindex: this.mini ? null : '-1'},
      s('rect', {class: 'hit', x: -CELL / 2, y: -CELL / 2, width: CELL, height: CELL}),
      s('g', {class: 'piece'}), s('g', {class: 'mark'}),
      s('rect', {class: 'focus', x: -46, y: -46, width: 92, height: 92, rx: 8}));
  }

  #cell(blank, cell, index) {
    const [x, y] = this.places[index], group = blank.cloneNode(true), [hit, man, mark] = group.children;
    group.setAttribute('transform', `translate(${(x + 0.5) * CELL} ${(y + 0.5) * CELL})`);
    group.dataset.cell = index;
    if (!this.mini && index === this.focused) group.setAttribute('tabindex', '0');
    if (this.skin.numbers && this.edged && /^\d+$/.test(cell.name))
      hit.after(s('text', {class: 'number', ...this.skin.numbers, 'aria-hidden': 'true'}, cell.name));
    this.cellElements.push(group);
    return {group, man, mark, letter: null, marked: '', name: null};
  }

  #edges({columns, lines}, width, height) {
    const edge = this.edge / 2;
    const text = (x, y, label) => s('text', {class: 'coordinate', 'font-size': this.edge * 0.6, x, y, 'text-anchor': 'middle', dy: '0.35em'}, label);
    const list = [];
    for (const [x, label] of columns) {
      const at = (x - this.box.left + 0.5) * CELL;
      list.push(text(at, height + edge, label), text(at, -edge, label));
    }
    for (const [y, label] of lines) {
      const at = (y - this.box.top + 0.5) * CELL;
      list.push(text(-edge, at, label), text(width + edge, at, label));
    }
    return s('g', {'aria-hidden': 'true'}, list);
  }

  /* ---- drawing ---- */

  #isEmpty(letter) { return letter === this.game.board.symbols[0]; }

  #draw() {
    this.state.letters.forEach((letter, index) => {
      const part = this.parts[index];
      if (part.letter === letter) return;
      part.letter = letter;
      set(part.man, this.#isEmpty(letter) ? null : this.skin.man(letter).draw());
    });
    this.#overlay();
    this.#marks();
  }

  #centre(index) { return this.places[index].map((value) => (value + 0.5) * CELL); }

  #overlay() {
    const {last, hint, marks} = this.state, list = [];
    for (const index of marks) {
      const [x, y] = this.#centre(index);
      list.push(s('path', {class: 'aim', d: `M${x} ${y - 26} l24 40 h-48 z`}));
    }
    if (last?.path?.length) {
      const {from, to, taken} = this.skin.ends({path: last.path, text: last.text ?? ''});
      const [x, y] = this.#centre(to);
      list.push(s('circle', {class: 'ring', cx: x, cy: y, r: 45}));
      if (from !== to) list.push(s('circle', {class: 'ring from', cx: this.#centre(from)[0], cy: this.#centre(from)[1], r: 18}));
      if (taken !== undefined && taken !== to) {
        const [tx, ty] = this.#centre(taken);
        list.push(s('path', {class: 'taken', d: `M${tx - 18} ${ty - 18} l36 36 m0 -36 l-36 36`}));
      }
    }
    if (this.armed !== null && this.armed !== undefined) {
      const [x, y] = this.#centre(this.armed);
      list.push(s('path', {class: 'armed', d: `M${x - 150} ${y} h300 M${x} ${y - 150} v300`}), s('circle', {class: 'armed', cx: x, cy: y, r: 60}));
    }
    if (this.state.won) {
      const [[x1, y1], [x2, y2]] = [this.#centre(this.state.won[0]), this.#centre(this.state.won.at(-1))];
      list.push(s('line', {class: 'won', x1, y1, x2, y2}));
    }
    if (hint?.path?.length) list.push(this.#arrow(this.skin.ends({path: hint.path, text: hint.text ?? ''})));
    set(this.over, list);
  }

  /** From cell to cell; into a cell from its upper right where the move has only one. */
  #arrow({from, to}) {
    const [x2, y2] = this.#centre(to);
    let [x1, y1] = this.#centre(from);
    if (from === to) { x1 = x2 + 70; y1 = y2 - 70; }
    const length = Math.hypot(x2 - x1, y2 - y1), ux = (x2 - x1) / length, uy = (y2 - y1) / length;
    const tip = from === to ? 12 : 6, tx = x2 - ux * tip, ty = y2 - uy * tip, bx = tx - ux * 36, by = ty - uy * 36;
    return s('g', {class: 'arrow'},
      s('line', {x1: x1 + ux * (from === to ? 0 : 14), y1: y1 + uy * (from === to ? 0 : 14), x2: bx, y2: by}),
      s('polygon', {points: `${tx},${ty} ${bx - uy * 20},${by + ux * 20} ${bx + uy * 20},${by - ux * 20}`}));
  }

  /** Dots, picked cells, values and labels. Where nearly every free cell is a move, dots would only look like stars of the board. */
  #marks() {
    const {letters, last, values} = this.state, {picker} = this;
    const targets = this.onCell ? new Set() : picker.targets(), begun = picker.prefix.length > 0;
    const free = letters.filter((letter) => this.#isEmpty(letter)).length, anywhere = targets.size > 20 && targets.size > 0.9 * free;
    const shown = values ? this.#values(values) : null;
    this.parts.forEach((part, index) => {
      const empty = this.#isEmpty(letters[index]), target = targets.has(index), picked = picker.prefix.includes(index);
      const value = shown?.get(index);
      if (!this.mini) {
        const name = this.#name(index, {empty, target, picked, last, value});
        if (part.name !== name) part.group.setAttribute('aria-label', part.name = name);
      }
      const marked = target || picked || value ? JSON.stringify([target, picked, empty, begun, anywhere, value]) : '';
      if (part.marked === marked) return;
      part.marked = marked;
      part.group.setAttribute('class', `cell${target ? ' target' : ''}${picked ? ' picked' : ''}`);
      set(part.mark,
        picked ? s('circle', {class: 'pick', r: 45}) : null,
        target && !value ? (empty ? anywhere ? null : s('circle', {class: 'dot', r: 13 * Math.min(1, Math.max(0.6, this.box.width / 8))})
          : begun ? s('circle', {class: 'prey', r: 43}) : s('circle', {class: 'movable', r: 41})) : null,
        value ? s('g', {class: value.best ? 'value best' : 'value', transform: empty ? null : 'translate(0 30)'},
          s('rect', {x: -44, y: -18, width: 88, height: 36, rx: 8}),
          s('text', {'text-anchor': 'middle', dy: '0.35em'}, value.text)) : null);
    });
  }

  #name(index, {empty, target, picked, last, value}) {
    const words = [this.cells[index].name, empty ? 'empty' : this.skin.man(this.state.letters[index]).name];
    if (picked) words.push('picked');
    else if (target) words.push(empty ? 'can be picked' : this.picker.prefix.length ? 'can be taken' : 'can move');
    if (last?.path?.includes(index)) words.push('last move');
    if (this.state.marks.includes(index)) words.push('marked');
    if (value) words.push(`worth ${value.text}`);
    return words.join(', ');
  }

  /** The value shown in each cell: of the best move that begins there, or that goes there from the picked cells. */
  #values(values) {
    const {prefix} = this.picker, at = new Map();
    let best = -Infinity;
    for (const move of this.state.legal) {
      const value = values[move.text ?? move.move];
      if (!value || !move.path.length || !prefix.every((cell, i) => move.path[i] === cell)) continue;
      const cell = move.path[Math.min(prefix.length, move.path.length - 1)];
      best = Math.max(best, value.score);
      if (!at.has(cell) || at.get(cell).score < value.score) at.set(cell, {score: value.score, text: value.chance === undefined ? score(value.score) : `${Math.round(100 * value.chance)}%`});
    }
    for (const value of at.values()) value.best = value.score === best;
    return at;
  }

  #slide(before) {
    const {from, to} = this.skin.ends({path: this.state.last.path ?? [], text: this.state.last.text ?? ''});
    if (from === undefined || from === to || this.#isEmpty(before[from]) || this.#isEmpty(this.state.letters[to])) return;
    if (!this.#isEmpty(before[to])) return;
    const [x1, y1] = this.#centre(from), [x2, y2] = this.#centre(to);
    this.parts[to].man.animate([{transform: `translate(${x1 - x2}px, ${y1 - y2}px)`}, {transform: 'none'}],
      {duration: SLIDE, easing: 'ease-out'});
  }

  /* ---- people ---- */

  #pick(index) {
    if (this.onCell) { this.onCell(index); return; }
    const picked = this.picker.pick(index);
    if (picked?.move) { this.#marks(); this.onMove?.(picked.move); }
    else if (picked) this.#marks();
  }

  #move(index) {
    this.cellElements[this.focused].setAttribute('tabindex', '-1');
    this.focused = index;
    this.cellElements[index].setAttribute('tabindex', '0');
    this.cellElements[index].focus({preventScroll: true});
  }

  /** A finger covers several cells of a large board: the first tap aims, a second one near it plays there. */
  #tap(cell, touch) {
    const width = this.cellElements[cell].querySelector('.hit').getBoundingClientRect().width * (visualViewport?.scale ?? 1);
    if (!touch || width >= FINGER) { this.#pick(cell); return; }
    const armed = this.armed ?? null, near = armed !== null && Math.hypot(this.places[armed][0] - this.places[cell][0], this.places[armed][1] - this.places[cell][1]) < 1.5;
    this.armed = near ? null : cell;
    this.#overlay();
    if (near) this.#pick(armed);
    else announce(`${this.cells[cell].name}: tap again to play there.`);
  }

  #listen() {
    const at = (event) => {
      const cell = document.elementFromPoint(event.clientX, event.clientY)?.closest?.('[data-cell]');
      return cell && this.element.contains(cell) ? Number(cell.dataset.cell) : null;
    };
    let drag = null;
    this.element.addEventListener('pointerdown', (event) => {
      if (event.button !== 0) return;
      const cell = at(event);
      if (cell === null) return;
      event.preventDefault();
      this.#move(cell);
      drag = {cell, x: event.clientX, y: event.clientY, moving: false, id: event.pointerId};
    });
    this.element.addEventListener('pointermove', (event) => {
      if (!drag || event.pointerId !== drag.id) return;
      if (!drag.moving && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > 6) {
        if (this.onCell || !this.picker.starts().has(drag.cell) || this.#isEmpty(this.state.letters[drag.cell])) return;
        drag.moving = true;
        this.element.setPointerCapture(drag.id);
        if (this.picker.prefix.at(-1) !== drag.cell) { this.picker.clear(); this.#pick(drag.cell); }
        drag.ghost = s('g', {class: 'piece ghost'}, this.parts[drag.cell].man.cloneNode(true));
        this.hand.append(drag.ghost);
        this.parts[drag.cell].man.setAttribute('class', 'piece away');
      }
      if (!drag.moving) return;
      const scale = this.element.getScreenCTM().a, [x, y] = this.#centre(drag.cell);
      drag.ghost.setAttribute('transform',
        `translate(${x + (event.clientX - drag.x) / scale} ${y + (event.clientY - drag.y) / scale})`);
    });
    const drop = (event) => {
      if (!drag || event.pointerId !== drag.id) return;
      const {cell, moving, ghost} = drag;
      drag = null;
      ghost?.remove();
      this.parts[cell].man.setAttribute('class', 'piece');
      if (event.type === 'pointercancel') return;
      const to = at(event);
      if (!moving) { if (to === cell) this.#tap(cell, event.pointerType === 'touch'); }
      else if (to !== null && to !== cell && this.picker.prefix.length) { this.#move(to); this.#pick(to); }
    };
    this.element.addEventListener('pointerup', drop);
    this.element.addEventListener('pointercancel', drop);
    this.element.addEventListener('keydown', (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === 'Enter' || event.key === ' ') this.#pick(this.focused);
      else if (event.key === 'Escape' && this.unpick()) { /* taken back */ }
      else if (/^(Arrow|Home$|End$)/.test(event.key)) this.#move(step(this.places, this.focused, event.key));
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
  }
}
