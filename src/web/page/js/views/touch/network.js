// TDLeaf: a network learns from nothing; what a man on each cell is worth to it is painted on the board while it learns.
import {h, s, set, button, capital, count, errorLine, fixed} from '../../dom.js';
import {get, post} from '../../api.js';
import {Chart} from '../../chart.js';
import {viewOf} from '../../board/boards.js';

const RUN = 'start-network', GAME = 'othello(size=6)', LEARNER = 'ntuple(games=10000)', POLL = 1000, SHOWN = 2;
const path = (name, rest = '') => `/api/learn/${encodeURIComponent(name)}${rest}`;
const groupOf = (learned, words) => learned.children?.find((child) => words.test(child.label ?? ''));

/** Rows of numbers as the server writes them; null where there is no cell. */
const rowsOf = (group) => (group?.children ?? []).map((row) => row.text.split(' ').map((word) => word === '.' ? null : Number(word)));

const CELL = 60;
/** The board as a map: blue is good to hold, vermilion bad; the number says how much. */
export function worthMap(rows) {
  const wide = Math.max(...rows.map((row) => row.length)), most = Math.max(2, ...rows.flat().map((value) => Math.abs(value ?? 0)));
  const letters = 'abcdefghijklmnopqrstuvwxyz', cells = rows.flatMap((row, y) => row.map((value, x) => ({value, x, y}))).filter((cell) => cell.value !== null);
  const best = cells.reduce((a, b) => b.value > a.value ? b : a), worst = cells.reduce((a, b) => b.value < a.value ? b : a);
  return s('svg', {class: 'worth-map', viewBox: `-26 -4 ${wide * CELL + 30} ${rows.length * CELL + 32}`, role: 'img',
    'aria-label': `What a disc on each cell is worth, in percent of the points: most on ${letters[best.x]}${best.y + 1}, ${fixed(best.value, 1)}; least on ${letters[worst.x]}${worst.y + 1}, ${fixed(worst.value, 1)}`},
    cells.map(({value, x, y}) => [
      s('rect', {class: value < 0 ? 'bad' : 'good', x: x * CELL, y: y * CELL, width: CELL, height: CELL, 'fill-opacity': fixed(0.08 + 0.72 * Math.abs(value) / most, 3).replace('−', '-')}),
      s('rect', {class: 'rim', x: x * CELL, y: y * CELL, width: CELL, height: CELL}),
      s('text', {class: Math.abs(value) / most > 0.6 ? 'strong' : null, x: (x + 0.5) * CELL, y: (y + 0.5) * CELL + 6, 'text-anchor': 'middle'}, `${value > 0 ? '+' : ''}${fixed(value, 1)}`)]),
    Array.from({length: wide}, (_, x) => s('text', {class: 'edge-name', x: (x + 0.5) * CELL, y: rows.length * CELL + 20, 'text-anchor': 'middle'}, letters[x])),
    rows.map((_, y) => s('text', {class: 'edge-name', x: -8, y: (y + 0.5) * CELL + 5, 'text-anchor': 'end'}, String(y + 1))));
}

export class LearningNetwork {
  constructor() {
    this.name = RUN;
    this.error = errorLine();
    this.map = h('div', {class: 'worth-place'});
    this.said = h('p', {class: 'sentence numeric', role: 'status'}, 'It starts with a table of zeros.');
    this.chart = new Chart({label: 'Points that it takes as it learns', x: 'games', y: '% of the points', digits: 0, height: 170, range: [0, 100], series: [{label: '% of the points', colour: 'blue', band: true, points: true}]});
    this.tuples = h('div', {class: 'tuples'});
    this.play = button('Play it as it is now', () => this.#play(), {kind: 'strong', disabled: true});
    this.again = button('Let another learn from nothing', () => this.#begin(undefined));
    this.element = h('div', {class: 'two even'},
      h('div', {class: 'stack tight'}, h('h3', null, 'What a black disc on each cell is worth'), this.map,
        h('p', {class: 'note'}, 'In percent of the points, by the network’s tables of single cells. Blue with a plus: good to hold. Vermilion with a minus: better left alone.')),
      h('div', {class: 'stack tight'}, this.said, this.chart.element, h('h3', null, 'Tuples that it values most'), this.tuples, this.error.element, h('div', {class: 'row tight'}, this.play, this.again)));
    this.#begin(RUN);
  }

  /** The run of the exhibit, or a new one. */
  async #begin(name) {
    clearTimeout(this.timer);
    this.again.disabled = true;
    try {
      const {trainings} = name ? await get('/api/learn') : {trainings: []};
      const run = trainings.find((one) => one.name === name) ?? await post('/api/learn', {learner: LEARNER, game: GAME, seeds: 1, name, seed: name ? undefined : Math.floor(Math.random() * 1e6)});
      if (this.closed) return;
      this.name = run.name;
      this.error.clear();
      await this.#look();
    } catch (problem) {
      if (problem.status === 429) {
        this.said.textContent = 'Other players are learning at the moment. This one starts when one of them has finished.';
        this.timer = setTimeout(() => this.#begin(name), 3000);
      } else this.error.show(problem);
    }
  }

  async #look() {
    const {name} = this;
    try {
      const run = await get(path(name)), points = run.curve ?? [];
      if (this.closed || name !== this.name) return;
      const running = run.state === 'running', done = running ? run.progress?.done ?? 0 : points.at(-1)?.[0] ?? 0;
      this.chart.show([points.map((point) => point[0]), ...[1, 2, 3].map((i) => points.map((point) => 100 * point[i]))]);
      this.play.disabled = !points.length;
      this.again.disabled = running;
      this.said.textContent = `${running ? 'It plays against itself: game' : 'It has played against itself'} ${count(done)}${running ? '' : ' times'}.${
        points.length ? ` It takes ${fixed(100 * points.at(-1)[1], 0)} % of the points (95 %: ${fixed(100 * points.at(-1)[2], 0)} to ${fixed(100 * points.at(-1)[3], 0)}) against a search of equal depth.` : ''}`;
      if (points.length) await this.#paint(name);
      if (running && !this.closed) this.timer = setTimeout(() => this.#look(), POLL);
    } catch (problem) { if (!this.closed) this.error.show(problem); }
  }

  async #paint(name) {
    const {learned, game} = await get(path(name, '/learned'));
    if (this.closed || name !== this.name) return;
    const rows = rowsOf(groupOf(learned, /^worth of/));
    if (rows.length) set(this.map, worthMap(rows));
    const shown = (words) => (groupOf(learned, words)?.children ?? []).filter((one) => one.label.includes(' ')).slice(0, SHOWN); // single cells are on the map
    set(this.tuples, [[/^what it likes/, 'likes'], [/^what it fears/, 'fears']].flatMap(([words, verb]) => shown(words).map((one) => {
      const view = viewOf(game, {mini: true, label: `${capital(verb)} ${one.label}`}), pattern = one.children?.[0]?.text;
      return pattern && view.pattern?.(pattern) ? h('figure', {class: 'tuple'}, view.element, h('figcaption', null, `${verb} it`)) : null;
    })));
  }

  async #play() {
    try {
      const {game, spec} = await post(path(this.name, '/player')), session = await post('/api/sessions', {game, seats: ['human', spec]});
      location.hash = `#/play/${session.id}`;
    } catch (problem) { this.error.show(problem); }
  }

  close() { this.closed = true; clearTimeout(this.timer); this.chart.close(); }
}
