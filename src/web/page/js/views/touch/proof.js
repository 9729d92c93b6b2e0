// Widening: a capture to be found. Any move may be tried, and the proof of what becomes of it is stepped through.
import {h, set, button, errorLine} from '../../dom.js';
import {once} from '../../api.js';
import {exerciseOf} from '../exercises.js';

export class ProofToTouch {
  constructor() {
    this.error = errorLine();
    this.place = h('div');
    this.element = h('div', {class: 'stack'}, this.error.element, this.place, h('div', {class: 'row tight'}, button('Another position', () => this.#show(this.at + 1))));
    this.#show(0);
  }

  async #show(at) {
    try {
      // Small boards with something to try, the easy ones first.
      const rows = await once('/api/problems'), small = rows.filter((row) => row.size === 9 && row.kind === 'attack');
      const exercise = await exerciseOf(rows, small[at % small.length].id, {bare: true});
      if (this.closed) return;
      this.at = at;
      set(this.place, exercise.element);
      this.error.clear();
    } catch (problem) { this.error.show(problem); }
  }

  close() { this.closed = true; }
}
