// The one event stream of this tab. It survives restarts of the server: a stream that breaks is opened again,
// soon at first and then every few seconds; a notice says so in the meantime.
import {query, whenLost, brought, EventSource} from './api.js';
import {h, set, button} from './dom.js';

const SILENCE = 45_000; // the server pings every 15 s: three missed pings are a dead connection
const NAMES = ['session', 'room', 'analysis', 'thinking', 'run', 'learn', 'lab', 'gone', 'ping'];

const listeners = new Map();
let source = null, wanted = {}, failures = 0, timer = 0, heard = 0, lost = false;

export function on(name, handler) {
  if (!listeners.has(name)) listeners.set(name, new Set());
  listeners.get(name).add(handler);
  return () => listeners.get(name).delete(handler);
}

function emit(name, data) {
  for (const handler of [...listeners.get(name) ?? []]) handler(data);
}

/** The subjects of this tab: {session or room, runs, lab}. */
export function listen(wish) {
  const changed = JSON.stringify(wish) !== JSON.stringify(wanted);
  wanted = wish;
  if (changed || !source) open();
}

function open() {
  clearTimeout(timer);
  source?.close();
  heard = Date.now();
  const stream = source = new EventSource(query('/api/events', {
    session: wanted.session, room: wanted.room, runs: wanted.runs ? 1 : undefined, lab: wanted.lab ? 1 : undefined}));
  stream.onopen = () => { if (stream === source) found(); };
  stream.onerror = () => { if (stream === source) broken(); };
  for (const name of NAMES) stream.addEventListener(name, (event) => {
    if (stream !== source) return;
    heard = Date.now();
    let data = null;
    try { data = event.data ? JSON.parse(event.data) : null; } catch { return; }
    emit(name, data);
  });
}

function found() {
  failures = 0;
  heard = Date.now();
  emit('open'); // a view may have missed events of runs before the stream opened; for a session the server sends the latest state first
  if (!lost) return;
  lost = false;
  notice();
  emit('back');
}

// A stream also ends when the server closes it normally: then the next try succeeds at once, without a notice.
function broken() {
  source.close();
  source = null;
  failures++;
  if (failures > 1) { lost = true; notice(); }
  clearTimeout(timer);
  timer = setTimeout(open, Math.min(250 * 2 ** (failures - 1), 4000));
}

function notice() {
  const place = document.getElementById('notice');
  if (!lost) { set(place); return; }
  if (place.childElementCount) return;
  set(place, h('div', {class: 'lost'},
    h('p', null, 'The server does not answer. Nothing is lost: the page continues as soon as the server is back.'),
    button('Try now', open)));
}

export const isLost = () => lost;

export function start() {
  whenLost(() => { if (source && Date.now() - heard > 1000) broken(); });
  // A worker does not ping: it is there as long as the page is.
  if (!brought.worker) setInterval(() => { if (source && Date.now() - heard > SILENCE) broken(); }, 5000);
  document.addEventListener('visibilitychange', () => { if (!document.hidden && lost) open(); });
  addEventListener('online', () => { if (lost) open(); });
  addEventListener('pagehide', () => source?.close());
}
