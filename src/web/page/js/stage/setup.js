// Setting up a position: pieces from a palette onto the board, or the position's own text; both show the same thing.
import {h, s, set, button, errorLine, field, capital} from '../dom.js';
import {framesOf} from '../board/boards.js';
import {lettersOf} from '../board/skins.js';

export class SetUp {
  /** board: the view; done(position) sends it and may fail; cancel() ends it. */
  constructor(session, board, {done, cancel}) {
    this.session = session;
    this.board = board;
    this.error = errorLine();
    this.mover = session.movers[0] ?? 0;
    this.drawable = Boolean(board.skin?.write);
    const symbols = session.game.board.symbols ?? '';
    this.letters = this.drawable ? lettersOf(session.game.board, session.cells) : [];
    this.chosen = symbols[1];
    this.text = h('textarea', {rows: 4, spellcheck: 'false', on: {
      input: () => { this.error.clear(); clearTimeout(this.timer); this.timer = setTimeout(() => this.#read(), 300); }}});
    this.text.value = session.position;
    this.element = h('section', {class: 'set-up', 'aria-label': 'Set up a position'},
      h('h2', null, 'Set up a position'),
      this.drawable ? h('p', null, 'Choose a piece and click on the board; click again to remove it. Or type the position.') : null,
      this.drawable ? h('div', {class: 'row', role: 'group', 'aria-label': 'Pieces'},
        [...symbols].map((letter, i) => this.#piece(letter, i)),
        button('Clear', () => this.#fill(() => symbols[0]))) : null,
      h('div', {class: 'row'}, field('To move', this.#movers())),
      field('Position', this.text), this.error.element,
      h('div', {class: 'row'}, button('Cancel', () => { this.close(); cancel(); }),
        button('Use this position', () => this.#use(done), {kind: 'strong'})));
    if (this.drawable) board.onCell = (index) => this.#put(index);
    if (this.drawable) board.show({cells: session.cells});
  }

  close() {
    clearTimeout(this.timer);
    this.board.onCell = null;
  }

  #movers() {
    const choice = h('select', {on: {change: (event) => { this.mover = Number(event.target.value); this.#write(); }}},
      this.session.game.roles.map((name, role) => h('option', {value: role, selected: role === this.mover}, name)));
    choice.disabled = !this.drawable;
    return choice;
  }

  #piece(letter, i) {
    const {skin} = this.board, name = i === 0 ? 'empty' : skin.man(letter).name;
    return h('button', {type: 'button', class: 'palette', 'aria-pressed': String(letter === this.chosen), title: capital(name),
      'aria-label': capital(name), on: {click: (event) => {
        this.chosen = letter;
        for (const other of event.currentTarget.parentNode.querySelectorAll('.palette'))
          other.setAttribute('aria-pressed', String(other === event.currentTarget));
      }}}, s('svg', {class: 'icon', viewBox: '-50 -50 100 100', 'aria-hidden': 'true'},
      i === 0 ? s('circle', {class: 'dot', r: 12}) : skin.man(letter).draw()));
  }

  #put(index) {
    const empty = this.session.game.board.symbols[0];
    const letter = this.letters[index] === this.chosen ? empty : this.chosen;
    // There is one ball: placing it removes it from its old cell.
    if (letter === '*') this.letters = this.letters.map((one) => one === '*' ? empty : one);
    this.letters[index] = letter;
    this.#write();
  }

  #fill(make) {
    this.letters = this.letters.map(make);
    this.#write();
  }

  #write() {
    this.error.clear();
    this.board.show({cells: this.letters});
    this.text.value = this.board.skin.write(this.session.game.board.cells, this.letters, this.mover, this.session.position);
  }

  /** From the text to the board: the server reads it. */
  async #read() {
    try {
      const {frames} = await framesOf(this.session.game.spec, this.text.value.trim());
      this.error.clear();
      if (!this.drawable) return;
      this.letters = lettersOf(this.session.game.board, frames[0].cells);
      this.board.show({cells: this.letters});
    } catch (problem) { this.error.show(problem); }
  }

  async #use(done) {
    try {
      await done(this.text.value.trim());
    } catch (problem) { this.error.show(problem); }
  }
}
