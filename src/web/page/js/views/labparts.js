// What the views of the lab share: verdicts, published values beside measured ones, tables, figures.
import {h, button, capital, count, fixed, select, table} from '../dom.js';
import {brought, post} from '../api.js';
import {save} from '../stage/files.js';
import {Chart} from '../chart.js';
import {heatMap} from '../heatmap.js';
import {dotPlot} from '../dotplot.js';

export const labPath = (name, rest = '') => `/api/lab/${encodeURIComponent(name)}${rest}`;
export const ORDER = ['differs', 'not comparable', 'agrees'];
const key = (verdict) => verdict.replace(/[ _]/g, '-');

/** A verdict is a word, a shape and a colour. */
export function chip(verdict, number) {
  const sign = {differs: '≠', 'not comparable': '?', undecided: '?', agrees: '='}[verdict] ?? '';
  const word = number > 1 ? {differs: 'differ', agrees: 'agree'}[verdict] ?? verdict : verdict;
  return h('span', {class: `chip ${key(verdict === 'undecided' ? 'not comparable' : verdict)}`}, h('span', {'aria-hidden': 'true'}, sign), ` ${number === undefined ? '' : `${count(number)} `}${word}`);
}

/** The verdict on a value; "undecided" where a larger sample could give one. */
const shownVerdict = (cell) => cell.verdict === 'not comparable' && /needs --scale|too small|undecided|fewer than/.test(cell.why ?? '') ? 'undecided' : cell.verdict;

/** Why a value has no verdict, without the words of the command line. */
export const plainReason = (why) => why.replace('--scale middle', 'a larger scale');

export const isRunning = (item) => item.run?.state === 'running';

export function measureButton(item, error) {
  const scale = select([{value: 'quick', label: 'quick'}, {value: 'middle', label: 'middle (a night)'}, {value: 'paper', label: 'as in the paper'}], 'quick');
  scale.setAttribute('aria-label', `Scale: ${item.summary ?? item.name}`);
  return h('span', {class: 'row tight'}, button(item.verdicts ? 'Measure again' : 'Measure', async () => {
    try {
      await post(labPath(item.name, '/run'), {scale: scale.value});
      error.clear();
    } catch (problem) { error.show(problem); }
  }, {disabled: isRunning(item)}), scale);
}

export function measured(cell, decimals) {
  const {low, high} = cell, known = cell.n && Number.isFinite(low) && Number.isFinite(high), half = (high - low) / 2;
  const even = Math.abs((low + high) / 2 - cell.measured) < 0.1 * half; // else "±" would say something false
  const range = !known ? '' : even ? ` ± ${fixed(half, decimals)}` : ` [${fixed(low, decimals)}, ${fixed(high, decimals)}]`;
  return `${fixed(cell.measured, decimals)}${range}${cell.kind === 'exact' ? ' (exact)' : cell.kind === 'none' ? ' (no data)' : ` (n = ${count(cell.n)})`}`;
}

export function published(cell, decimals) {
  if (cell.published === null || cell.published === undefined) return cell.claim || '–';
  const relation = cell.relation && cell.relation !== '=' ? `${cell.relation} ` : '';
  return `${relation}${cell.published === 0 ? '0' : fixed(cell.published, decimals)}${cell.published_error ? ` ± ${fixed(1.96 * cell.published_error, decimals)}` : ''}`;
}

/** Where a result is from: "shipped, paper scale, seed 2027". */
export const sourceText = (source) => `${source.origin === 'shipped' ? 'shipped with Knack' : 'measured here'}, ${source.scale} scale, seed ${source.seed}`;

const interval = ({kind, low, high}, digits) => kind === 'exact' || !Number.isFinite(low) || !Number.isFinite(high) ? '' : `[${fixed(low, digits)}, ${fixed(high, digits)}]`;
const sample = ({kind, n}) => kind === 'exact' ? 'exact' : kind === 'none' ? 'no data' : count(n);

/** A table of a result; measurements of our own (not judged) have neither a published value nor a verdict. What another run of the same
    experiment measured stands in a row below. */
export function cellsTable(one, judged = true) {
  const rank = (cell) => ORDER.indexOf(cell.verdict);
  const cells = judged ? [...one.cells].sort((a, b) => rank(a) - rank(b)) : one.cells, digits = one.decimals ?? 2;
  const remark = (cell) => cell.why || cell.note ? h('p', {class: 'note'}, [cell.why && plainReason(cell.why), cell.note].filter(Boolean).map(capital).join('. ')) : null;
  const name = (cell) => `${cell.row}: ${cell.column}`;
  const row = (cell) => judged ? [name(cell), published(cell, digits), fixed(cell.measured, digits), interval(cell, digits), sample(cell), [chip(shownVerdict(cell)), remark(cell)]] :
    [name(cell), fixed(cell.measured, digits), interval(cell, digits), sample(cell), cell.note ? capital(cell.note) : ''];
  const again = (cell) => [h('span', {class: 'note'}, `the other run, ${one.beside.scale} scale`), ...judged ? [''] : [], fixed(cell.measured, digits), interval(cell, digits), sample(cell),
    judged ? cell.verdict : ''];
  return h('section', null, h('h2', null, one.label ? `${one.label}: ${one.title}` : one.title ?? one.id),
    one.note ? h('p', {class: 'note'}, one.note) : null,
    one.source ? h('p', {class: 'note'}, `${capital(sourceText(one.source))}${one.beside ? `; the other run: ${sourceText(one.beside)}` : ''}.`) : null,
    table(`${one.title ?? one.id}${one.unit ? ` (${one.unit})` : ''}`, judged ? ['what', 'published', 'measured', '95 % interval', 'n', 'verdict'] : ['what', 'measured', '95 % interval', 'n', 'note'],
      cells.flatMap((cell) => cell.beside ? [row(cell), again(cell.beside)] : [row(cell)]), {kind: 'numbers stacks', hideCaption: true}));
}

/** The same, folded if it is long or one of `many`: its verdicts are counted on the fold. */
const LONG = 6;
export function foldedTable(one, judged = true, many = false) {
  const section = cellsTable(one, judged), title = section.firstChild;
  if (one.cells.length <= LONG && !many) return section;
  const number = (verdict) => one.cells.filter((cell) => cell.verdict === verdict).length;
  title.remove();
  return h('details', {class: 'folded-table'}, h('summary', null, h('h2', null, title.textContent),
    h('span', {class: 'row tight'}, judged ? ORDER.filter(number).map((verdict) => chip(verdict, number(verdict))) : h('span', {class: 'note'}, `${count(one.cells.length)} values`))), section);
}

/** Links that download a figure of a paper. Without a server nothing draws pictures; the numbers are there. */
const downloads = (one, system) => h('p', {class: 'note row tight'}, 'Download:', (brought.worker ? ['CSV'] : ['SVG', 'PNG', 'CSV']).map((kind) => {
  const file = `${one.experiment}-${one.id}.${kind.toLowerCase()}`, path = `/api/papers/${encodeURIComponent(system)}/figures/${encodeURIComponent(file)}`;
  return brought.worker ? button(kind, () => save(path)) : h('a', {href: path, download: file}, kind);
}));

/** A figure of a paper, with links to download it. */
export function paperFigure(one, system) {
  const made = figure(one), element = made.element ?? made;
  return {element: h('div', null, element, one.experiment ? downloads(one, system) : null), close: () => made.close?.()};
}

const COLOURS = ['red', 'blue', 'soft', 'green', 'purple', 'yellow', 'ink'];

/** A figure from its data, with its table. */
export function figure(one) {
  if (one.kind === 'map') return heatMap(one);
  if (one.kind === 'points') return dotPlot(one, COLOURS);
  const xs = [...new Set(one.series.flatMap((series) => series.points.map((point) => point[0])))].sort((a, b) => a - b);
  const data = [xs];
  for (const series of one.series) {
    const at = new Map(series.points.map((point) => [point[0], point]));
    for (const column of series.reference ? [1] : [1, 2, 3]) data.push(xs.map((x) => at.get(x)?.[column] ?? null));
  }
  const chart = new Chart({label: one.title, x: one.x, y: one.y, height: 280,
    series: one.series.map((series, i) => series.reference ? {label: series.name, colour: 'ink', dash: [6, 4]} :
      {label: series.name, colour: COLOURS[i % COLOURS.length], band: true, hollow: i % 2 === 0})});
  chart.show(data);
  const element = h('figure', null, h('figcaption', null, one.title),
    h('p', {class: 'legend'}, one.series.map((series, i) => h('span', {class: series.reference ? 'key ink' : `key ${COLOURS[i % COLOURS.length]}${i % 2 === 0 ? ' hollow' : ''}`}, series.name))), chart.element);
  return {element, close: () => chart.close()};
}
