// A field of numbers over a grid, in cividis: a scale that colour-blind people can read too, dark for low and bright for high values.
import {h, s, short, table} from './dom.js';

const CIVIDIS = [[0, 32, 77], [0, 52, 110], [57, 72, 107], [87, 93, 109], [112, 113, 115], [138, 134, 120], [166, 157, 117], [196, 181, 108],
  [228, 207, 91], [255, 234, 70]];

export function cividis(share) {
  const at = Math.min(Math.max(share, 0), 1) * (CIVIDIS.length - 1), i = Math.min(Math.floor(at), CIVIDIS.length - 2);
  return CIVIDIS[i].map((low, c) => Math.round(low + (CIVIDIS[i + 1][c] - low) * (at - i)));
}

/** One pixel for each point: maps have tens of thousands, too many for one element each. */
function pixels(points, xs, ys, share) {
  const canvas = h('canvas', {width: xs.length, height: ys.length}), context = canvas.getContext('2d');
  const image = context.createImageData(xs.length, ys.length);
  const column = new Map(xs.map((x, i) => [x, i])), line = new Map(ys.map((y, i) => [y, i]));
  for (const [x, y, value] of points) if (Number.isFinite(value))
    image.data.set([...cividis(share(value)), 255], 4 * (line.get(y) * xs.length + column.get(x)));
  context.putImageData(image, 0, 0);
  return canvas.toDataURL();
}

/** A lab's figure of the kind "map": one series of points [x, y, value]. */
export function heatMap({title, x, y, series}) {
  const points = series?.[0]?.points ?? [];
  const xs = [...new Set(points.map((point) => point[0]))].sort((a, b) => a - b), ys = [...new Set(points.map((point) => point[1]))].sort((a, b) => b - a);
  let low = Infinity, high = -Infinity;
  for (const [, , value] of points) if (Number.isFinite(value)) { low = Math.min(low, value); high = Math.max(high, value); }
  const share = (value) => high > low ? (value - low) / (high - low) : 0.5;
  const W = 600 / Math.max(xs.length, 1), H = 400 / Math.max(ys.length, 1);
  const label = (text, px, py, anchor = 'middle', spare = false) => s('text', {class: spare ? 'map-label spare' : 'map-label', x: px, y: py, 'text-anchor': anchor}, text);
  const every = (list, most) => list.filter((_, i) => i % Math.ceil(list.length / most) === 0);
  const scale = Array.from({length: 20}, (_, i) => s('rect', {x: 625, y: 400 - (i + 1) * 20, width: 18, height: 20.5, fill: `rgb(${cividis(i / 19)})`}));
  const inside = h('div', {class: 'inside'});
  return h('figure', null, h('figcaption', null, title),
    s('svg', {class: 'heat-map', viewBox: '-115 -20 830 490', role: 'img', 'aria-label': `${title}: from ${short(low)} to ${short(high)}; the table has the numbers`},
      points.length ? s('image', {href: pixels(points, xs, ys, share), x: 0, y: 0, width: 600, height: 400, preserveAspectRatio: 'none'}) : null,
      every(xs, 8).map((value, i) => label(short(value), (xs.indexOf(value) + 0.5) * W, 422, 'middle', i % 2 === 1)),
      every(ys, 8).map((value, i) => label(short(value), -8, (ys.indexOf(value) + 0.5) * H + 5, 'end', i % 2 === 1)),
      label(x, 300, 455), s('text', {class: 'map-label', transform: 'translate(-96 200) rotate(-90)', 'text-anchor': 'middle'}, y),
      scale, label(short(high), 650, 10, 'start'), label(short(low), 650, 400, 'start')),
    h('details', {class: 'data', on: {toggle() {
      if (!inside.childElementCount) inside.append(table(title, [x || 'x', y || 'y', 'value'], points.map((point) => point.slice(0, 3).map(short)), {hideCaption: true, kind: 'numbers'}));
    }}}, h('summary', null, 'Data as a table'), inside));
}
