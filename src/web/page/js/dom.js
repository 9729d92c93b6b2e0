// Shorthands for elements, and the shared formats of numbers and words.

function fill(element, props, children) {
  for (const [key, value] of Object.entries(props ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key === 'on') for (const [event, handler] of Object.entries(value)) element.addEventListener(event, handler);
    else if (key === 'data') Object.assign(element.dataset, value);
    else if (key === 'value' || key === 'checked' || key === 'disabled' || key === 'selected') element[key] = value;
    else element.setAttribute(key, value === true ? '' : value);
  }
  put(element, children);
  return element;
}

function put(element, children) {
  for (const child of children.flat(Infinity))
    if (child !== null && child !== undefined && child !== false) element.append(child);
}

/** h('p', {class: 'x', on: {click: f}}, 'text', child, [children]) */
export const h = (tag, props, ...children) => fill(document.createElement(tag), props, children);

/** The same for SVG. */
export const s = (tag, props, ...children) =>
  fill(document.createElementNS('http://www.w3.org/2000/svg', tag), props, children);

/** Replaces what an element holds. */
export function set(element, ...children) {
  element.replaceChildren();
  put(element, children);
  return element;
}

const states = new WeakMap();
/** Fills an element again only if `state` (plain data: all that `make` depends on) has changed: an update must not remove the button
 * that somebody is pressing. */
export function renew(element, state, make) {
  const key = JSON.stringify(state);
  if (states.get(element) === key) return;
  states.set(element, key);
  set(element, make());
}

let ids = 0;
export const newId = (stem = 'id') => `${stem}-${++ids}`;

/** A button; `key` is its shortcut, shown in its title (and by `?`). A label that is only a symbol needs a `title`. */
export function button(label, action, {key, title, kind, disabled, pressed} = {}) {
  const hint = [title, key ? `(${key})` : null].filter(Boolean).join(' ');
  return h('button', {
    type: 'button', class: kind, title: hint || null, disabled,
    'aria-label': title && !/\w/.test(label) ? title : null,
    'aria-pressed': pressed === undefined ? null : String(pressed), 'aria-keyshortcuts': key ?? null,
    on: {click: action},
  }, label);
}

/** An error beside what caused it: `show` says it, `clear` takes it away. */
export function errorLine() {
  const line = h('p', {class: 'error', role: 'alert', hidden: true});
  return {
    element: line,
    show(error) {
      line.textContent = typeof error === 'string' ? error : error.message;
      line.toggleAttribute('data-lost', error.status === 0);
      line.hidden = false;
    },
    clear() {
      if (line.hidden) return;
      line.hidden = true;
      line.textContent = '';
    },
  };
}

/** A labelled control. */
export function field(label, control, note) {
  control.id ||= newId('field');
  return h('div', {class: 'field'}, h('label', {for: control.id}, label), control, note ? h('p', {class: 'note'}, note) : null);
}

export function select(options, chosen, change) {
  return h('select', {on: change ? {change: (event) => change(event.target.value)} : null},
    options.map((option) => h('option', {value: option.value, selected: option.value === chosen}, option.label)));
}

/** 12,345 and at most three digits behind the point. Not by Intl, which takes a browser longer to set up than the rest of the first page. */
export function count(number) {
  const [whole, part = ''] = String(Number(Math.abs(number).toFixed(3))).split('.');
  return `${number < 0 && (whole !== '0' || part) ? '-' : ''}${whole.replace(/\B(?=(\d{3})+$)/g, ',')}${part ? `.${part}` : ''}`;
}

export function fixed(number, digits = 2) {
  return Number.isFinite(number) ? number.toFixed(digits).replace('-', '−') : '–';
}

/** Up to four significant digits, for quantities of any size. */
export function short(number) {
  if (!Number.isFinite(number)) return '–';
  if (Number.isInteger(number)) return count(number).replace('-', '−');
  const size = Math.abs(number);
  return fixed(number, size >= 100 ? 1 : size >= 1 ? 2 : 3);
}

/** A score in men, as the graph and the values show it. */
export function score(value) {
  if (value === null || value === undefined) return '–';
  if (value >= 999) return 'wins';
  if (value <= -999) return 'loses';
  return (value > 0 ? '+' : '') + fixed(value, 2);
}

/** 0.547 (95 %: 0.537 to 0.557, 10,000 games): every number has its error and sample size. */
export function interval(value, low, high, games, what = 'games') {
  if (value === null || value === undefined) return `no result yet (${count(games ?? 0)} ${what})`;
  const range = Number.isFinite(low) && Number.isFinite(high) ? `95 %: ${fixed(low, 3)} to ${fixed(high, 3)}, ` : '';
  return `${fixed(value, 3)} (${range}${count(games ?? 0)} ${games === 1 ? what.replace(/s$/, '') : what})`;
}

export function duration(seconds) {
  if (!Number.isFinite(seconds)) return '–';
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 60) return `${Math.round(seconds)} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
  return `${Math.floor(seconds / 3600)} h ${Math.round(seconds % 3600 / 60)} min`;
}

export const capital = (text) => text ? text[0].toUpperCase() + text.slice(1) : '';

export const stillness = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Tells people who do not see the board what has happened. */
export function announce(text) {
  const region = document.getElementById('announce');
  // The same words twice are two events: an invisible difference makes a screen reader speak again.
  region.textContent = region.textContent === text ? `${text}\u00a0` : text;
}

/** A scrollable table with a caption. Rows are arrays of nodes or texts; the first cell of each is its heading. */
export function table(caption, head, rows, {hideCaption, kind} = {}) {
  return h('div', {class: 'scroll', tabindex: '0', role: 'region', 'aria-label': caption},
    h('table', {class: kind},
      h('caption', {class: hideCaption ? 'unseen' : null}, caption),
      h('thead', null, h('tr', null, head.map((cell) => h('th', {scope: 'col'}, cell)))),
      h('tbody', null, rows.map((row) => h('tr', null,
        row.map((cell, i) => i === 0 ? h('th', {scope: 'row'}, cell) : h('td', {'data-label': head[i]}, cell)))))));
}
