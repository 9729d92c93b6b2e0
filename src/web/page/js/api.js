// The server's JSON API (docs/api.md). Every failure is an ApiError whose message is a sentence for a person.
import * as site from './site.js';

/** Data embedded in the page, which saves requests: {session, levels} of the last game, or of a first one that is not yet begun and has no
 * id; how that `first` one begins; what is `remembered` (store.js); the `worker` that stands for
 * the server where there is none. */
export const brought = JSON.parse(document.getElementById('first').textContent);
// A class network's link carries its key (docs/classroom.md); it becomes a cookie, and leaves the address.
const key = new URLSearchParams(location.search).get('key');
if (key) {
  document.cookie = `knack-key=${encodeURIComponent(key)}; path=/; samesite=strict; max-age=2592000`;
  history.replaceState(null, '', location.pathname + location.hash);
}
if (brought.worker) site.connect(brought.worker);
export const {fetch, EventSource} = brought.worker ? site : window;

export class ApiError extends Error {
  constructor(status, message, more = {}) {
    super(message);
    this.status = status; // 0: the server does not answer
    this.field = more.field;
    this.line = more.line;
  }
}

let onLost = () => {};
/** Called when a request finds no server. */
export const whenLost = (handler) => { onLost = handler; };

async function call(method, path, body) {
  let reply;
  try {
    reply = await fetch(path, {
      method, cache: 'no-store',
      headers: body === undefined ? {} : {'Content-Type': 'application/json'},
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    onLost();
    throw new ApiError(0, 'The server does not answer. The page keeps trying.');
  }
  if (reply.ok) return reply;
  let said = {};
  try { said = await reply.json(); } catch { /* not JSON: the status must do */ }
  throw new ApiError(reply.status, said.error ?? `The server answered ${reply.status} ${reply.statusText}.`, said);
}

export const get = async (path) => (await call('GET', path)).json();
export const post = async (path, body = {}) => {
  const reply = await call('POST', path, body);
  return reply.status === 204 ? null : reply.json();
};

/** A text to be saved: {text, name}. */
export async function download(path) {
  const reply = await call('GET', path);
  const name = /filename="?([^";]+)/.exec(reply.headers.get('Content-Disposition') ?? '');
  return {text: await reply.text(), name: name?.[1] ?? 'game.txt'};
}

export const query = (path, values) => {
  const words = new URLSearchParams();
  for (const [key, value] of Object.entries(values)) if (value !== undefined && value !== null) words.set(key, value);
  return words.size ? `${path}?${words}` : path;
};

/** Answers that do not change while the server runs are asked for once. */
const kept = new Map();
export function once(path) {
  if (!kept.has(path)) kept.set(path, get(path).catch((error) => { kept.delete(path); throw error; }));
  return kept.get(path);
}
export const forget = () => kept.clear();

kept.set(query('/api/levels', {game: brought.session.game.spec}), Promise.resolve(brought.levels));

export const sessionPath = (id, rest = '') => `/api/sessions/${encodeURIComponent(id)}${rest}`;
