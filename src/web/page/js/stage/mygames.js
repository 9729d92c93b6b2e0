// The games that were opened in this browser. It keeps their ids; the server keeps the games (docs/api.md).
import {h, set, button, capital, count, errorLine, table} from '../dom.js';
import {get, post, query} from '../api.js';
import {recall, remember} from '../store.js';
import {gameTitle, playerTitle} from '../names.js';
import {levelsOf} from './players.js';

const MOST = 100;

/** Remembers a game as the latest one. */
export function keepGame(id) {
  const ids = recall('games', []);
  if (ids[0] !== id) remember('games', [id, ...ids.filter((one) => one !== id)].slice(0, MOST));
}

const names = (seats, levels) => seats.filter(Boolean).map((seat) => playerTitle(seat, levels)).join(' – ');

/** A button that asks before it acts: the first press changes its words. */
function twice(label, question, action) {
  const one = button(label, () => { if (one.textContent === question) action(); else one.textContent = question; }, {kind: 'link'});
  return one;
}

/** Forgets a game here and deletes it on the server. */
async function remove(game, error, again) {
  try {
    await post(`/api/sessions/${encodeURIComponent(game.id)}/delete`);
    remember('games', recall('games', []).filter((id) => id !== game.id));
    for (const view of ['play', 'watch']) if (recall(view) === game.id) remember(view, null);
    again();
  } catch (problem) { error.show(problem); }
}

function row(game, levels, close, error, again) {
  const date = new Date(1000 * game.updated);
  return [h('a', {href: `#/play/${game.id}`, on: {click: close}}, gameTitle(game.game)), names(game.seats, levels),
    count(game.plies), game.over ? capital(game.result || 'over') : 'in progress', date.toLocaleString([], {dateStyle: 'medium', timeStyle: 'short'}),
    h('span', {class: 'row tight'}, h('a', {href: `#/play/${game.id}`, on: {click: close}}, game.over ? 'Replay' : 'Continue'),
      twice('Delete', 'Delete for good?', () => remove(game, error, again)))];
}

export async function showGames() {
  const dialog = document.getElementById('dialog'), error = errorLine(), place = h('div', null, h('p', null, 'Loading…'));
  const close = () => dialog.close();
  set(dialog, h('h2', {id: 'dialog-title'}, 'My games'), place, error.element, h('div', {class: 'row end'}, button('Close', close)));
  dialog.setAttribute('aria-labelledby', 'dialog-title');
  if (!dialog.open) dialog.showModal();
  try {
    const ids = recall('games', []);
    const games = ids.length ? await get(query('/api/sessions', {ids: ids.join(',')})) : [];
    const levels = new Map(await Promise.all([...new Set(games.map((game) => game.game))].map(async (spec) => [spec, await levelsOf(spec)])));
    set(place, games.length ? table('My games', ['Game', 'Players', 'Moves', 'State', 'Last move', 'What to do'], games.map((game) => row(game, levels.get(game.game), close, error, showGames)), {hideCaption: true, kind: 'stacks wide'})
      : h('p', null, 'No games yet. Every game that you play in this browser is listed here.'));
  } catch (problem) {
    set(place);
    error.show(problem);
  }
}
