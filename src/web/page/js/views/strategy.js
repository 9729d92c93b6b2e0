// A strategy of the repeated dilemma by five sliders, and the class's tournament.
import {h, button, capital, count, errorLine, fixed, renew, table} from '../dom.js';
import {save} from '../stage/files.js';

const QUESTIONS = [['first', 'In the first round'], ['cc', 'After both cooperated'], ['cd', 'After I cooperated and the other did not'],
  ['dc', 'After I did not and the other cooperated'], ['dd', 'After both defected']];

/** enter({first, chances}) */
export class StrategyForm {
  constructor(enter) {
    this.error = errorLine();
    this.said = h('p', {class: 'note'});
    this.sliders = QUESTIONS.map(([name, label]) => {
      const shown = h('output', {class: 'numeric'}, '50 %');
      const slider = h('input', {type: 'range', min: 0, max: 100, step: 5, value: 50, id: `strategy-${name}`, on: {input: () => { shown.textContent = `${slider.value} %`; }}});
      return {slider, shown, element: h('div', {class: 'field number-choice'}, h('label', {for: slider.id}, label), h('div', {class: 'row'}, slider, shown))};
    });
    this.element = h('form', {class: 'run-form', on: {submit: async (event) => {
      event.preventDefault();
      const [first, ...chances] = this.sliders.map(({slider}) => Number(slider.value) / 100);
      try {
        await enter({first, chances});
        this.error.clear();
        this.said.textContent = 'It is entered. You can change it until the tournament is played, and after it.';
      } catch (problem) { this.error.show(problem); }
    }}}, h('p', null, 'How likely does your strategy cooperate?'), this.sliders.map((one) => one.element), h('button', {class: 'strong'}, 'Enter this strategy'), this.said, this.error.element);
  }

  show({first, chances}) {
    [first, ...chances].forEach((chance, i) => {
      const {slider, shown} = this.sliders[i];
      slider.value = Math.round(chance * 100);
      shown.textContent = `${slider.value} %`;
    });
  }
}

/** The outcome of a tournament. */
export class Outcome {
  constructor() { this.element = h('div', {class: 'stack'}); }

  show(tournament, path) {
    renew(this.element, tournament ?? null, () => tournament ? [
      h('p', {class: 'sentence'}, `${capital(tournament.ranking[0].name)} earned the most: ${fixed(tournament.ranking[0].score, 3)} points a round.`),
      h('p', {class: 'note'}, `Every strategy met every other one and its twin in ${tournament.repetitions} matches of ${tournament.turns} rounds${
        tournament.noise ? `; ${fixed(100 * tournament.noise, 0)} % of the moves came out as the other one` : ''}. Cooperation pays both 3 a round, defection both 1; who defects alone gets 5, the other 0.`),
      table('The tournament', ['Place', 'Strategy', 'Points a round', '95 % interval', 'Cooperated'],
        tournament.ranking.map((row) => [count(row.place), row.classic ? `${row.name} (classic)` : row.name, fixed(row.score, 3),
          row.low === row.high ? 'exact' : `${fixed(row.low, 3)} to ${fixed(row.high, 3)}`, `${fixed(100 * row.cooperation, 0)} %`]), {kind: 'numbers stacks', hideCaption: true}),
      h('div', {class: 'row'}, button('Save the table (CSV)', () => save(path))),
    ] : [h('p', {class: 'note'}, 'No tournament has been played yet.')]);
  }
}
