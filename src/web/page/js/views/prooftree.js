// A proof to step through: every try, its answer, and so on. Each move is a button that shows the position after it; arrow keys
// walk: right to the first reply, left back, up and down through what is shown.
import {h, set, capital} from '../dom.js';

export class ProofTree {
  /** show(path): the moves that lead to the chosen node are wanted on the board; [] is before all. */
  constructor(show) {
    this.show = show;
    this.element = h('div', {class: 'proof', hidden: true, on: {keydown: (event) => this.#key(event)}});
  }

  clear() {
    this.element.hidden = true;
    this.buttons = [];
    set(this.element);
  }

  /** proof: {text, tree, ...}; mover: who moves first in it; roles: names; ends: the word for a branch that is decided. */
  fill(proof, mover, roles, ends) {
    this.buttons = [];
    const list = (rows, role, path) => h('ul', null, rows.map((row) => {
      const here = [...path, row.move], note = row.ended ? ends : row.open ? 'and so on' : '';
      const one = h('button', {type: 'button', class: 'link move-text', on: {click: () => this.#choose(one)}}, `${capital(roles[role])} ${row.move}`);
      one.path = here;
      this.buttons.push(one);
      return h('li', null, one, note ? h('span', {class: 'note'}, note) : null, row.replies.length ? list(row.replies, 1 - role, here) : null);
    }));
    const first = h('button', {type: 'button', class: 'link', on: {click: () => this.#choose(first)}}, 'Before the first move');
    first.path = [];
    this.buttons.push(first);
    set(this.element, h('h2', null, 'Proof'), h('p', null, proof.text),
      proof.tree.length ? h('div', {class: 'tree', role: 'group', 'aria-label': 'Proof, move by move'}, first, list(proof.tree, mover, [])) : null);
    this.element.hidden = false;
    this.#mark(first);
  }

  #mark(chosen) {
    for (const one of this.buttons) one.setAttribute('aria-current', String(one === chosen));
  }

  #choose(one) {
    this.#mark(one);
    one.focus();
    this.show(one.path);
  }

  #key(event) {
    const at = this.buttons.indexOf(document.activeElement);
    if (at < 0) return;
    const {path} = this.buttons[at];
    const parent = this.buttons.find((one) => one.path.length === path.length - 1 && path.slice(0, -1).every((move, i) => one.path[i] === move));
    const reply = this.buttons[at + 1]?.path.length > path.length ? this.buttons[at + 1] : null;
    const to = {ArrowUp: this.buttons[at - 1], ArrowDown: this.buttons[at + 1], ArrowRight: reply, ArrowLeft: parent}[event.key];
    if (!event.key.startsWith('Arrow')) return;
    event.preventDefault();
    event.stopPropagation();
    if (to) this.#choose(to);
  }
}
