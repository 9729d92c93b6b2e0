// Explore: where two satisficing agents end, as a map over two numbers that redraws as the others are moved (docs/satisficing.md).
import {h, set, count, errorLine, field, fixed, newId, select} from '../dom.js';
import {post} from '../api.js';
import {heatMap} from '../heatmap.js';
import * as live from '../live.js';

const SIZE = 41;
const RANGES = {alpha: [0, 2], beta: [0, 2], sigma: [0.5, 1], delta: [0, 0.95], lambda: [0, 1]};
const MEANINGS = {sigma: 'Payoff of mutual cooperation', delta: 'Payoff of mutual defection', lambda: 'How much of the old aspiration is kept', alpha: 'First aspiration of the first agent', beta: 'First aspiration of the second agent'};
const STARTS = [['DD', 'both defect'], ['CC', 'both cooperate'], ['CD', 'one of each'], ['random', 'by chance']];

/** A number: fixed by its slider, or drawn again for each trial. */
class NumberChoice {
  constructor(name, value, changed) {
    const [low, high] = RANGES[name], id = newId(name);
    this.name = name;
    this.said = h('output', {for: id, class: 'numeric'});
    this.slider = h('input', {id, type: 'range', min: low, max: high, step: 0.01, value: value ?? (low + high) / 2, on: {input: () => { this.show(); changed(); }}});
    this.fixed = h('input', {type: 'checkbox', id: newId('fixed'), on: {change: () => { this.show(); changed(); }}});
    this.fixed.checked = value !== null;
    this.element = h('div', {class: 'number-choice'}, h('label', {for: id}, MEANINGS[name], h('span', {class: 'note'}, ` ${name}`)),
      h('div', {class: 'row tight'}, this.slider, this.said, this.fixed, h('label', {for: this.fixed.id}, 'fixed')));
    this.show();
  }

  show(taken = this.taken) {
    this.taken = taken;
    this.slider.disabled = taken || !this.fixed.checked;
    this.fixed.disabled = taken;
    this.said.textContent = taken ? 'an axis' : this.fixed.checked ? fixed(Number(this.slider.value), 2) : 'drawn';
    this.slider.setAttribute('aria-valuetext', this.said.textContent);
  }

  get word() { return this.taken || !this.fixed.checked ? null : `${this.name}=${this.slider.value}`; }
}

export async function showExplore(place) {
  const error = errorLine(), picture = h('div', {class: 'map-place'}), said = h('p', {class: 'sentence numeric'}), readout = h('p', {class: 'numeric', role: 'status'});
  let timer = 0, turn = 0;
  const changed = () => { clearTimeout(timer); timer = setTimeout(draw, 150); };
  const names = Object.keys(RANGES), axes = names.map((name) => ({value: name, label: MEANINGS[name]}));
  const x = select(axes, 'alpha', () => arrange()), y = select(axes, 'beta', () => arrange());
  const start = select(STARTS.map(([value, label]) => ({value, label})), 'DD', changed);
  const trials = h('input', {type: 'number', min: 1, max: 100, step: 1, value: 1, on: {input: changed}});
  const numbers = [['sigma', 0.8], ['delta', 0.7], ['lambda', 0.9], ['alpha', null], ['beta', null]].map(([name, value]) => new NumberChoice(name, value, changed));

  function arrange() {
    if (x.value === y.value) y.value = names.find((name) => name !== x.value);
    for (const one of numbers) one.show(one.name === x.value || one.name === y.value);
    changed();
  }

  /** The counts at a place of the picture. */
  function read(map, at) {
    const cell = map.points[at], wide = map.x.points, middle = (axis, i) => axis.low + (axis.high - axis.low) * (i + 0.5) / axis.points;
    const parts = map.columns.map((name, i) => cell[i] ? `${count(cell[i])} ${name}` : null).filter(Boolean);
    readout.textContent = `${map.x.number} ${fixed(middle(map.x, at % wide), 3)}, ${map.y.number} ${fixed(middle(map.y, Math.floor(at / wide)), 3)}: ${parts.join(', ') || 'no trial is possible'}.`;
  }

  function show(map) {
    const wide = map.x.points, middle = (axis, i) => Number((axis.low + (axis.high - axis.low) * (i + 0.5) / axis.points).toFixed(4));
    const points = map.points.map((cell, i) => {
      const all = cell.reduce((sum, number) => sum + number, 0);
      return [middle(map.x, i % wide), middle(map.y, Math.floor(i / wide)), all ? cell[0] / all : NaN];
    });
    const figure = heatMap({title: 'Share of trials that end in mutual cooperation', x: map.x.number, y: map.y.number, series: [{points}]});
    const svg = figure.querySelector('svg'), image = svg.querySelector('image');
    svg.addEventListener('pointermove', (event) => {
      const box = image.getBoundingClientRect(), column = Math.floor((event.clientX - box.x) / box.width * wide), row = Math.floor((box.bottom - event.clientY) / box.height * map.y.points);
      if (column >= 0 && column < wide && row >= 0 && row < map.y.points) read(map, row * wide + column);
    });
    set(picture, figure);
    readout.textContent = 'Point at the map to read its values.';
    const sums = map.columns.map((_, i) => map.points.reduce((sum, cell) => sum + cell[i], 0)), all = sums.reduce((sum, number) => sum + number, 0);
    said.textContent = all ? `Of ${count(all)} trials, ${map.columns.map((name, i) => [name, sums[i]]).filter(([, number]) => number).map(([name, number]) => `${fixed(100 * number / all, 1)} % ${name}`).join(', ')}.` : 'No trial is possible here.';
  }

  async function draw() {
    const mine = ++turn, words = [...numbers.map((one) => one.word).filter(Boolean), `start=${start.value}`];
    const axis = (name) => `${name}=${RANGES[name].join('..')}`;
    try {
      const map = await post('/api/satisfice/map', {words, x: axis(x.value), y: axis(y.value), size: SIZE, trials: Number(trials.value) || 1});
      if (mine !== turn) return;
      error.clear();
      show(map);
    } catch (problem) { if (mine === turn) error.show(problem); }
  }

  place.append(h('div', {class: 'page'}, h('p', null, h('a', {href: '#/lab'}, '← All papers')), h('h1', null, 'Where two satisficing agents end'),
    h('p', {class: 'lead'}, 'Each keeps what pays as much as it aspires to, and changes otherwise. Move a number and see where mutual cooperation lies: bright is all trials, dark is none.'),
    h('div', {class: 'two'}, h('section', {class: 'panel', 'aria-label': 'Map'}, said, picture, readout),
      h('section', {class: 'panel', 'aria-label': 'Numbers'}, h('div', {class: 'row'}, field('Across', x), field('Up', y)), field('They begin', start),
        numbers.map((one) => one.element), field('Trials at each point', trials, 'More than one where numbers are drawn.'), error.element))));
  live.listen({});
  arrange();
  return {close() { clearTimeout(timer); turn++; }};
}
