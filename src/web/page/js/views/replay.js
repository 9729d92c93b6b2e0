// A stored game: the board, its moves, and stepping through them.
import {h, announce, errorLine} from '../dom.js';
import {get, query} from '../api.js';
import {keys} from '../keys.js';
import {framesOf, viewOf} from '../board/boards.js';
import {gameTitle, plainMove, playerTitles} from '../names.js';
import {levelsOf} from '../stage/players.js';
import {MoveList} from '../stage/moves.js';
import {jointMoves} from '../stage/stage.js';

/** The parts of a replay; `game` is what the server tells of a stored game. */
export async function replay(title, stored) {
  const error = errorLine();
  const {frames, board, error: problem} = await framesOf(stored.game, stored.start, stored.moves);
  if (problem) error.show(problem);
  const name = /^\w+/.exec(stored.game)[0];
  const roles = stored.roles ?? stored.players.map((_, i) => `player ${i + 1}`);
  const game = {spec: stored.game, name, roles, board};
  const view = viewOf(game, {mini: true, edges: true, label: title});
  const text = h('pre', {class: 'text-board', hidden: true, tabindex: '0', 'aria-label': 'Board as text'});
  const history = frames.slice(1).map((frame, i) => ({ply: i, text: frame.text, path: frame.path, moves: jointMoves(frame.text),
    role: frames[i].movers?.length === 1 ? frames[i].movers[0] : null}));
  let at = 0;
  const moves = new MoveList((ply) => go(ply ?? frames.length - 1));
  function go(to) {
    at = Math.min(Math.max(to, 0), frames.length - 1);
    const frame = frames[at], row = history[at - 1];
    view.show({...frame, last: row ? {path: row.path, text: row.text, moves: row.moves} : null, session: {history, ply: at}});
    view.element.setAttribute('aria-label', row ? `${title}, after move ${at}, ${plainMove(row.text)}` : `${title}, at the start`);
    text.textContent = frame.drawing;
    moves.show(history, at, history.length, roles);
  }
  go(0);
  const step = (to) => { go(to); announce(at ? `After move ${at}, ${plainMove(history[at - 1].text)}.` : 'At the start.'); };
  const off = keys('Replay', [
    ['[', 'One move back', () => step(at - 1)], [']', 'One move on', () => step(at + 1)],
    ['{', 'To the start', () => step(0)], ['}', 'To the last move', () => step(frames.length - 1)],
    ['t', 'Board as text', () => { text.hidden = !text.hidden; view.element.toggleAttribute('hidden', !text.hidden); }],
  ]);
  return {
    element: h('div', {class: 'replay'}, h('div', {class: 'board-area'}, h('div', {class: 'board-place'}, view.element), text), moves.element, error.element),
    game, close: off,
  };
}

export async function replayOf(run, number) {
  const stored = await get(query(`/api/runs/${encodeURIComponent(run)}/games/${number}`, {}));
  const titles = playerTitles(stored.players, await levelsOf(stored.game)), players = titles.join(' against ');
  const title = `${gameTitle(stored.game)}: game ${Number(number) + 1}`;
  return {title, titles, players, stored, ...await replay(title, stored)};
}
