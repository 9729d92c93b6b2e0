// One table of keys: what a view can do has a key here, and `?` lists them all.
import {h, set, button} from './dom.js';
import {recall, remember} from './store.js';

const scopes = []; // the innermost last; each [{key, label, action}]

/** Adds keys as long as a view is shown: returns what takes them away. Rows are [key, label, action]. */
export function keys(title, rows) {
  const scope = {title, rows: rows.map(([key, label, action]) => ({key, label, action}))};
  scopes.push(scope);
  return () => {
    const at = scopes.indexOf(scope);
    if (at >= 0) scopes.splice(at, 1);
  };
}

const isTyping = (target) => target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('textarea, select, input:not([type=checkbox]):not([type=radio]):not([type=button])'));

function pressed(event) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return;
  if (isTyping(event.target)) {
    if (event.key === 'Escape') event.target.blur();
    return;
  }
  if (recall('keys', true) === false && event.key.length === 1) return;
  for (let i = scopes.length - 1; i >= 0; i--) {
    const row = scopes[i].rows.find((candidate) => candidate.key === event.key && candidate.action);
    if (!row) continue;
    // Space and Enter belong to the button that has the focus.
    if ((event.key === ' ' || event.key === 'Enter') && event.target.closest?.('button, a, summary, [role=gridcell]')) return;
    event.preventDefault();
    row.action();
    return;
  }
}

const shown = (key) => ({' ': 'Space', ArrowLeft: '←', ArrowRight: '→', ArrowUp: '↑', ArrowDown: '↓', Escape: 'Esc'})[key] ?? key;

export function showKeys() {
  const dialog = document.getElementById('keys');
  const toggle = h('input', {type: 'checkbox', id: 'keys-on', checked: recall('keys', true),
    on: {change: (event) => remember('keys', event.target.checked ? null : false)}});
  set(dialog,
    h('h2', {id: 'keys-title'}, 'Keyboard shortcuts'),
    h('div', {class: 'keys'}, [...scopes].reverse().map((scope) => h('section', null,
      h('h3', null, scope.title),
      h('dl', null, scope.rows.map((row) => [h('dt', null, h('kbd', null, shown(row.key))), h('dd', null, row.label)]))))),
    h('p', null, toggle, h('label', {for: 'keys-on'}, ' Use single-key shortcuts')),
    h('form', {method: 'dialog'}, h('button', {class: 'strong'}, 'Close')));
  dialog.showModal();
}

export function startKeys() { document.addEventListener('keydown', pressed); }
