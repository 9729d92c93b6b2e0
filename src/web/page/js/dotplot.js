// A figure whose places have names: a row for each, its values as dots with their intervals as lines, published above measured.
import {h, s, fixed, short, table} from './dom.js';

/** Round numbers from the lowest value to the highest; one that lies beyond by next to nothing asks for no number more. */
function ticks(low, high) {
  const span = high - low || Math.abs(high) || 1, power = 10 ** Math.floor(Math.log10(span / 4));
  const step = power * [1, 2, 5, 10].find((factor) => span / (power * factor) <= 6);
  const list = [];
  for (let i = Math.floor(low / step + 0.02); i <= Math.ceil(high / step - 0.02); i++) list.push(i * step);
  return list.length > 1 ? list : [list[0], list[0] + step];
}

const ROW = 18; // pixels for each series in a row

/** One place: a line for each tick, and for each series its interval and its value. */
function track(points, scale, marks, colours) {
  const height = points.length * ROW + 6, at = (value) => `${100 * scale(value)}%`;
  return s('svg', {class: 'track', height, 'aria-hidden': 'true'},
    marks.map((mark) => s('line', {class: 'tick', x1: at(mark), x2: at(mark), y1: 0, y2: height})),
    points.map((point, i) => {
      if (!Number.isFinite(point?.[1])) return null;
      const [, value, low, high] = point, y = ROW * (i + 0.5) + 3;
      return s('g', {class: `dot ${colours[i % colours.length]}${i % 2 === 0 ? ' hollow' : ''}`},
        Number.isFinite(low) && Number.isFinite(high) ? s('line', {x1: at(low), x2: at(high), y1: y, y2: y}) : null, s('circle', {cx: at(value), cy: y, r: 5}));
    }));
}

/** A lab's figure of the kind "points": series of points [place, value, low, high]. */
export function dotPlot(one, colours) {
  const {title, x, y, categories, series} = one, name = (place) => categories?.[place] ?? short(place);
  const by = series.map((each) => new Map(each.points.map((point) => [point[0], point])));
  const numbers = series.flatMap((each) => each.points.flatMap((point) => point.slice(1, 4))).filter(Number.isFinite);
  const marks = ticks(Math.min(...numbers), Math.max(...numbers)), first = marks[0], last = marks.at(-1);
  const scale = (value) => 0.02 + 0.96 * (value - first) / (last - first);
  const inside = h('div', {class: 'inside'}), places = [...new Set(by.flatMap((points) => [...points.keys()]))].sort((a, b) => a - b);
  const number = (value) => Number.isFinite(value) ? fixed(value, 2) : '–';
  const data = () => table(title, [x || 'place', ...series.flatMap((each) => [each.name, 'low', 'high'])],
    places.map((place) => [name(place), ...by.flatMap((points) => [1, 2, 3].map((column) => number(points.get(place)?.[column])))]), {hideCaption: true, kind: 'numbers'});
  return h('figure', null, h('figcaption', null, title),
    h('p', {class: 'legend'}, series.map((each, i) => h('span', {class: `key ${colours[i % colours.length]}${i % 2 === 0 ? ' hollow' : ''}`}, each.name))),
    h('div', {class: 'dots', role: 'img', 'aria-label': `${title}; the table has the numbers`},
      places.map((place) => [h('span', {class: 'row-name'}, name(place)), track(by.map((points) => points.get(place)), scale, marks, colours)]),
      h('span', {class: 'row-name'}), s('svg', {class: 'track', height: 42, 'aria-hidden': 'true'},
        marks.map((mark) => s('text', {x: `${100 * scale(mark)}%`, y: 16, 'text-anchor': 'middle'}, short(mark))),
        s('text', {x: '50%', y: 36, 'text-anchor': 'middle'}, y))),
    h('details', {class: 'data', on: {toggle: (event) => { if (event.target.open && !inside.firstChild) inside.append(data()); }}},
      h('summary', null, 'Data as a table'), inside));
}
