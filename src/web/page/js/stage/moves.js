// The move list: numbered, each move a button that shows the position after it; arrow keys walk it.
import {h, set, button} from '../dom.js';
import {plainMove} from '../names.js';

export class MoveList {
  /** go(ply): show the position after this number of plies; null: the current position. */
  constructor(go) {
    this.go = go;
    this.list = h('ol', {class: 'moves', 'aria-label': 'Moves'});
    this.first = button('«', () => go(0), {title: 'To the start ({)'});
    this.back = button('‹', () => go(this.at - 1), {title: 'One move back ([)'});
    this.forth = button('›', () => go(this.at + 1), {title: 'One move on (])'});
    this.last = button('»', () => go(null), {title: 'To the last move (})'});
    this.element = h('section', {class: 'move-list', 'aria-label': 'Move list'},
      h('div', {class: 'row tight'}, h('h2', null, 'Moves'), this.first, this.back, this.forth, this.last), this.list);
    this.list.addEventListener('keydown', (event) => {
      const by = {ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1}[event.key];
      if (!by) return;
      event.preventDefault();
      event.stopPropagation();
      go(this.at + by);
      this.list.querySelector('[aria-current=true]')?.focus();
    });
    this.rows = [];
    this.texts = '';
  }

  /** history: rows {text, role}; at: how many plies are shown; now: how many the game has. */
  show(history, at, now, roles) {
    this.at = at;
    const texts = history.map((row) => row.text).join('\n');
    if (texts !== this.texts || this.roles !== roles.length) this.#build(history, roles);
    this.texts = texts;
    this.roles = roles.length;
    this.rows.forEach((one, i) => {
      one.setAttribute('aria-current', String(i + 1 === at));
      one.classList.toggle('undone', i + 1 > now);
    });
    const current = this.rows[at - 1];
    if (current) this.list.scrollTop = Math.max(0, current.offsetTop - this.list.clientHeight / 2);
    else if (this.rows.length) this.list.scrollTop = 0; // with nothing to scroll, asking would only make the browser lay out the page
    this.first.disabled = this.back.disabled = at === 0;
    this.forth.disabled = this.last.disabled = at >= now;
  }

  #build(history, roles) {
    this.rows = history.map((row, i) => button(plainMove(row.text), () => this.go(i + 1), {kind: 'move link'}));
    const pairs = [];
    const paired = roles.length === 2 && history.every((row) => row.role === 0 || row.role === 1);
    for (let i = 0; i < history.length;) {
      // A new line for each turn of the first role, whether turns are single moves or chains of them.
      const from = i++;
      while (paired && i < history.length && !(history[i].role === history[from].role && history[i - 1].role !== history[from].role)) i++;
      pairs.push(h('li', null, this.rows.slice(from, i)));
    }
    set(this.list, pairs.length ? pairs : h('li', {class: 'none'}, 'No moves yet.'));
  }
}
