// Watch: two players play live, with pause and speed.
import {h, button, newId} from '../dom.js';
import {post} from '../api.js';
import {newGame} from '../stage/newgame.js';
import {levelsOf} from '../stage/players.js';
import {menu} from '../stage/tools.js';
import {stageView} from '../stage/view.js';

const SPEEDS = [3, 2, 1, 0.5, 0.25, 0]; // seconds between moves
const NAMES = ['very slow', 'slow', 'one a second', 'two a second', 'four a second', 'as fast as it goes'];

async function firstGame() {
  const levels = await levelsOf('othello');
  return post('/api/sessions', {game: 'othello', seats: [levels[2]?.spec ?? 'alphabeta(depth=3)', levels[1]?.spec ?? 'alphabeta(depth=1)'],
    pace: {paused: false, delay: 1}});
}

function tools(stage) {
  const again = button('New game', () => newGame('watch', stage.session, (session) => stage.enter(session)), {key: 'n', kind: 'strong'});
  const pause = button('Pause', () => stage.act('pace', {paused: !stage.session.paused}), {key: 'Space'});
  const id = newId('speed');
  const said = h('output', {for: id, class: 'note'});
  let asking = false; // events until the answer are older than the request
  const speed = h('input', {id, type: 'range', min: 0, max: SPEEDS.length - 1, step: 1, value: 2, on: {
    input() { said.textContent = NAMES[speed.value]; speed.setAttribute('aria-valuetext', NAMES[speed.value]); },
    // One request at a time; the last one counts. The pause is not sent along, since requests may overtake each other.
    async change() {
      if (asking) return;
      asking = true;
      for (let sent = null; sent !== speed.value;) {
        sent = speed.value;
        await stage.act('pace', {delay: SPEEDS[sent]});
      }
      asking = false;
    },
  }});
  const faster = (by) => {
    speed.value = Number(speed.value) + by;
    speed.dispatchEvent(new Event('input'));
    speed.dispatchEvent(new Event('change'));
  };
  const more = menu('More', [
    button('Save', () => stage.save(), {key: 'd'}),
    button('Board as text', () => stage.toggleText(), {key: 't'}),
    button('Swap sides', () => stage.act('swap', {}), {key: 's'}),
  ]);
  const row = h('div', {class: 'row tight actions'}, again, pause, h('span', {class: 'row tight'}, h('label', {for: id}, 'Speed'), speed, said), more);
  row.keys = [
    ['n', 'New game', () => again.click()],
    [' ', 'Pause or go on', () => pause.click()],
    ['+', 'Faster', () => faster(1)],
    ['-', 'Slower', () => faster(-1)],
    ['s', 'Swap sides', () => stage.act('swap', {})],
    ['d', 'Save the game', () => stage.save()],
  ];
  row.update = (session) => {
    pause.firstChild.textContent = session.paused ? 'Go on' : 'Pause';
    pause.disabled = session.over;
    if (asking || document.activeElement === speed) return;
    const at = SPEEDS.findIndex((seconds) => seconds <= session.delay + 1e-9);
    speed.value = at < 0 ? SPEEDS.length - 1 : at;
    said.textContent = NAMES[speed.value];
    speed.setAttribute('aria-valuetext', NAMES[speed.value]);
  };
  return row;
}

export default stageView('Watch', 'watch', {tools, first: firstGame, arrange(stage) { stage.entry.element.hidden = true; }});
