// What Learn and Arena share: a run's progress, its curve, and the form that starts one.
import {h, set, button, count, duration, errorLine, field, fixed, s} from '../dom.js';
import {playerTitles, plural} from '../names.js';
import {get, post} from '../api.js';
import * as live from '../live.js';
import {Chart} from '../chart.js';
import {GameChoice} from '../stage/newgame.js';
import {levelsOf, PlayerChoice} from '../stage/players.js';

/** The progress of a match or a measurement of the lab: {running, done, total, seconds, rate, remaining}. */
export function processOf(process, fallback = {}) {
  const progress = process?.progress ?? {};
  const end = process?.ended ?? Date.now() / 1000;
  return {
    running: process?.state === 'running', failed: process?.state === 'failed', message: process?.message ?? '',
    done: progress.done ?? fallback.done ?? 0, total: progress.total || fallback.total,
    seconds: progress.elapsed ?? (process?.started ? end - process.started : undefined),
    rate: progress.rate, remaining: progress.remaining,
  };
}

/** A run from the server, with what the views need: players, games played and wanted, whether it runs. */
export function asRun(row) {
  const state = processOf(row, {done: row.games, total: row.total ?? (row.state === 'done' ? row.games : undefined)});
  return {...row, ...state, done: Math.max(state.done, row.games ?? 0, row.state === 'done' ? row.total ?? 0 : 0), result: row.standing ?? {}, rating: row.table?.players};
}

/** The levels of the games that runs are about: who is a level there has its name, "Easy", and not what it does. */
const known = new Map();
export const meet = (games) => Promise.all([...new Set(games)].map(async (game) => { if (!known.has(game)) known.set(game, await levelsOf(game)); }));
export const levelsAt = (game) => known.get(game);
export const titlesOf = (run) => playerTitles(run.players ?? [], levelsAt(run.game));

/** Follows one run by events and answers; an answer older than the last event is dropped. */
export function follow(name, apply) {
  let events = 0;
  const off = live.on('run', (news) => {
    if (news.name !== name) return;
    events++;
    apply(news);
  });
  const refresh = async () => {
    const before = events, news = await get(runPath(name));
    if (before === events) apply(news);
  };
  const act = (what) => async () => {
    await post(runPath(name, `/${what}`));
    await refresh();
  };
  return {off, refresh, stop: act('stop'), resume: act('resume')};
}

export const runPath = (name, rest = '') => `/api/runs/${encodeURIComponent(name)}${rest}`;

/** Done, elapsed, remaining, rate; with a stop button that stops at once and loses nothing. */
export class Progress {
  constructor({stop, resume}) {
    this.bar = h('progress', {max: 1, value: 0, 'aria-label': 'Progress'});
    this.text = h('p', {class: 'numeric'});
    this.error = errorLine();
    this.stop = button('Stop', () => this.#do(stop), {title: 'Stops at once and keeps all results'});
    this.resume = button('Resume', () => this.#do(resume));
    this.element = h('div', {class: 'progress'}, this.bar, this.text, h('div', {class: 'row tight'}, this.stop, this.resume), this.error.element);
  }

  async #do(action) {
    try {
      await action();
      this.error.clear();
    } catch (problem) { this.error.show(problem); }
  }

  /** As processOf gives it. */
  show({done, total, running, failed, message, seconds, rate, remaining, unit = 'games'}) {
    if (total && done > total) total = done; // an estimate that was too low
    if (total) { this.bar.max = total; this.bar.value = done; } else this.bar.removeAttribute('value');
    this.bar.hidden = !running && !total;
    const words = [total ? `${count(done)} of ${count(total)} ${unit}` : plural(done, unit.replace(/s$/, ''), unit)];
    if (seconds) words.push(running ? `${duration(seconds)} so far` : `${duration(seconds)} in all`);
    if (running && rate > 0) words.push(`${rate >= 10 ? count(Math.round(rate)) : fixed(rate, 1)} a second`);
    if (running && Number.isFinite(remaining) && total) words.push(`about ${duration(remaining)} left`);
    if (!running) words.push(failed ? 'failed' : total && done < total ? 'stopped' : 'finished');
    this.text.textContent = words.join(' · ');
    this.stop.hidden = !running;
    this.resume.hidden = running || !total || done >= total;
    if (failed && message) this.error.show(message);
    else if (running) this.error.clear();
  }
}

/** The first player's score as the games come in, with its 95% interval. */
export class Curve {
  constructor(label = 'Score of the first player as games are played') {
    this.points = [];
    this.chart = new Chart({label, x: 'games', y: 'share of the points', range: [0, 1], digits: 3, height: 260,
      series: [{label: 'share of the points', colour: 'blue', band: true}]});
    this.element = this.chart.element;
  }

  close() { this.chart.close(); }

  /** points: [[games, score, low, high]...] */
  all(points) {
    this.points = points.slice();
    this.#show();
  }

  add(done, score, low, high) {
    if (!done || score === null || score === undefined) return;
    if (this.points.length && this.points.at(-1)[0] >= done) this.points = this.points.filter((point) => point[0] < done);
    this.points.push([done, score, low, high]);
    this.#show();
  }

  #show() { this.chart.show([0, 1, 2, 3].map((i) => this.points.map((point) => point[i]))); }
}

/** A score on its scale from 0 to 1, with its interval. */
export function scoreBar(value, low, high) {
  if (value === null || value === undefined) return null;
  const at = (x) => Math.min(Math.max(x, 0), 1) * 100;
  return s('svg', {class: 'interval', viewBox: '0 0 100 12', preserveAspectRatio: 'none', 'aria-hidden': 'true'},
    s('rect', {class: 'track', x: 0, y: 4, width: 100, height: 4}),
    s('rect', {class: 'span', x: at(low), y: 2, width: Math.max(at(high) - at(low), 0.6), height: 8}),
    s('rect', {class: 'at', x: at(value) - 0.4, y: 0, width: 0.8, height: 12}),
    s('line', {class: 'zero', x1: 50, x2: 50, y1: 0, y2: 12}));
}

const percent = (value) => fixed(100 * value, 0);
/** The first player's share of the points in words, with its interval and the number of games. */
export function scoreText(run) {
  if (!Number.isFinite(run.score)) return 'No game is finished yet.';
  const range = Number.isFinite(run.low) ? ` (95 %: ${percent(run.low)} to ${percent(run.high)})` : '';
  return `${percent(run.score)} % of the points${range} in ${plural(run.games ?? 0, 'game')}`;
}

/** A form that starts a match or a tournament: started(run). */
export function runForm(started, {games = 200, kinds = ['match', 'tournament'], game: preset = 'tictactoe'} = {}) {
  const error = errorLine();
  const list = h('div', {class: 'players'});
  let players = [];
  const choice = new GameChoice((spec) => { fit(); players.forEach((player) => player.follow(spec)); });
  const kind = h('select', {on: {change: () => arrange()}}, kinds.map((one) => h('option', {value: one}, one === 'match' ? 'Match of two' : 'Tournament')));
  const number = h('input', {type: 'number', min: 2, max: 1000000, step: 2, value: games, on: {input: () => error.clear()}});
  const plies = h('input', {type: 'number', min: 0, max: 40, step: 1, value: 2, on: {input: () => error.clear()}});
  const pliesField = field('Random moves at the start', plies), more = button('Add a player', () => add());
  // A game of simultaneous moves is repeated, not opened: it has no opening moves.
  const fit = () => { pliesField.hidden = Boolean(choice.chosen?.simultaneous); };
  const go = h('button', {class: 'strong'}, 'Start');

  async function add(spec) {
    const player = new PlayerChoice(`Player ${players.length + 1}`, {human: false});
    players.push(player);
    list.append(player.element);
    await player.fill(choice.value, spec);
    return player;
  }
  async function arrange() {
    const tournament = kind.value === 'tournament';
    more.hidden = !tournament;
    if (!tournament) for (const extra of players.splice(2)) extra.element.remove();
    while (players.length < (tournament ? 3 : 2)) await add();
  }

  const form = h('form', {class: 'run-form', on: {submit: async (event) => {
    event.preventDefault();
    error.clear();
    if (!players.every((player) => player.check())) return;
    go.disabled = true;
    try {
      started(await post('/api/runs', {kind: kind.value, game: choice.value, players: players.map((player) => player.value),
        games: Number(number.value), random_plies: pliesField.hidden ? undefined : Number(plies.value) || undefined}));
    } catch (problem) {
      const index = /players\D*(\d+)/.exec(problem.field ?? '');
      if (index && players[index[1]]) players[index[1]].error.show(problem);
      else if (problem.field === 'game') choice.error.show(problem);
      else error.show(problem);
    } finally { go.disabled = false; }
  }}}, kinds.length > 1 ? field('Kind', kind) : null, choice.element, list, more,
  h('div', {class: 'row'}, field('Games', number), pliesField), error.element, go);
  more.hidden = true;
  choice.fill(preset).then(async () => {
    fit();
    players = [];
    set(list);
    await add();
    await add();
    const levels = players[0].levels ?? [];
    if (levels.length > 2) { await players[0].fill(choice.value, levels[2].spec); await players[1].fill(choice.value, levels[0].spec); }
  }).catch((problem) => error.show(problem));
  return form;
}
