// Why: one viewer for every explanation (src/base/explanation.h). A sentence comes first; then the evidence, folded until it
// is asked for: numbers as bars, boards as boards, lines that can be stepped through.
import {h, s, set, button, capital, count, fixed, short} from './dom.js';
import {framesOf, still, viewOf} from './board/boards.js';

/** A bar within a range; the number is beside it, so the picture is decorative. */
function bar(number, low, high) {
  const span = high - low || 1, zero = Math.min(Math.max((0 - low) / span, 0), 1), at = Math.min(Math.max((number - low) / span, 0), 1);
  const left = Math.min(zero, at) * 100, width = Math.abs(at - zero) * 100;
  return s('svg', {class: 'bar', viewBox: '0 0 100 10', preserveAspectRatio: 'none', 'aria-hidden': 'true'},
    s('rect', {class: 'track', x: 0, y: 0, width: 100, height: 10}),
    s('rect', {class: number < 0 ? 'less' : 'more', x: left, y: 0, width: Math.max(width, 0.8), height: 10}),
    low < 0 && high > 0 ? s('line', {class: 'zero', x1: zero * 100, x2: zero * 100, y1: 0, y2: 10}) : null);
}

/** The range that the bars of a group share where none is given: from 0, or from the least, to the most. */
function rangeOf(nodes) {
  const numbers = nodes.map((node) => node.number).filter(Number.isFinite);
  if (!numbers.length) return null;
  const most = Math.max(...numbers.map(Math.abs)) || 1;
  return Math.min(...numbers) < 0 ? [-most, most] : [0, most];
}

/** What a node is called; a move (a3, b2xd4) keeps the letters of its game. */
function heading(node) {
  const name = (node.label || node.kind).replace(/^\((.*)\)$/, '$1'); // a move of a game description
  return /^[a-z]\d/.test(name) ? name : capital(name);
}

/** Without a label, or with that of its kind, a text speaks for itself. */
const isPlain = (node) => node.kind === 'text' && !node.label && !Number.isFinite(node.number);

/** "0.42 men"; a share of the points is never known better than to a percent. */
const amount = (node) => node.unit?.[0] === '%' ? `${fixed(node.number, 0)} ${node.unit}` : `${short(node.number)}${node.unit ? ` ${node.unit}` : ''}`;

function numberRow(node, shared) {
  const range = node.range ?? shared;
  return [h('dt', null, heading(node)),
    h('dd', {class: 'numeric'}, range ? bar(node.number, ...range) : null,
      h('span', null, `${node.text ? `${node.text} ` : ''}${amount(node)}`))];
}

function leafRow(node, shared, context) {
  if (node.kind === 'number') return numberRow(node, shared);
  const detail = Number.isFinite(node.number) ? ` ${amount(node)}` : '';
  if (node.kind === 'move') return [h('dt', null, heading(node)), h('dd', null,
    button(node.text, () => context.onMove?.(node.text), {kind: 'link move-text', title: 'Show on the board'}), detail)];
  return [h('dt', null, heading(node)), h('dd', null, (node.text ?? '') + detail)];
}

/** How a search was set up: programmers want to know it, others first want the rest. */
const TECHNICAL = new Set(['ended by', 'evaluation', 'in memory', 'limits', 'player', 'spec', 'table', 'seed']);
const isTechnical = (node) => isLeaf(node) && (node.kind === 'text' || node.label === 'in memory') && TECHNICAL.has((node.label ?? '').toLowerCase());

const isLeaf = (node) => !node.children?.length && ['text', 'number', 'move'].includes(node.kind);

/** Of the whole explanation, single facts come first, and what the evaluation counts is one fold. */
function arranged(nodes) {
  const counts = nodes.filter((node) => node.kind === 'group' && /\bevaluation\b/.test(node.label ?? '')), facts = nodes.filter((node) => isLeaf(node) && !isPlain(node));
  const one = counts.length > 1 ? {kind: 'group', label: 'what the evaluation counts', children: counts} : null;
  return [...facts, ...nodes.filter((node) => !facts.includes(node) && (!one || !counts.includes(node) || node === counts[0])).map((node) => one && node === counts[0] ? one : node)];
}

/** Adjacent leaves become one list; a node that unfolds is on its own. `whole`: these are no parts of one thing that bars could compare. */
function list(all, context, whole = false) {
  const parts = [], nodes = all.filter((node) => !isTechnical(node)), technical = all.filter(isTechnical);
  // A bar compares: a single number without a range has no bar.
  const numbers = nodes.filter((node) => node.kind === 'number' && !node.range);
  const units = new Set(numbers.map((node) => node.unit ?? ''));
  const shared = !whole && numbers.length > 1 && units.size === 1 ? rangeOf(numbers) : null;
  for (let i = 0; i < nodes.length;) {
    const rows = [];
    for (; i < nodes.length && isLeaf(nodes[i]) && !isPlain(nodes[i]); i++) rows.push(leafRow(nodes[i], shared, context));
    if (rows.length) parts.push(h('dl', {class: 'leaves'}, rows));
    if (i < nodes.length) parts.push(isLeaf(nodes[i]) && isPlain(nodes[i]) ? h('p', {class: 'plain-text'}, nodes[i++].text ?? '') : branch(nodes[i++], context));
  }
  if (technical.length) parts.push(folded('For programmers', () => h('dl', {class: 'leaves'}, technical.map((node) => leafRow(node, null, context))), 'programmers'));
  return parts;
}

/** A part that unfolds; its contents are made when it is opened first. */
export function folded(summary, make, kind, open = false) {
  const body = h('div', {class: 'inside'}, open ? make() : null);
  let made = open;
  return h('details', {class: kind, open, on: {toggle(event) {
    if (made || !event.target.open || event.target !== event.currentTarget) return;
    made = true;
    set(body, make());
  }}}, h('summary', null, summary), body);
}

/** Part of a board: cells with any content are shaded. */
function pattern(node, context) {
  const view = viewOf(context.game, {mini: true, flip: context.flip, label: `${heading(node)}: ${node.text}`});
  if (!view.pattern?.(node.text)) return h('dl', {class: 'leaves'}, h('dt', null, heading(node)), h('dd', null, node.text));
  return h('figure', {class: 'pattern'}, h('figcaption', null, heading(node)), view.element);
}

/** Moves of game descriptions without their brackets, and large numbers with their commas. */
const plain = (text, context) => (context.game?.name === 'gdl' ? text.replace(/\(([a-z]\w*(?: \w+)*)\)/g, '$1') : text).replace(/(?<![\w.])\d{5,}(?![\w.]*\d)/g, (number) => count(Number(number)));

function branch(node, context) {
  if (node.kind === 'pattern') return pattern(node, context);
  if (node.kind === 'board') return folded(heading(node),
    () => [still(context.game, node.board, `${heading(node)}: board`, context), list(node.children ?? [], context)]);
  if (node.kind === 'line') return folded([`${heading(node)} `, h('span', {class: 'moves-text'}, plain(node.text, context))],
    () => [stepper(node, context), list(node.children ?? [], context)]);
  const said = Number.isFinite(node.number) ? ` ${amount(node)}` : '', drawn = said && node.range ? bar(node.number, ...node.range) : null;
  const size = node.kind === 'group' ? h('span', {class: 'note'}, ` ${node.children?.length ?? 0}`) : null;
  return folded([heading(node), node.text ? h('span', null, `: ${node.text}`) : null, drawn, said, size],
    () => list(node.children ?? [], context), null, context.open?.test(node.label ?? ''));
}

/** A line of moves with its board: step with the buttons, or choose a move. */
export function stepper(node, context) {
  const place = h('div', {class: 'stepper'});
  framesOf(context.game.spec, node.board, node.text).then(({frames, error}) => {
    const view = viewOf(context.game, {mini: true, label: heading(node)});
    view.flip?.(context.flip);
    const buttons = frames.slice(1).map((frame, i) => button(frame.text, () => go(i + 1), {kind: 'link move-text'}));
    const back = button('‹', () => go(at - 1), {title: 'Move back'}), forth = button('›', () => go(at + 1), {title: 'Move on'});
    const said = h('p', {class: 'unseen', role: 'status'});
    let at = 0;
    function go(to) {
      at = Math.min(Math.max(to, 0), frames.length - 1);
      view.show({...frames[at], last: at ? {path: frames[at].path, text: frames[at].text} : null});
      buttons.forEach((one, i) => one.setAttribute('aria-current', String(i + 1 === at)));
      back.disabled = at === 0;
      forth.disabled = at === frames.length - 1;
      said.textContent = at ? `After ${frames[at].text}` : 'Before the line';
    }
    set(place, h('div', {class: 'steps'}, back, forth, buttons), view.element, said,
      error ? h('p', {class: 'note'}, context.game.simultaneous ? 'Moves here are made at the same time; the line names one side’s, and has no boards.' : error) : null);
    go(0);
  }).catch((error) => set(place, h('p', {class: 'error'}, error.message)));
  return place;
}

/** The whole tree. context: {game, flip, onMove(text), open: an expression for groups that are unfolded at first} */
export function reasonView(reason, context) {
  const said = plain(reason.text || reason.label || 'There is no explanation.', context);
  return h('div', {class: 'reason'},
    h('p', {class: 'sentence'}, /^[a-z]+\d/.test(said) ? said : capital(said)),
    list(arranged(reason.children ?? []), context, true));
}
