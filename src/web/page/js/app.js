// The frame: which view is shown, the keys that work everywhere, light and dark.
import {h, set} from './dom.js';
import {forget} from './api.js';
import * as live from './live.js';
import {keys, showKeys, startKeys} from './keys.js';
import {recall, remember} from './store.js';
import {Address} from './address.js';
import {repaint} from './chart.js';
import play from './views/play.js';
import watch from './views/watch.js';

// Play and its sister are at hand; the others come when they are wanted.
const VIEWS = {
  start: async () => (await import('./later.js')).start,
  play: async () => play,
  watch: async () => watch,
  learn: async () => (await import('./later.js')).learn,
  arena: async () => (await import('./later.js')).arena,
  lab: async () => (await import('./later.js')).lab,
  exercises: async () => (await import('./later.js')).exercises,
  class: async () => (await import('./later.js')).class,
};

const main = document.getElementById('main');
let shown = null, turn = 0;

const parts = () => location.hash.replace(/^#\/?/, '').split('/').filter(Boolean).map(decodeURIComponent);

async function route() {
  const mine = ++turn, address = new Address();
  const [name = recall('play') ? 'play' : 'start', ...rest] = parts(); // who has a game comes back to it
  if (!VIEWS[name]) { location.replace('#/start'); return; }
  for (const link of document.querySelectorAll('#rail a')) {
    if (link.dataset.view === (name === 'exercises' ? 'play' : name)) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  shown?.close();
  shown = null;
  set(main);
  const place = h('div', {class: `view view-${name}`});
  main.append(place);
  try {
    const view = await VIEWS[name]();
    if (mine !== turn) return;
    document.title = `${view.title} – Knack`;
    const next = await view.show(place, rest, address);
    if (mine !== turn) next.close();
    else shown = next;
  } catch (problem) {
    if (mine === turn) place.append(h('p', {class: 'error page', role: 'alert'}, problem.message));
  }
}

function changeTheme() {
  const dark = document.documentElement.dataset.theme === 'dark' ||
    (!document.documentElement.dataset.theme && matchMedia('(prefers-color-scheme: dark)').matches);
  const choice = dark ? 'light' : 'dark';
  remember('theme', choice);
  document.documentElement.dataset.theme = choice;
  repaint();
}

matchMedia('(prefers-color-scheme: dark)').addEventListener('change', repaint);
// The link's address is no view: following it would leave the view that it belongs to.
document.querySelector('.skip').addEventListener('click', (event) => {
  event.preventDefault();
  main.focus();
});
document.getElementById('theme').addEventListener('click', changeTheme);
document.getElementById('help').addEventListener('click', showKeys);
keys('Everywhere', [
  ...Object.keys(VIEWS).map((name, i) => [String(i + 1), `${name[0].toUpperCase()}${name.slice(1)}`, () => { location.hash = `#/${name}`; }]),
  ['?', 'Keyboard shortcuts', showKeys],
  ['l', 'Light or dark', changeTheme],
]);
startKeys();
live.start();
live.on('back', () => {
  forget();
  for (const line of document.querySelectorAll('.error[data-lost]')) line.hidden = true;
  if (shown?.refresh) shown.refresh();
  else if (!shown) route();
});
addEventListener('hashchange', route);
route();
