// Learn: a learner's curve as it grows. Where no learner exists yet, a match stands in: the same frame, the same live curve.
import {h, set, button, interval} from '../dom.js';
import {get, post} from '../api.js';
import * as live from '../live.js';
import {keys} from '../keys.js';
import {asRun, Curve, follow, Progress, runForm} from './runs.js';

export default {
  title: 'Learn',
  async show(place) {
    let following = null, run = null;
    const curve = new Curve('Score as games are played, with its 95% interval');
    const progress = new Progress({stop: () => following.stop(), resume: () => following.resume()});
    const lead = h('p', {class: 'lead'});
    const said = h('p', {class: 'sentence numeric'});
    const against = button('Play against this player', async () => {
      try {
        const contest = await post('/api/contests', {game: run.game, seats: ['human', run.players[0]]});
        location.hash = `#/play/${contest.id}`;
      } catch (problem) { progress.error.show(problem); }
    }, {key: 'p'});
    const body = h('section', {class: 'panel', 'aria-label': 'Curve'}, said, curve.element, progress.element, h('div', {class: 'row'}, against));
    const begin = h('section', {class: 'panel', 'aria-label': 'Start'});
    place.append(h('div', {class: 'page'}, h('h1', null, 'Learn'), lead, h('div', {class: 'two'}, body, begin)));

    function apply(news) {
      run = asRun({...run, ...news});
      if (news.curve?.length) curve.all(news.curve);
      else curve.add(run.games, run.score, run.low, run.high);
      said.textContent = Number.isFinite(run.score) ? `${run.players[0]} scores ${interval(run.score, run.low, run.high, run.games)} against ${run.players[1]}.`
        : `${run.players.join(' against ')}: no game is finished yet.`;
      progress.show(run);
      body.hidden = false;
    }

    async function open(name) {
      following?.off();
      run = null;
      curve.all([]);
      following = follow(name, apply);
      await following.refresh();
    }

    body.hidden = true;
    const off = [() => following?.off(), live.on('back', () => following?.refresh().catch(() => { /* the notice says it */ })),
      keys('Learn', [['p', 'Play against this player', () => against.click()]])];
    live.listen({runs: true});
    let learners = [];
    try {
      learners = await get('/api/learn').then((answer) => Array.isArray(answer) ? answer : answer.learners ?? []);
    } catch { /* an older server has none */ }
    lead.textContent = learners.length ? 'Start a learner and see its curve grow.'
      : 'No learner is built in yet. Until one is, this frame shows a match: its score settles as games are played, just as a learner’s curve will.';
    set(begin, h('h2', null, 'Start a match'), runForm((started) => { open(started.name).catch((problem) => progress.error.show(problem)); }, {kinds: ['match'], games: 400}));
    try {
      const runs = await get('/api/runs'), list = Array.isArray(runs) ? runs : runs.runs ?? [];
      const pick = list.find((one) => one.state === 'running' && one.kind === 'match') ?? list.find((one) => one.kind === 'match');
      if (pick) await open(pick.name);
    } catch (problem) { progress.error.show(problem); }
    return {close() { off.forEach((one) => one()); curve.close(); }};
  },
};
