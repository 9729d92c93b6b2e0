// A small drawing for each exhibit: what one will see there. Ink, blue and vermilion, told apart by shape too.
import {s} from '../dom.js';

const W = 160, H = 84;
const rect = (x, y, width, height, kind, more = {}) => s('rect', {class: kind, x, y, width, height, ...more});
const dot = (cx, cy, r, kind) => s('circle', {class: kind, cx, cy, r});
const path = (d, kind) => s('path', {class: kind, d});
const lines = (count, from, step, draw) => Array.from({length: count}, (_, i) => draw(from + i * step));

/** Moves as bars; two of them got a deep search. */
const allocation = () => [path('M12 72h136', 'rule'), [18, 24, 14, 58, 20, 12, 22, 50, 16].map((tall, i) => [
  rect(16 + i * 15, 72 - tall, 9, tall, tall > 40 ? 'red' : 'soft'), tall > 40 ? path(`M${16.500 + i * 15} ${72 - tall - 10}h8l-4 6z`, 'red') : null])];

/** A string on a Go board, and the moves of the proof around it. */
const widening = () => [lines(5, 44, 18, (x) => path(`M${x} 6v72`, 'rule')), lines(4, 15, 18, (y) => path(`M36 ${y}h88`, 'rule')),
  [[62, 33], [98, 33], [80, 15]].map(([x, y]) => dot(x, y, 8, 'ink')), dot(80, 33, 8, 'paper'), path('M80 28l5 8h-10z', 'red'), dot(80, 51, 5, 'blue'), dot(62, 51, 4, 'hollow'), dot(98, 51, 4, 'hollow'), dot(80, 69, 4, 'hollow')];

/** What a disc is worth on each cell: corners much, the cells beside them less than nothing. */
const tdleaf = () => Array.from({length: 24}, (_, i) => {
  const x = i % 6, y = Math.floor(i / 6), corner = (x === 0 || x === 5) && (y === 0 || y === 3), beside = !corner && (x < 2 || x > 3) && (y === 1 || y === 2) && (x === 1 || x === 4);
  return [rect(23 + x * 19, 4 + y * 19, 19, 19, corner ? 'blue' : beside ? 'warm' : x === 0 || x === 5 || y === 0 || y === 3 ? 'cool' : 'plain'),
    corner ? path(`M${28 + x * 19} ${13.500 + y * 19}h9m-4.500 -4.500v9`, 'sign') : beside ? path(`M${28 + x * 19} ${13.500 + y * 19}h9`, 'rule') : null];
});

/** Two aspirations on their way down to where both are content. */
const satisficing = () => [rect(42, 4, 76, 76, 'cool'), path('M42 80v-66h8v22h10v16h14v12h20v10h24v6z', 'warm'), path('M108 16L98 24L92 27L84 36L76 41L70 50', 'walk'),
  [[98, 24], [92, 27], [84, 36], [76, 41]].map(([x, y]) => dot(x, y, 2.500, 'ink')), dot(108, 16, 5, 'hollow'), path('M70 44l6 6l-6 6l-6 -6z', 'ink')];

/** Rules on the left, the board that they mean on the right. */
const general = () => [lines(6, 16, 10, (y) => path(`M14 ${y}h${[44, 30, 38, 22, 34, 26][(y - 16) / 10]}`, 'words')), path('M68 42h14m-5 -4l5 4l-5 4', 'walk'),
  lines(4, 92, 14, (x) => path(`M${x + 7} 14v56`, 'rule')), lines(4, 14, 14, (y) => path(`M92 ${y + 7}h56`, 'rule')), dot(106, 63, 6, 'red'), dot(120, 63, 6, 'ring'), dot(120, 49, 6, 'red'), dot(134, 63, 6, 'ring')];

/** Advisors as bars, for and against. */
const hoyle = () => [path('M80 6v72', 'rule'), [42, -18, 30, -34, 56].map((wide, i) => rect(wide < 0 ? 80 + wide : 80, 8 + i * 14, Math.abs(wide), 9, wide < 0 ? 'red' : 'blue'))];

/** The tree of games that it has seen; the well known part is thick. */
const experience = () => [path('M16 42L56 20M16 42L56 64M56 20L100 10M100 10L144 8', 'known'), path('M56 20L100 30M56 64L100 52M56 64L100 76M100 30L144 24M100 30L144 38M100 52L144 52M100 76L144 70', 'rule'),
  [[16, 42], [56, 20], [100, 10], [144, 8]].map(([x, y]) => dot(x, y, 6, 'blue')), [[56, 64], [100, 30], [100, 52], [100, 76], [144, 24], [144, 38], [144, 52], [144, 70]].map(([x, y]) => dot(x, y, 4, 'hollow'))];

const PICTURES = {allocation, widening, tdleaf, satisficing, general, hoyle, experience};

export const pictureOf = (system) => s('svg', {class: 'exhibit-picture', viewBox: `0 0 ${W} ${H}`, 'aria-hidden': 'true'}, PICTURES[system]?.());
