// Learn: a learner at work. Its curve grows as it learns, with its spread over seeds; it can be stopped, go on, and be played against as it
// is now. A match can be followed in the same frame.
import {h, renew, set, button, capital, count, errorLine, field, fixed, select, short, table} from '../dom.js';
import {brought, get, post, query} from '../api.js';
import * as live from '../live.js';
import {keys} from '../keys.js';
import {Chart} from '../chart.js';
import {reasonView} from '../why.js';
import {forProgrammers, gameTitle, learnerTitle, playerTitle, plural} from '../names.js';
import {GameChoice} from '../stage/newgame.js';
import {asRun, Curve, follow, meet, processOf, Progress, runForm, scoreText, titlesOf} from './runs.js';
import {Comparison} from './compare.js';

const trainingPath = (name, rest = '') => `/api/learn/${encodeURIComponent(name)}${rest}`;
const nameOf = (training) => /^\w+/.exec(training.learner)[0];
const titleOf = (training) => `${learnerTitle(training.learner)}: ${gameTitle(training.game)}`;

/** Opens a session against a player. */
async function playAgainst(game, spec) {
  const session = await post('/api/sessions', {game, seats: ['human', spec]});
  location.hash = `#/play/${session.id}`;
}

/* ---- a training run ---- */

/** How the base of an experience learner grows: [games, positions, share of decisions without a search, distinct games] rows, means over the seeds as far as all
 * of them have come; none for other learners. */
function growthOf(trainings) {
  const lists = trainings.map((training) => training.also?.growth ?? []).filter((list) => list.length);
  const length = lists.length ? Math.min(...lists.map((list) => list.length)) : 0;
  return Array.from({length}, (_, i) => [0, 1, 2, 3].map((k) => lists.reduce((sum, list) => sum + list[i][k], 0) / lists.length));
}

/** Where the panel stands, by opponent: [name, first, last] with shares of games not lost and won in percent, means over the seeds as far as all of
 * them have come; none for learners that are not tested against a panel. */
function panelOf(trainings) {
  const lists = trainings.map((training) => training.also?.tests ?? []).filter((list) => list.length);
  const length = lists.length ? Math.min(...lists.map((list) => list.length)) : 0;
  const mean = (at, row, name) => lists.reduce((sum, list) => sum + list[at].agents[row][name], 0) / lists.length;
  if (!length || lists.some((list) => !list[0].agents?.[0]?.against)) return [];
  return lists[0][0].agents.map((one, row) => ({against: one.against, first: [mean(0, row, 'reliability'), mean(0, row, 'power')],
    last: [mean(length - 1, row, 'reliability'), mean(length - 1, row, 'power')], low: mean(length - 1, row, 'reliability low'), high: mean(length - 1, row, 'reliability high')}));
}

const COLOURS = ['blue', 'red', 'green', 'purple', 'yellow', 'ink'];

/** How the weights of the first run move, the largest at the end first: {names, unit, rows: [games, weight...]}, hundredths of a man or point as men or points; null for learners without named weights. */
function weightsOf(trainings) {
  const rows = trainings[0]?.also?.weights ?? [], last = rows.at(-1)?.weights, of = rows.at(-1)?.unit, own = of === 'weight';
  if (!last) return null;
  const names = Object.keys(last).sort((a, b) => Math.abs(last[b]) - Math.abs(last[a])).slice(0, COLOURS.length);
  return {names, unit: own ? 'weight' : of === 'hundredths of a point' ? 'points' : 'men', rows: rows.map((row) => [row.games, ...names.map((name) => row.weights[name] / (own ? 1 : 100))])};
}

/** What a curve shows, in words: {label, times, text(value)}; shares are told in percent. */
function measureOf(learner) {
  const share = learner.range[0] === 0 && learner.range[1] === 1, digits = !share ? 3 : learner.y === 'points' ? 0 : 1, times = share ? 100 : 1;
  return {times, digits, label: !share ? learner.y : learner.y === 'points' ? '% of the points' : `${learner.y}, %`, text: (value) => fixed(times * value, digits),
    said: (value) => learner.y === 'points' ? `It takes ${fixed(times * value, digits)} % of the points` : `${capital(learner.y)}: ${fixed(times * value, digits)}${share ? ' %' : ''}`};
}

class TrainingView {
  constructor(learner, name) {
    this.learner = learner;
    this.measure = measureOf(learner);
    this.name = name;
    this.title = h('h2', null);
    this.said = h('p', {class: 'sentence numeric'});
    this.band = h('p', {class: 'note'});
    this.chart = new Chart({label: `${capital(learner.y)} as it learns`, x: learner.x, y: this.measure.label, digits: this.measure.digits, height: 260, range: this.measure.times === 100 ? [0, 100] : undefined,
      series: [{label: this.measure.label, colour: 'blue', band: true, points: true},
        ...(learner.chance === null ? [] : [{label: 'by chance', colour: 'soft', dash: [6, 5], points: false}])]});
    this.progress = new Progress({stop: () => this.#act('stop'), resume: () => this.#act('resume')});
    this.play = button('Play against it as it is now', async () => {
      try {
        const {game, spec} = await post(trainingPath(name, '/player'));
        await playAgainst(game, spec);
      } catch (problem) { this.progress.error.show(problem); }
    }, {key: 'p', kind: 'strong'});
    this.growth = h('div', {class: 'stack'});
    this.weightsPlace = h('div', {class: 'stack'});
    this.panel = h('div', {class: 'stack'});
    this.inside = h('div', {class: 'stack learned'});
    this.technical = h('div');
    this.element = h('section', {class: 'panel', 'aria-label': 'Training run'}, this.title, this.said, this.chart.element, this.band, this.panel, this.growth, this.weightsPlace, this.progress.element,
      h('div', {class: 'row'}, this.play, button('What it learned', () => this.#look())), this.inside, this.technical);
    this.events = 0;
    this.off = live.on('learn', (news) => { if (news.name === name) { this.events++; this.apply(news); } });
  }

  close() { this.off(); this.chart.close(); this.base?.close(); this.weights?.close(); }

  async refresh() {
    const before = this.events, news = await get(trainingPath(this.name));
    if (before === this.events) this.apply(news);
  }

  async #act(what) { this.apply(await post(trainingPath(this.name, `/${what}`))); }

  #grow(rows) {
    if (!rows.length) return;
    if (!this.base) {
      this.base = new Chart({label: 'Positions in the experience base', x: this.learner.x, y: 'positions', digits: 0, height: 160, series: [{label: 'positions', colour: 'blue', points: true}]});
      this.grown = h('p', {class: 'note'});
      set(this.growth, h('h3', null, 'What it remembers'), this.base.element, this.grown);
    }
    this.base.show([rows.map((row) => row[0]), rows.map((row) => row[1])]);
    const [at, positions, without, distinct] = rows.at(-1);
    this.grown.textContent = `${plural(Math.round(positions), 'position')} after ${count(at)} ${this.learner.x}; ${fixed(100 * without, 1)} % of the latest decisions needed no search.${
      Number.isFinite(distinct) ? ` ${count(Math.round(distinct))} of the games were distinct${distinct < at / 2 ? ': it mostly replays lines that it has found' : ''}.` : ''}`;
  }

  #weigh(found) {
    if (!found) return;
    const {names, unit, rows} = found;
    if (this.weighed !== names.join()) { // another weight has grown: the lines are others
      this.weighed = names.join();
      this.weights?.close();
      this.weights = new Chart({label: 'Weights as they are learned', x: this.learner.x, y: unit, digits: 2, height: 200,
        series: names.map((label, i) => ({label, colour: COLOURS[i], points: true}))});
      set(this.weightsPlace, h('h3', null, 'What it holds dear'), h('p', {class: 'note'}, `The largest weights of the first run${unit === 'weight' ? '' : `, in ${unit},`} as it learns.`),
        h('p', {class: 'legend'}, names.map((name, i) => h('span', {class: `key ${COLOURS[i]}`}, name))), this.weights.element,
        brought.worker ? null : h('p', {class: 'note'}, h('a', {href: trainingPath(this.name, '/learned?as=weights'), target: '_blank', rel: 'noopener'}, 'As a picture (SVG)')));
    }
    this.weights.show(rows[0].map((_, i) => rows.map((row) => row[i])));
  }

  /** What was learned so far, in the viewer of reasons; and the picture of it, to project or print. */
  async #look() {
    try {
      const {learned, game} = await get(trainingPath(this.name, '/learned'));
      set(this.inside, h('h3', null, 'What it learned'), reasonView(learned, {game, flip: false}),
        h('p', {class: 'note'}, h('a', {href: trainingPath(this.name, '/learned?as=svg'), target: '_blank', rel: 'noopener'}, 'As a picture (SVG)')));
    } catch (problem) { this.progress.error.show(problem); }
  }

  #test(rows) {
    if (!rows.length) return;
    set(this.panel, table('Against a panel of opponents, in percent of the games', ['Opponent', 'Not lost at first', 'Not lost now', '95% interval', 'Won at first', 'Won now'],
      rows.map((row) => [h('span', {title: row.against}, playerTitle(row.against)), fixed(row.first[0], 0), fixed(row.last[0], 0), `${fixed(row.low, 0)} to ${fixed(row.high, 0)}`, fixed(row.first[1], 0), fixed(row.last[1], 0)])));
  }

  apply(training) {
    const {learner} = this, points = training.curve ?? [], last = points.at(-1), seeds = training.seeds;
    this.title.textContent = titleOf(training);
    renew(this.technical, [training.learner, training.game], () => forProgrammers(['Training run', training.name], ['Learner', training.learner], ['Game', training.game]));
    const {times, text, said} = this.measure;
    this.chart.show([points.map((point) => point[0]), ...[1, 2, 3].map((i) => points.map((point) => times * point[i])), ...learner.chance === null ? [] : [points.map(() => times * learner.chance)]]);
    const spread = last && `${seeds > 1 ? `${last[4]} of ${seeds} runs` : '95 %'}: ${text(last[2])} to ${text(last[3])}`;
    this.said.textContent = last ? `${said(last[1])} after ${count(last[0])} ${learner.x} (${spread})${
      learner.chance === null ? '' : `; by chance ${short(times * learner.chance)}${times === 100 ? ' %' : ''}`}.` : 'No result yet: the first point of the curve appears soon.';
    this.band.textContent = `${learner.measures} The band is ${seeds > 1 ? `the range of the ${seeds} runs, the line their mean` : 'the 95 % interval of the test'}.`;
    const at = (training.runs ?? []).filter((one) => one.done).length, running = training.state === 'running';
    const finished = training.state === 'done', seconds = (training.ended ?? Date.now() / 1000) - training.started;
    const state = {...processOf(training), seconds};
    const total = state.total ?? (finished ? last?.[0] ?? 1 : undefined);
    this.progress.show({...state, done: finished ? total : state.done, total,
      unit: `${learner.x}${seeds > 1 ? `, run ${Math.min(at + 1, seeds)} of ${seeds}` : ''}`});
    this.progress.resume.hidden = running || finished;
    this.play.disabled = !points.length;
    this.#grow(growthOf(training.runs ?? []));
    this.#weigh(weightsOf(training.runs ?? []));
    this.#test(panelOf(training.runs ?? []));
  }
}

/* ---- a match in the same frame ---- */

class MatchView {
  constructor(name) {
    this.run = null;
    this.curve = new Curve('Score as games are played, with its 95% interval');
    this.following = follow(name, (news) => this.#apply(news));
    this.progress = new Progress({stop: () => this.following.stop(), resume: () => this.following.resume()});
    this.said = h('p', {class: 'sentence numeric'});
    this.play = button('Play against this player', () => playAgainst(this.run.game, this.run.players[0]).catch((problem) => this.progress.error.show(problem)), {key: 'p'});
    this.element = h('section', {class: 'panel', 'aria-label': 'Match'}, this.said, this.curve.element, this.progress.element, h('div', {class: 'row'}, this.play));
  }

  close() { this.following.off(); this.curve.close(); }
  async refresh() {
    await this.following.refresh();
    await meet([this.run.game]);
    this.#apply({});
  }

  #apply(news) {
    const run = this.run = asRun({...this.run, ...news});
    if (news.curve?.length) this.curve.all(news.curve);
    else this.curve.add(run.games, run.score, run.low, run.high);
    const [first, ...others] = titlesOf(run);
    this.said.textContent = Number.isFinite(run.score) ? `${first} takes ${scoreText(run)} against ${others.join(', ')}.` : `${first} against ${others.join(', ')}: no game is finished yet.`;
    this.progress.show(run);
  }
}

/* ---- starting a training run ---- */

/** A control for an option of a learner: {element, value()}; the value is null where it is the usual one. */
function optionField(option) {
  const usual = option.default ?? '';
  let control;
  if (option.type === 'choice') control = select(option.choices.split('|').map((word) => ({value: word, label: word})), usual);
  else if (option.type === 'flag') control = h('input', {type: 'checkbox'});
  else if (option.type === 'integer' || option.type === 'real') control = h('input', {type: 'number', min: option.range?.[0], max: option.range?.[1], step: option.type === 'integer' ? 1 : 'any', value: usual});
  else control = h('input', {type: 'text', spellcheck: 'false', autocomplete: 'off', value: usual});
  const read = () => option.type === 'flag' ? (control.checked ? 'yes' : '') : control.value.trim();
  return {element: field(capital(option.name), control, capital(option.help)), value: () => read() && read() !== usual ? `${option.name}=${read()}` : null};
}

/** What is offered first: it climbs within half a minute. */
const FIRST = {learner: 'experience', game: 'othello', runs: 1};

function trainingForm(learners, started) {
  const error = errorLine(), options = h('div', {class: 'options'}), note = h('p', {class: 'note'});
  let fields = [];
  const learner = select(learners.map((one) => ({value: one.name, label: learnerTitle(one.name)})), FIRST.learner, () => fill());
  const seeds = h('input', {type: 'number', min: 1, max: 10, step: 1, value: FIRST.runs, on: {input: () => error.clear()}});
  const choice = new GameChoice(() => check());
  const go = h('button', {class: 'strong'}, 'Start learning');
  const present = () => learners.find((one) => one.name === learner.value);
  function fill() {
    note.textContent = capital(present().summary);
    fields = present().options.map(optionField);
    set(options, fields.map((one) => one.element));
    check();
  }
  async function check() {
    choice.error.clear();
    try {
      const {learners: rows} = await get(query('/api/learn', {game: choice.value}));
      const row = rows.find((one) => one.name === learner.value);
      go.disabled = row?.runs === false;
      if (go.disabled) choice.error.show(`This cannot be learned here: it ${row.missing}.`);
    } catch (problem) { choice.error.show(problem); }
  }
  const form = h('form', {class: 'run-form', on: {submit: async (event) => {
    event.preventDefault();
    error.clear();
    const words = fields.map((one) => one.value()).filter(Boolean);
    go.disabled = true;
    try {
      started(await post('/api/learn', {learner: words.length ? `${learner.value}(${words.join(', ')})` : learner.value, game: choice.value, seeds: Number(seeds.value)}));
    } catch (problem) {
      if (problem.field === 'game') choice.error.show(problem);
      else error.show(problem);
    } finally { go.disabled = false; }
  }}}, field('Learner', learner), note, choice.element, field('Training runs', seeds, 'Training runs that differ only in their random numbers. Their spread shows how much is chance.'),
  h('details', {class: 'programmers'}, h('summary', null, 'For programmers: options of the learner'), options), error.element, go);
  choice.fill(FIRST.game).then(fill).catch((problem) => error.show(problem));
  return form;
}

/* ---- the view ---- */

const HIDDEN = 'start-early'; // the front page shows by it how its learner began
const STATES = {done: 'finished', running: 'running now'};

export default {
  title: 'Learn',
  async show(place, [kind, wanted], address) {
    const frame = h('div', {class: 'stack'}), begin = h('div', {class: 'stack'}), error = errorLine(), earlier = h('ul', {class: 'trainings ticks'}), comparison = new Comparison(), ticked = new Set();
    let view = null, learners = [], trainings = [];
    place.append(h('div', {class: 'page'}, h('h1', null, 'Learn'),
      h('p', {class: 'lead'}, 'Start a learner and watch its curve grow. Stop it at any time: nothing is lost.'), error.element, h('div', {class: 'two'}, frame, begin)));

    async function open(next, hash) {
      view?.close();
      view = next;
      set(frame, view.element, h('section', {class: 'panel', 'aria-label': 'Training runs', hidden: !trainings.length}, h('h2', null, 'Training runs'), h('p', {class: 'note'}, 'Tick two or more to see their curves in one picture.'), earlier, comparison.element));
      if (hash) address.move(hash);
      try {
        await view.refresh();
        error.clear();
      } catch (problem) { error.show(problem); }
    }
    const openTraining = (training) => open(new TrainingView(learners.find((one) => one.name === nameOf(training)), training.name), `#/learn/run/${encodeURIComponent(training.name)}`);
    const openMatch = (name) => open(new MatchView(name), `#/learn/match/${encodeURIComponent(name)}`);

    const compare = () => comparison.show(trainings.filter((training) => ticked.has(training.name)), titleOf, (training) => {
      const learner = learners.find((one) => one.name === nameOf(training));
      return {x: learner.x, ...measureOf(learner)};
    });
    const tick = (training) => h('input', {type: 'checkbox', checked: ticked.has(training.name), 'aria-label': `Compare ${titleOf(training)}, ${training.name}`, on: {change(event) {
      if (event.target.checked) ticked.add(training.name); else ticked.delete(training.name);
      compare();
    }}});
    function listTrainings() {
      compare();
      const titles = trainings.map(titleOf);
      set(earlier, trainings.slice(0, 8).map((training, i) => {
        const learner = learners.find((one) => one.name === nameOf(training)), last = training.curve?.at(-1), twin = titles.indexOf(titles[i]) !== titles.lastIndexOf(titles[i]);
        return h('li', null, tick(training), button(titles[i], () => openTraining(training), {kind: 'link'}),
          h('span', {class: 'note', title: training.learner}, ` ${[twin ? training.name : null, STATES[training.state] ?? training.state,
            last && learner ? `${measureOf(learner).said(last[1]).replace(/^It takes /, '')} after ${count(last[0])} ${learner.x}` : null].filter(Boolean).join(', ')}`));
      }));
    }
    async function refresh() {
      const answer = await get('/api/learn');
      learners = answer.learners;
      trainings = answer.trainings.filter((training) => training.name !== HIDDEN && learners.some((one) => one.name === nameOf(training)));
      listTrainings();
    }
    await refresh();
    set(begin, h('section', {class: 'panel', 'aria-label': 'Start training'}, h('h2', null, 'Start training'),
      trainingForm(learners, async (training) => { await refresh(); openTraining(training); })),
    h('details', {class: 'panel'}, h('summary', null, 'Or watch a match'), runForm((run) => openMatch(run.name), {kinds: ['match'], games: 400})));
    const running = trainings.find((training) => training.state === 'running');
    if (kind === 'match' && wanted) await openMatch(wanted);
    else if (kind === 'run') await openTraining(trainings.find((training) => training.name === wanted) ?? {name: wanted, learner: learners[0].name});
    else if (running ?? trainings[0]) await openTraining(running ?? trainings[0]);
    else set(frame, h('section', {class: 'panel', 'aria-label': 'Training run'}, h('p', null, 'There is no training run yet. ',
      button('Let one learn Othello by remembering its games', () => begin.querySelector('form').requestSubmit(), {kind: 'strong'}))));
    const offs = [() => view?.close(), () => comparison.close(), live.on('open', () => refresh().then(() => view?.refresh()).catch(() => { /* the notice says it */ })),
      live.on('learn', (news) => { trainings = trainings.map((training) => training.name === news.name ? {...training, ...news} : training); listTrainings(); }),
      keys('Learn', [['p', 'Play against this player', () => view?.play.click()]])];
    live.listen({runs: true});
    return {close() { offs.forEach((off) => off()); }};
  },
};
