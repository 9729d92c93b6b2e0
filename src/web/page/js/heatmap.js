// A field of numbers over a grid, in cividis: a scale that the colour-blind read as well, dark for little and bright for much.
import {h, s, short, table} from './dom.js';

const CIVIDIS = [[0, 32, 77], [0, 52, 110], [57, 72, 107], [87, 93, 109], [112, 113, 115], [138, 134, 120], [166, 157, 117], [196, 181, 108],
  [228, 207, 91], [255, 234, 70]];

export function cividis(share) {
  const at = Math.min(Math.max(share, 0), 1) * (CIVIDIS.length - 1), i = Math.min(Math.floor(at), CIVIDIS.length - 2);
  const mixed = CIVIDIS[i].map((low, c) => Math.round(low + (CIVIDIS[i + 1][c] - low) * (at - i)));
  return `rgb(${mixed.join(', ')})`;
}

/** A lab's figure of the kind "map": one series of points [x, y, value]. */
export function heatMap({title, x, y, series}) {
  const points = series?.[0]?.points ?? [];
  const xs = [...new Set(points.map((point) => point[0]))].sort((a, b) => a - b), ys = [...new Set(points.map((point) => point[1]))].sort((a, b) => b - a);
  const values = points.map((point) => point[2]).filter(Number.isFinite), low = Math.min(...values), high = Math.max(...values);
  const share = (value) => high > low ? (value - low) / (high - low) : 0.5;
  const W = 600 / Math.max(xs.length, 1), H = 400 / Math.max(ys.length, 1);
  const cells = points.filter((point) => Number.isFinite(point[2])).map((point) => s('rect', {
    x: xs.indexOf(point[0]) * W, y: ys.indexOf(point[1]) * H, width: W + 0.5, height: H + 0.5, fill: cividis(share(point[2]))},
  s('title', null, `${x} ${short(point[0])}, ${y} ${short(point[1])}: ${short(point[2])}`)));
  const label = (text, px, py, anchor = 'middle') => s('text', {class: 'map-label', x: px, y: py, 'text-anchor': anchor}, text);
  const every = (list, most) => list.filter((_, i) => i % Math.ceil(list.length / most) === 0);
  const scale = Array.from({length: 20}, (_, i) => s('rect', {x: 625, y: 400 - (i + 1) * 20, width: 18, height: 20.5, fill: cividis(i / 19)}));
  return h('figure', null, h('figcaption', null, title),
    s('svg', {class: 'heat-map', viewBox: '-90 -15 800 480', role: 'img', 'aria-label': `${title}: from ${short(low)} to ${short(high)}; the table has the numbers`},
      cells, every(xs, 8).map((value) => label(short(value), (xs.indexOf(value) + 0.5) * W, 422)),
      every(ys, 8).map((value) => label(short(value), -8, (ys.indexOf(value) + 0.5) * H + 5, 'end')),
      label(x, 300, 450), s('text', {class: 'map-label', transform: 'translate(-72 200) rotate(-90)', 'text-anchor': 'middle'}, y),
      scale, label(short(high), 650, 10, 'start'), label(short(low), 650, 400, 'start')),
    h('details', {class: 'data'}, h('summary', null, 'Data as a table'),
      table(title, [x || 'x', y || 'y', 'value'], points.map((point) => point.slice(0, 3).map(short)), {hideCaption: true, kind: 'numbers'})));
}
