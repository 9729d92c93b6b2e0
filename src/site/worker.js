// The server's part of the page, in a worker: it answers the page's calls with the same code as `knack serve` (site.c). What the page would fetch
// comes as a message {id, method, path, body}, a stream of events as {stream, path}. Between messages the engines think, a move at a time.
//
// Files (games, what was learned, experience) are kept in the browser's database, each by itself: several tabs share it, and each writes only what it
// has changed.
'use strict';
importScripts('knack.js', 'files.js');

const DATA = '/data', SAVE_AFTER = 300, POLL_EVERY = 500;
let knack, files, database = null, saving = 0, polling = 0;
const streams = new Map(); // the page's number of a stream: ours
const waiting = [];        // messages that came before the program was there

const call = (name, result, types = [], values = []) => knack.ccall(name, result, types, values);

// ---- runs: workers of their own ----

const runs = new Map();
let runCount = 0;
const RUNS = 0, DONE = 1, STOPPED = 2, FAILED = 3;

function startRun(words, out, log) {
  const number = ++runCount, run = {state: RUNS, log: '', worker: new Worker('run.js')};
  runs.set(number, run);
  run.worker.onmessage = ({data}) => {
    if (run.state !== RUNS) return;
    if (data.files) files.write(data.files);
    if (data.line !== undefined) {
      run.log = (run.log + data.line + '\n').slice(-4000);
      knack.FS.writeFile(log, run.log);
    }
    if (data.end !== undefined) {
      if (data.end) knack.FS.writeFile(log, `${run.log}knack: ${data.end}\n`);
      end(run, data.end ? FAILED : DONE);
    }
    poll();
  };
  run.worker.onerror = (event) => { knack.FS.writeFile(log, `knack: ${event.message}\n`); end(run, FAILED); poll(); };
  const known = new Files(knack.FS, DATA).changed();
  for (const path of Object.keys(known)) if (path.startsWith(`${DATA}/kept/`)) delete known[path];
  run.worker.postMessage({words, files: known});
  schedulePoll();
  return number;
}

function end(run, state) {
  run.state = state;
  run.worker.terminate();
}

const program = {
  startRun,
  lookAtRun: (number) => runs.get(number)?.state ?? FAILED,
  stopRun: (number) => { const run = runs.get(number); if (run?.state === RUNS) end(run, STOPPED); schedulePoll(); },
};

function poll() {
  clearTimeout(polling);
  polling = 0;
  if (call('kn_site_poll', 'number')) schedulePoll();
  after();
}
const schedulePoll = () => { polling ||= setTimeout(poll, POLL_EVERY); };

// ---- what is kept ----

const opened = (name) => new Promise((resolve, reject) => {
  const request = indexedDB.open(name, 1);
  request.onupgradeneeded = () => request.result.createObjectStore('files');
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

const readAll = (db) => new Promise((resolve, reject) => {
  const found = {}, request = db.transaction('files').objectStore('files').openCursor();
  request.onsuccess = () => {
    const cursor = request.result;
    if (!cursor) { resolve(found); return; }
    found[cursor.key] = cursor.value;
    cursor.continue();
  };
  request.onerror = () => reject(request.error);
});

function save() {
  saving = 0;
  const changed = files.changed();
  if (!database || !Object.keys(changed).length) return;
  const store = database.transaction('files', 'readwrite').objectStore('files');
  for (const [path, bytes] of Object.entries(changed)) if (bytes) store.put(bytes, path); else store.delete(path);
}

// ---- answering ----

function tell(number, ours) {
  const text = call('kn_site_events', 'string', ['number'], [ours]);
  if (text) postMessage({stream: number, events: text});
}

/** After anything that may have changed something: events go out, files are saved soon. */
function after() {
  for (const [number, ours] of streams) tell(number, ours);
  saving ||= setTimeout(save, SAVE_AFTER);
}

function answer(asked) {
  const url = new URL(asked.path, 'http://localhost');
  const request = {method: asked.method ?? 'GET', path: decodeURIComponent(url.pathname), query: Object.fromEntries(url.searchParams), body: asked.body ?? null};
  return JSON.parse(call('kn_site_answer', 'string', ['string'], [JSON.stringify(request)]));
}

function receive(asked) {
  if (asked.close !== undefined) {
    call('kn_site_close_stream', null, ['number'], [streams.get(asked.close) ?? -1]);
    streams.delete(asked.close);
    return;
  }
  const reply = answer(asked);
  if (asked.stream !== undefined) {
    const good = reply.status === 200 && reply.stream >= 0;
    if (good) streams.set(asked.stream, reply.stream);
    postMessage({stream: asked.stream, opened: good});
  } else postMessage({id: asked.id, ...reply});
  after();
  think();
}

// Engines think one move at a time, and messages come in between.
const turn = new MessageChannel();
let thinking = false, later = 0;
turn.port1.onmessage = () => { thinking = false; step(); };
function think() {
  clearTimeout(later);
  if (thinking) return;
  thinking = true;
  turn.port2.postMessage(0);
}
function step() {
  const wait = call('kn_site_step', 'number');
  after();
  if (wait === 0) think();
  else if (wait > 0) later = setTimeout(think, wait * 1000);
}

self.onmessage = ({data}) => { if (knack && files) receive(data); else waiting.push(data); };

(async () => {
  const loaded = await Knack(program);
  loaded.FS.mkdirTree(DATA);
  const own = new Files(loaded.FS, DATA);
  try {
    database = await opened('knack');
    own.write(await readAll(database));
  } catch { database = null; /* a private window: nothing is kept */ }
  own.changed();
  knack = loaded;
  const trouble = call('kn_site_open', 'string', ['string'], [DATA]);
  if (trouble) { postMessage({trouble}); return; }
  files = own;
  for (const data of waiting.splice(0)) receive(data);
})().catch((problem) => postMessage({trouble: problem.message}));
