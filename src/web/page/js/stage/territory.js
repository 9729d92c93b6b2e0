// The count at the end of a game of Go: whose points are whose, and which stones are dead.
import {h, s, set} from '../dom.js';
import {get, sessionPath} from '../api.js';
import {Board} from '../board/board.js';

const square = (owner) => s('rect', {class: `man ${owner === 'x' ? 'dark' : 'light'}`, x: -13, y: -13, width: 26, height: 26});
const cross = () => s('path', {class: 'taken', d: 'M-30 -30 l60 60 m0 -60 l-60 60'});
const stones = (count) => count === 1 ? 'one stone is dead' : `${count} stones are dead`;

function picture(session, {owners, dead, text}) {
  const board = new Board(session.game, {mini: true, edges: true, label: `The count: ${text}`});
  board.show({cells: session.cells});
  board.parts.forEach(({mark}, index) => {
    const empty = board.state.letters[index] === session.game.board.symbols[0], off = dead.includes(index);
    set(mark, off ? cross() : null, owners[index] !== '.' && (empty || off) ? square(owners[index]) : null);
  });
  return board.element;
}

/** An empty part that fills itself at the end of a game of Go. */
export class Territory {
  constructor() { this.element = h('div', {class: 'territory'}); }

  async show(session) {
    const key = this.key = session.over && session.game.name === 'go' ? `${session.id} ${session.revision}` : '';
    set(this.element);
    if (!key) return;
    let count;
    try { count = await get(sessionPath(session.id, '/territory')); } catch { return; } // the result stands without it
    if (this.key !== key) return;
    const [black, white] = count.area;
    set(this.element, h('h3', null, 'Territory'), picture(session, count),
      h('p', null, `Black has ${black} points, White ${white} and ${count.komi} for moving second. ${count.text}`),
      h('p', {class: 'note'}, count.dead.length
        ? `Here ${stones(count.dead.length)}, by an estimate from random games, and taken off. The result above counts every stone where it stands: to have dead stones counted as such, take them before you pass.`
        : 'No stone looks dead. That is an estimate from random games.'));
  }
}
