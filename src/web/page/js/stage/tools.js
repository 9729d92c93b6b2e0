// Below the board: typed moves, moves without a cell, and other actions.
import {h, renew, button, errorLine} from '../dom.js';

/** A box that opens above its button; closes when something in it is chosen, on Escape and on a click elsewhere. */
export function menu(label, items) {
  const box = h('details', {class: 'menu', on: {
    keydown(event) {
      if (event.key !== 'Escape' || !box.open) return;
      box.open = false;
      box.firstChild.focus();
      event.stopPropagation();
    },
    focusout(event) { if (!box.contains(event.relatedTarget) && event.relatedTarget) box.open = false; },
    click(event) { if (event.target.closest('.menu-items button')) box.open = false; },
  }}, h('summary', null, label), h('div', {class: 'menu-items'}, items));
  document.addEventListener('pointerdown', (event) => { if (!box.contains(event.target)) box.open = false; });
  return box;
}

export class MoveEntry {
  /** play(text) */
  constructor(play) {
    this.error = errorLine();
    this.error.element.id = 'move-error';
    this.input = h('input', {id: 'move', type: 'text', autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false', size: 8,
      'aria-describedby': 'move-error', on: {input: () => this.error.clear()}});
    this.bare = h('span', {class: 'bare row tight'});
    this.element = h('form', {class: 'entry', on: {submit: (event) => {
      event.preventDefault();
      const text = this.input.value.trim();
      if (text) play(text);
    }}}, h('label', {for: 'move'}, 'Move'), this.input, h('button', null, 'Play'), this.bare);
    this.play = play;
  }

  /** Moves without a cell as buttons: pass, stop, N. */
  show(moves, allowed) {
    this.input.disabled = !allowed;
    this.element.querySelector('button').disabled = !allowed;
    renew(this.bare, moves.map((move) => move.move), () => moves.map((move) => button(move.move, () => this.play(move.move), {kind: 'choice'})));
  }

  /** Clears the field after a move that was sent as `typed`; text typed since stays. Without `typed`: another game. */
  done(typed) {
    if (typed === undefined || this.input.value === typed) this.input.value = '';
    this.error.clear();
  }
}
