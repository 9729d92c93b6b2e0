// The right view of a game: a board, a table of payoffs, or facts; and still pictures of positions inside other things.
import {h, set} from '../dom.js';
import {post} from '../api.js';
import {Board} from './board.js';
import {Facts} from './facts.js';
import {Table} from './table.js';

export function viewOf(game, options) {
  switch (game.board?.kind) {
    case 'table': return new Table(game, options);
    case 'facts': return new Facts(game, options);
    default: return game.board?.cells?.length ? new Board(game, options) : new Facts(game, options);
  }
}

/** Positions of a line, the first before any move: {frames, error?}. */
export const framesOf = (spec, position, moves = []) => post('/api/frames', {game: spec, position: position || undefined, moves});

/** A position drawn small; fills itself when the server has answered. */
export function still(game, position, label, {flip = false} = {}) {
  const place = h('div', {class: 'still'});
  framesOf(game.spec, position).then(({frames}) => {
    const view = viewOf(game, {mini: true, label});
    view.flip(flip);
    view.show({...frames[0], last: null});
    set(place, view.element);
  }).catch((error) => set(place, h('p', {class: 'error'}, error.message)));
  return place;
}
