// Charts by uPlot, each with its data as a table. The library is loaded with the first chart; if that fails, the table remains.
import {h, set, fixed, table} from './dom.js';

let library = null;

function load() {
  library ??= new Promise((done) => {
    const style = h('link', {rel: 'stylesheet', href: new URL('../vendor/uPlot.css', import.meta.url)});
    const script = h('script', {src: new URL('../vendor/uPlot.js', import.meta.url)});
    script.addEventListener('load', () => done(globalThis.uPlot ?? null));
    script.addEventListener('error', () => done(null));
    document.head.append(style, script);
  });
  return library;
}

/** A colour of the page in the current theme: canvases cannot read CSS variables. */
export function colour(name) {
  const probe = h('span', {class: `probe-${name}`});
  document.body.append(probe);
  const value = getComputedStyle(probe).color;
  probe.remove();
  return value;
}

const faint = (rgb, share) => rgb.replace(/^rgb\(/, 'rgba(').replace(/\)$/, `, ${share})`);

const FRACTIONS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5]; // steps of an axis that does not count things

const charts = new Set();
/** Canvases are painted again when the theme changes. */
export const repaint = () => { for (const chart of charts) chart.rebuild(); };

export class Chart {
  /** series: [{label, colour: 'blue'|'red'|'soft', points?, band?: true (needs low and high after it)}] */
  constructor({label, x, y, series, range, pick, height = 160, digits = 2, caption, open = false, labels = true, fold = 'Data as a table'}) {
    Object.assign(this, {label, x, y, series, range, pick, height, digits, labels, caption: caption ?? label});
    this.data = [[]];
    this.picture = h('div', {class: 'plot', role: 'img', 'aria-label': label});
    this.tablePlace = h('div', {class: 'inside'});
    this.fold = h('details', {class: 'data', open, on: {toggle: () => this.#table()}},
      h('summary', null, fold), this.tablePlace);
    this.element = h('div', {class: 'chart'}, this.picture, this.fold);
    this.plot = null;
    this.marked = null;
    this.watcher = new ResizeObserver(() => this.#resize());
    this.watcher.observe(this.picture);
    charts.add(this);
    this.rebuild();
  }

  close() {
    charts.delete(this);
    this.watcher.disconnect();
    this.plot?.destroy();
    this.plot = null;
  }

  /** Columns: x, then for each series its y, followed by low and high where it has a band. */
  show(data) {
    this.data = data;
    if (this.plot) this.plot.setData(data);
    else this.rebuild();
    this.#table();
  }

  /** A vertical line at x: the position that is shown. */
  mark(x) {
    this.marked = x;
    this.plot?.redraw(false);
  }

  async rebuild() {
    if (!this.data[0].length && !this.plot) return;
    const uPlot = await load();
    if (!charts.has(this)) return;
    if (!uPlot) {
      this.fold.open = true;
      this.picture.hidden = true;
      return;
    }
    this.plot?.destroy();
    this.plot = null;
    if (!this.data[0].length || !this.picture.clientWidth) return;
    set(this.picture);
    this.plot = new uPlot(this.#options(), this.data, this.picture);
  }

  #size() { return {width: Math.max(this.picture.clientWidth, 80), height: Math.max(this.picture.clientHeight || this.height, 90)}; }

  #resize() {
    if (!this.plot) { if (this.data[0].length) this.rebuild(); return; }
    const size = this.#size();
    if (size.width !== this.plot.width || size.height !== this.plot.height) this.plot.setSize(size);
  }

  #columns() {
    const list = [];
    let column = 1;
    for (const series of this.series) {
      list.push({series, y: column, low: series.band ? column + 1 : 0, high: series.band ? column + 2 : 0});
      column += series.band ? 3 : 1;
    }
    return list;
  }

  #options() {
    const ink = colour('ink'), line = colour('line'), font = '14px system-ui, sans-serif';
    const axis = (label, more) => ({stroke: ink, font, labelFont: font, grid: {stroke: line, width: 1}, ticks: {stroke: line, width: 1},
      label: this.labels ? label : null, labelSize: this.labels && label ? 20 : 0, ...more});
    const columns = this.#columns(), series = [{}], bands = [];
    for (const {series: one, low, high} of columns) {
      const stroke = colour(one.colour ?? 'blue');
      series.push({label: one.label, stroke, width: 2, dash: one.dash, spanGaps: true,
        points: {show: one.points, size: 5, stroke, fill: one.hollow ? colour('paper') : stroke}});
      if (!low) continue;
      series.push({label: 'low', stroke: 'transparent', points: {show: false}}, {label: 'high', stroke: 'transparent', points: {show: false}});
      if (one.band) bands.push({series: [high, low], fill: faint(stroke, 0.18)});
    }
    return {
      ...this.#size(), series, bands, legend: {show: false}, cursor: {drag: {x: false, y: false}, points: {show: Boolean(this.pick)}, y: false},
      scales: {x: {time: false}, y: {range: this.range}},
      axes: [
        axis(this.x, {size: 36, incrs: [...this.data[0].every(Number.isInteger) ? [] : FRACTIONS, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 100000]}),
        axis(this.y, {size: (_, marks) => 18 + 8 * Math.max(3, ...(marks ?? []).map((mark) => String(mark).length))}), // wide enough for its numbers
      ],
      hooks: {
        draw: [(plot) => this.#mark(plot)],
        ready: this.pick ? [(plot) => plot.over.addEventListener('click', () => {
          if (plot.cursor.idx !== null && plot.cursor.idx !== undefined) this.pick(this.data[0][plot.cursor.idx]);
        })] : [],
      },
    };
  }

  #mark(plot) {
    if (this.marked === null) return;
    const {ctx, bbox} = plot, at = plot.valToPos(this.marked, 'x', true);
    ctx.save();
    ctx.strokeStyle = colour('ink');
    ctx.setLineDash([4, 4]);
    ctx.beginPath();
    ctx.moveTo(at, bbox.top);
    ctx.lineTo(at, bbox.top + bbox.height);
    ctx.stroke();
    ctx.restore();
  }

  /** The table is made while it is open. */
  #table() {
    if (!this.fold.open) return;
    const columns = this.#columns();
    const cell = (value) => Number.isFinite(value) ? fixed(value, this.digits) : '–';
    const head = [this.x || 'x', ...columns.flatMap(({series, low}) => low ? [series.label, 'low', 'high'] : [series.label])];
    const rows = this.data[0].map((x, i) => [String(x),
      ...columns.flatMap(({y, low, high}) => (low ? [y, low, high] : [y]).map((column) => cell(this.data[column]?.[i])))]);
    set(this.tablePlace, rows.length ? table(this.caption, head, rows, {hideCaption: true, kind: 'numbers'}) : h('p', null, 'No data yet.'));
  }
}
