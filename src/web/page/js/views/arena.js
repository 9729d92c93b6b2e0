// Arena: matches and tournaments, running or stored; any game of them can be replayed.
import {h, set, button, count, errorLine, fixed, interval, short, table} from '../dom.js';
import {get, post, query} from '../api.js';
import * as live from '../live.js';
import {keys} from '../keys.js';
import {gameTitle} from '../board/skins.js';
import {asRun, Curve, follow, Progress, runForm, runPath, scoreBar, scoreText} from './runs.js';
import {replayOf} from './replay.js';

const link = (name, ...words) => h('a', {href: `#/arena/${encodeURIComponent(name)}`}, words);
const listOf = (answer, key) => Array.isArray(answer) ? answer : answer[key] ?? [];

function state(run) {
  if (run.running) return h('span', {class: 'chip live'}, `running, ${count(run.done)}${run.total ? ` of ${count(run.total)}` : ''}`);
  if (run.failed) return h('span', {class: 'chip differs'}, 'failed');
  return run.state === 'stopped' ? h('span', {class: 'chip'}, 'stopped') : null;
}

/* ---- the list ---- */

async function showList(place) {
  const rows = h('div', {class: 'run-list'});
  const start = h('details', {class: 'panel'}, h('summary', null, 'Start a match or a tournament'));
  const error = errorLine();
  let runs = [], form = null;
  start.addEventListener('toggle', () => {
    if (!start.open || form) return;
    form = runForm((run) => { location.hash = `#/arena/${encodeURIComponent(run.name)}`; });
    start.append(form);
  });
  function draw() {
    set(rows, runs.length ? runs.map((run) => h('article', {class: 'run'},
      h('h2', null, link(run.name, run.players?.length === 2 ? run.players.join(' – ') : run.name), state(run)),
      h('p', {class: 'note'}, `${gameTitle(run.game)}, ${run.kind}${run.created ? `, ${run.created.slice(0, 10)}` : ''}`),
      run.kind === 'match' ? [scoreBar(run.score, run.low, run.high), h('p', {class: 'numeric'}, scoreText(run))]
        : h('p', {class: 'numeric'}, `${count(run.done)} games`)))
      : h('p', {class: 'lead'}, 'There are no runs yet. ', button('Start one', () => { start.open = true; start.querySelector('select')?.focus(); }, {kind: 'strong'})));
  }
  async function refresh() {
    try {
      runs = listOf(await get('/api/runs'), 'runs').map(asRun);
      error.clear();
      draw();
    } catch (problem) { error.show(problem); }
  }
  place.append(h('div', {class: 'page'}, h('h1', null, 'Arena'),
    h('p', {class: 'lead'}, 'Matches and tournaments. Every score has its 95 % interval.'), start, error.element, rows));
  await refresh();
  const offs = [
    live.on('run', (news) => {
      const at = runs.findIndex((run) => run.name === news.name);
      if (at < 0) runs.unshift(asRun(news));
      else runs[at] = asRun({...runs[at], ...news});
      draw();
    }),
    live.on('open', refresh),
    keys('Arena', [['n', 'Start a match or a tournament', () => { start.open = true; start.querySelector('select, input')?.focus(); }]]),
  ];
  live.listen({runs: true});
  return {close() { offs.forEach((off) => off()); }};
}

/* ---- one run ---- */

function matchTable(run) {
  const {result} = run;
  const seat = (name, label) => result.by_seat?.[name]
    ? [label, count(result.by_seat[name].wins), count(result.by_seat[name].draws), count(result.by_seat[name].losses)] : null;
  const rows = [
    Number.isFinite(result.wins) ? ['all games', count(result.wins), count(result.draws), count(result.losses)] : null,
    seat('first', 'moving first'), seat('second', 'moving second')].filter(Boolean);
  const facts = [];
  if (Number.isFinite(result.elo?.value)) facts.push(`Elo ${fixed(result.elo.value, 0)} (95%: ${fixed(result.elo.interval_95[0], 0)} to ${fixed(result.elo.interval_95[1], 0)})`);
  if (Number.isFinite(result.plies_mean)) facts.push(`${fixed(result.plies_mean, 1)} plies a game (mean of ${count(result.games)} games)`);
  return [rows.length ? table(`${run.players[0]}: wins, draws and losses`, ['', 'wins', 'draws', 'losses'], rows, {kind: 'numbers'}) : null,
    facts.map((fact) => h('p', {class: 'numeric'}, fact))];
}

/** Cells lead to the matches that the tournament is made of. */
function crossTable(rating, matches) {
  const names = rating.map((row) => row.player);
  const label = (i) => String.fromCharCode(65 + i % 26);
  return table('Cross table: score of each row against each column', ['', 'points', 'Elo', ...names.map((_, i) => label(i))], rating.map((row, i) => [
    `${label(i)}. ${row.player}`, `${row.points} of ${row.games}`,
    Number.isFinite(row.elo) ? `${fixed(row.elo, 0)} ± ${fixed(row.elo_95, 0)}` : '–',
    ...names.map((_, j) => {
      const met = row.against?.[j];
      if (!met) return '·';
      const games = met.wins + met.draws + met.losses, text = `${met.wins + met.draws / 2} of ${games}`;
      const match = matches.find((one) => one.games === games && one.players?.includes(row.player) && one.players.includes(names[j]));
      return match ? link(match.name, text) : text;
    })]), {kind: 'numbers'});
}

/** A tournament of a repeated game: payoffs count, not wins. */
function rankingTable(ranking) {
  const range = ([low, high]) => `${fixed(low, 2)} to ${fixed(high, 2)}`;
  return table('Ranking by payoff for each turn', ['player', 'payoff', '95 %', 'cooperates'], ranking.map((row, i) => [
    `${i + 1}. ${row.player}`, fixed(row.score, 3), range(row.score_95), `${fixed(100 * row.cooperation, 0)} %`]), {kind: 'numbers'});
}

/** Who won, the payoffs of the players in the run's order, and how it ended if not by the rules. */
function resultText(game, players) {
  const winner = game.result === 0 ? 'drawn' : `${players[game.result > 0 ? 0 : 1]} wins`;
  const odd = game.ending && game.ending !== 'rules' ? ` (${game.fault || game.ending})` : '';
  return `${winner}, ${(game.payoffs ?? []).map(short).join(' : ')}${odd}`;
}

const PAGE = 50;

async function gamesTable(name, run) {
  const place = h('div');
  const error = errorLine();
  let from = 0;
  async function turn(to) {
    try {
      const games = listOf(await get(query(runPath(name, '/games'), {from: to, count: PAGE})), 'games');
      from = to;
      error.clear();
      const player = (game) => run.players?.[game.first ?? 0] ?? '';
      set(place, games.length ? table('Games', ['game', 'moves first', 'result', 'plies'], games.map((game) => [
        h('a', {href: `#/arena/${encodeURIComponent(name)}/${game.number}`}, `game ${game.number}`), player(game),
        resultText(game, run.players), count(game.plies ?? 0)]), {kind: 'numbers', hideCaption: true}) : h('p', null, 'No game is finished yet.'),
      h('div', {class: 'row'}, button('Earlier', () => turn(Math.max(0, from - PAGE)), {disabled: from === 0}),
        button('Later', () => turn(from + PAGE), {disabled: games.length < PAGE})));
    } catch (problem) { error.show(problem); }
  }
  await turn(0);
  return {element: h('div', null, error.element, place), refresh: () => turn(from)};
}

async function showRun(place, name) {
  let run = asRun(await get(runPath(name)));
  const match = run.kind !== 'tournament';
  const curve = match ? new Curve() : null;
  let following = null;
  const progress = new Progress({stop: () => following.stop(), resume: () => following.resume()});
  const said = h('p', {class: 'sentence numeric'}), detail = h('div', {class: 'stack'}), bar = h('div');
  const games = match ? await gamesTable(name, run) : null;
  let matches = [];
  const findMatches = async () => { matches = listOf(await get('/api/runs'), 'runs').filter((one) => one.kind === 'match' && one.game === run.game); };
  if (!match) await findMatches();
  place.append(h('div', {class: 'page'}, h('p', null, h('a', {href: '#/arena'}, '← All runs')),
    h('h1', null, run.players?.length === 2 ? run.players.join(' – ') : run.name),
    h('p', {class: 'note'}, `${gameTitle(run.game)}, ${run.kind} ${run.name}`), said, bar, progress.element, curve?.element ?? null, detail,
    games ? [h('h2', null, 'Games'), games.element] : null));

  function draw() {
    said.textContent = match ? `${run.players[0]} scores ${interval(run.score, run.low, run.high, run.games)}.`
      : `${count(run.done)} games among ${run.players?.length ?? 0} players.`;
    set(bar, match && Number.isFinite(run.score) ? scoreBar(run.score, run.low, run.high) : null);
    progress.show(run);
    set(detail, match ? matchTable(run) : run.ranking ? rankingTable(run.ranking) : run.rating?.length ? crossTable(run.rating, matches) : null);
  }
  function apply(news) {
    const before = run;
    run = asRun({...run, ...news});
    if (news.curve?.length) curve?.all(news.curve);
    else curve?.add(run.games, run.score, run.low, run.high);
    draw();
    if (before.games === 0 && run.games > 0 || before.running && !run.running) games?.refresh();
    if (!match && before.running && !run.running) Promise.all([following.refresh(), findMatches()]).then(draw).catch(() => { /* without links, then */ });
  }
  const refresh = () => following.refresh().then(() => games?.refresh()).catch(() => { /* the notice says it */ });
  following = follow(name, apply);
  apply(run);
  const offs = [following.off, live.on('open', refresh)];
  live.listen({runs: true});
  return {close() { offs.forEach((off) => off()); curve?.close(); }};
}

/* ---- one game ---- */

async function showGame(place, name, number) {
  const shown = await replayOf(name, number);
  const error = errorLine();
  const play = button('Explain this game', async () => {
    try {
      const session = await post('/api/sessions', {game: shown.stored.game, seats: shown.stored.players, position: shown.stored.start || undefined,
        moves: shown.stored.moves, pace: {paused: true, delay: 1}});
      location.hash = `#/watch/${session.id}`;
    } catch (problem) { error.show(problem); }
  }, {title: 'Opens the game in Watch, where each move has its explanation'});
  const at = Number(number);
  place.append(h('div', {class: 'page wide'}, h('p', null, h('a', {href: `#/arena/${encodeURIComponent(name)}`}, '← The run')),
    h('h1', null, shown.title), h('p', {class: 'note'}, `${shown.players}: ${resultText(shown.stored, shown.stored.first ? [...shown.stored.players].reverse() : shown.stored.players)}.`),
    h('div', {class: 'row'}, at > 0 ? h('a', {class: 'button', href: `#/arena/${encodeURIComponent(name)}/${at - 1}`}, 'Previous game') : null,
      h('a', {class: 'button', href: `#/arena/${encodeURIComponent(name)}/${at + 1}`}, 'Next game'), play),
    error.element, shown.element));
  live.listen({});
  return shown;
}

export default {
  title: 'Arena',
  async show(place, [name, number]) {
    try {
      if (name && number !== undefined) return await showGame(place, name, number);
      if (name) return await showRun(place, name);
    } catch (problem) {
      place.append(h('div', {class: 'page'}, h('h1', null, 'Arena'), h('p', {class: 'error', role: 'alert'}, problem.message),
        h('p', null, h('a', {href: '#/arena'}, 'All runs'))));
      return {close() {}};
    }
    return showList(place);
  },
};
