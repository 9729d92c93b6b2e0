// Learning curves of several training runs in one picture, and their numbers as a file.
import {h, button, renew} from '../dom.js';
import {Chart} from '../chart.js';
import {saveText} from '../stage/files.js';

const COLOURS = ['blue', 'red', 'green', 'purple', 'yellow', 'ink'];
export const MOST = COLOURS.length;

const csvOf = (trainings, titleOf) => ['run,what,x,y,low,high', ...trainings.flatMap((training) =>
  training.curve.map(([x, y, low, high]) => [training.name, `"${titleOf(training).replaceAll('"', '""')}"`, x, y, low, high].join(',')))].join('\n');

export class Comparison {
  constructor() { this.element = h('div', {class: 'stack'}); }

  close() { this.chart?.close(); }

  /** trainings with curves, which the same kind of learner need not have made; measureOf(training): {x, label, times, digits} of its curve. */
  show(trainings, titleOf, measureOf) {
    const drawn = trainings.filter((training) => training.curve?.length).slice(0, MOST), measures = drawn.map(measureOf);
    const [first] = measures, alike = measures.every((one) => one.label === first.label && one.x === first.x); // else each curve has a scale of its own, as it is
    renew(this.element, drawn.map((training) => [training.name]), () => {
      this.chart?.close();
      this.chart = null;
      if (drawn.length < 2) return [];
      this.chart = new Chart({label: 'Learning curves of several runs', x: alike ? first.x : 'trained', y: alike ? first.label : 'what each learner measures', digits: alike ? first.digits : 3, height: 260,
        series: drawn.map((training, i) => ({label: training.name, colour: COLOURS[i], band: true, points: true}))});
      return [h('p', {class: 'legend'}, drawn.map((training, i) => h('span', {class: `key ${COLOURS[i]}`}, `${titleOf(training)} (${training.name})`))), this.chart.element,
        h('div', {class: 'row'}, button('Save the curves (CSV)', () => saveText(csvOf(this.drawn, titleOf), 'curves.csv')))];
    });
    this.drawn = drawn;
    if (!this.chart) return;
    const xs = [...new Set(drawn.flatMap((training) => training.curve.map((point) => point[0])))].sort((a, b) => a - b);
    this.chart.show([xs, ...drawn.flatMap((training) => {
      const at = new Map(training.curve.map((point) => [point[0], point]));
      return [1, 2, 3].map((i) => xs.map((x) => at.has(x) ? (alike ? first.times : 1) * at.get(x)[i] : null));
    })]);
  }
}
