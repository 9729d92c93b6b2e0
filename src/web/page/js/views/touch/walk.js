// Satisficing: two agents walk the plane of their aspirations; the map beneath says where each start would end.
import {h, s, set, button, field, fixed, stillness} from '../../dom.js';
import {plural} from '../../names.js';
import {satisfice} from '../../satisfice.js';

const CELLS = 40, ROUNDS = 400, MAP_ROUNDS = 250, PACE = 90; // milliseconds for a round
const SIDE = 260, LEFT = 44, TOP = 10, MOST = 2; // of the picture, and the largest aspiration
const x = (number) => LEFT + number * SIDE / MOST, y = (number) => TOP + SIDE - number * SIDE / MOST;

/** Where a pair that starts here ends: C both cooperate, D both defect, '-' anything else. */
function endOf(aspirations, value) {
  let state = {actions: 'DD', aspirations}, before = '';
  for (let i = 0; i < MAP_ROUNDS; i++) { before = state.actions; state = satisfice(state, value); }
  return state.actions !== before ? '-' : {CC: 'C', DD: 'D'}[state.actions] ?? '-';
}

const TINTS = {C: [0, 114, 178, 96], D: [213, 94, 0, 84], '-': [128, 128, 128, 40]};
/** One pixel for each start. */
function mapOf(value) {
  const canvas = h('canvas', {width: CELLS, height: CELLS}), context = canvas.getContext('2d'), image = context.createImageData(CELLS, CELLS);
  for (let row = 0; row < CELLS; row++) for (let column = 0; column < CELLS; column++) {
    const end = endOf([(column + 0.5) * MOST / CELLS, (CELLS - row - 0.5) * MOST / CELLS], value);
    image.data.set(TINTS[end], 4 * (row * CELLS + column));
  }
  context.putImageData(image, 0, 0);
  return canvas.toDataURL();
}

const WORDS = {C: 'cooperates', D: 'defects'};

export class Walk {
  constructor() {
    this.picture = h('div', {class: 'walk'});
    this.said = h('p', {class: 'sentence', role: 'status'});
    this.round = h('p', {class: 'note numeric'});
    this.go = button('Let them walk', () => this.#toggle(), {kind: 'strong'});
    this.numbers = [['alpha', 'First aspiration of agent 1', 0, 2, 1.6], ['beta', 'First aspiration of agent 2', 0, 2, 1.2], ['lambda', 'How much of the old aspiration is kept', 0, 0.99, 0.9],
      ['sigma', 'Payoff of mutual cooperation', 0.5, 1, 0.8], ['delta', 'Payoff of mutual defection', 0, 0.8, 0.65]].map(([name, label, low, high, value]) => {
      const slider = h('input', {type: 'range', min: low, max: high, step: 0.01, value, on: {input: () => this.#changed()}});
      const said = h('output', {class: 'numeric'});
      return {name, slider, said, element: h('div', {class: 'number-choice'}, field(label, slider), said)};
    });
    this.element = h('div', {class: 'two even'},
      h('div', {class: 'stack tight'}, this.picture,
        h('p', {class: 'legend'}, h('span', {class: 'key blue'}, 'starts that end in cooperation'), h('span', {class: 'key red hollow'}, 'in defection'), h('span', {class: 'key soft hollow'}, 'in neither')),
        h('div', {class: 'row tight'}, this.go, button('One round', () => { this.#stop(); this.#step(); })), this.round, this.said),
      h('div', {class: 'stack tight'}, h('p', null, 'Click on the map, or move a slider: they start there.'), this.numbers.map((one) => one.element)));
    this.#changed();
    if (!stillness()) this.#toggle();
  }

  #set(name, number) { this.numbers.find((one) => one.name === name).slider.value = number; }

  /** Other numbers: another map, another walk, from its start. */
  #changed() {
    const value = this.value = Object.fromEntries(this.numbers.map((one) => [one.name, Number(one.slider.value)]));
    for (const one of this.numbers) one.said.textContent = fixed(Number(one.slider.value), 2);
    let state = {actions: 'DD', aspirations: [value.alpha, value.beta]};
    this.trail = [state];
    for (let i = 0; i < ROUNDS; i++) this.trail.push(state = satisfice(state, value));
    const last = this.trail.at(-1), ends = this.trail.slice(-20), settled = ends.every((one) => one.actions === last.actions);
    this.settled = settled ? this.trail.findLastIndex((one) => one.actions !== last.actions) + 1 : ROUNDS;
    this.said.textContent = !settled ? 'They do not settle: they go round and round.' : last.actions === 'CC' ? `They end by cooperating, after ${plural(this.settled, 'round')}.`
      : last.actions === 'DD' ? 'They end by defecting: both are content with little.' : 'One exploits the other, and both are content.';
    this.at = this.timer ? 0 : Math.min(this.settled + 10, ROUNDS);
    const key = [value.lambda, value.sigma, value.delta].join();
    if (key !== this.mapped) { this.mapped = key; this.map = mapOf(value); this.#frame(); }
    this.#draw();
  }

  /** What stays while they walk. */
  #frame() {
    this.moving = s('g');
    const tick = (number) => [s('text', {x: x(number), y: TOP + SIDE + 16, 'text-anchor': 'middle'}, String(number)), s('text', {x: LEFT - 6, y: y(number) + 4, 'text-anchor': 'end'}, String(number))];
    this.svg = s('svg', {viewBox: `0 0 ${LEFT + SIDE + 12} ${TOP + SIDE + 40}`, role: 'img', on: {click: (event) => this.#pick(event)}},
      s('rect', {class: 'walk-plane', x: LEFT, y: TOP, width: SIDE, height: SIDE}),
      s('image', {href: this.map, x: LEFT, y: TOP, width: SIDE, height: SIDE, preserveAspectRatio: 'none'}),
      [0, 1, 2].map(tick),
      s('text', {x: LEFT + SIDE / 2, y: TOP + SIDE + 34, 'text-anchor': 'middle'}, 'aspiration of agent 1'),
      s('text', {x: 12, y: TOP + SIDE / 2, 'text-anchor': 'middle', transform: `rotate(-90 12 ${TOP + SIDE / 2})`}, 'aspiration of agent 2'), this.moving);
    set(this.picture, this.svg);
  }

  #draw() {
    const trail = this.trail.slice(0, this.at + 1), now = trail.at(-1), [start] = trail;
    const dots = {CC: 'walk-cc', DD: 'walk-dd', CD: 'walk-cd', DC: 'walk-cd'};
    this.svg.setAttribute('aria-label', `The aspirations of both agents, from ${start.aspirations.map((one) => fixed(one, 2)).join(' and ')} to ${now.aspirations.map((one) => fixed(one, 2)).join(' and ')}`);
    set(this.moving, s('polyline', {class: 'walk-line', points: trail.map(({aspirations: [a, b]}) => `${x(a)},${y(b)}`).join(' ')}),
      trail.slice(1).map(({actions, aspirations: [a, b]}) => s('circle', {class: dots[actions], cx: x(a), cy: y(b), r: actions === 'CC' ? 3.5 : 2.5})),
      s('circle', {class: 'walk-start', cx: x(start.aspirations[0]), cy: y(start.aspirations[1]), r: 7}),
      s('path', {class: 'walk-now', d: `M${x(now.aspirations[0])} ${y(now.aspirations[1]) - 7}l7 7l-7 7l-7 -7z`}));
    const [one, two] = now.actions;
    this.round.textContent = `Round ${this.at}: agent 1 ${WORDS[one]}, agent 2 ${WORDS[two]}. They aspire to ${now.aspirations.map((number) => fixed(number, 2)).join(' and ')}.`;
  }

  #pick(event) {
    const {left, top, width, height} = this.svg.getBoundingClientRect(), {viewBox: {baseVal: box}} = this.svg;
    const a = ((event.clientX - left) * box.width / width - LEFT) * MOST / SIDE, b = (TOP + SIDE - (event.clientY - top) * box.height / height) * MOST / SIDE;
    if (a < 0 || b < 0 || a > MOST || b > MOST) return;
    this.#set('alpha', a);
    this.#set('beta', b);
    this.#changed();
    if (!this.timer && !stillness()) this.#toggle();
  }

  #step() {
    if (this.at >= Math.min(this.settled + 10, ROUNDS)) this.at = 0; // from the start again
    else this.at++;
    this.#draw();
  }

  #toggle() {
    if (this.timer) { this.#stop(); return; }
    this.at = 0;
    this.go.textContent = 'Stop';
    this.timer = setInterval(() => {
      this.at++;
      this.#draw();
      if (this.at >= Math.min(this.settled + 10, ROUNDS)) this.#stop();
    }, PACE);
    this.#draw();
  }

  #stop() {
    clearInterval(this.timer);
    this.timer = null;
    this.go.textContent = 'Let them walk';
  }

  close() { this.#stop(); }
}
