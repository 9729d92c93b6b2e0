// Arena: matches and tournaments, running or stored; any game of them can be replayed.
import {h, set, button, capital, count, errorLine, fixed, short, table} from '../dom.js';
import {get, post, query} from '../api.js';
import * as live from '../live.js';
import {keys} from '../keys.js';
import {forProgrammers, gameTitle, playerTitles, plural} from '../names.js';
import {asRun, Curve, follow, levelsAt, meet, Progress, runForm, runPath, scoreBar, scoreText, titlesOf} from './runs.js';
import {levelsOf} from '../stage/players.js';
import {replayOf} from './replay.js';

const link = (name, ...words) => h('a', {href: `#/arena/${encodeURIComponent(name)}`}, words);
/** The players of a run in words: "Easy – Random moves". */
const titleOf = (run) => run.players?.length === 2 ? titlesOf(run).join(' – ') : run.kind === 'tournament' ? `Tournament of ${plural(run.players?.length ?? 0, 'player')}` : run.name;
const listOf = (answer, key) => Array.isArray(answer) ? answer : answer[key] ?? [];

function state(run) {
  if (run.running) return h('span', {class: 'chip live'}, `running, ${count(run.done)}${run.total ? ` of ${count(run.total)}` : ''}`);
  if (run.failed) return h('span', {class: 'chip differs'}, 'failed');
  return run.state === 'stopped' ? h('span', {class: 'chip'}, 'stopped') : null;
}

/** Games whose levels have met in tournaments that came with the program. */
const RATED = ['checkers', 'othello', 'othello(size=6)', 'morris', 'morris(men=9)', 'fives', 'phutball', 'tictactoe', 'gdl:connectfour', 'gdl:breakthrough', 'gdl:hex5'];

/** How strong the levels are, for whoever has no matches of one's own yet. */
async function ratings() {
  const levels = await Promise.all(RATED.map((game) => levelsOf(game)));
  const games = RATED.map((game, i) => ({game, levels: levels[i]})).filter((one) => one.levels.length && one.levels.every((level) => level.elo !== undefined));
  if (!games.length) return null;
  return h('section', {class: 'stack tight ratings'}, h('h2', null, 'How strong the levels are'),
    h('p', {class: 'note'}, 'Elo with its 95 % interval, from tournaments of the levels and random play, which has 0.'), table('How strong the levels are, in Elo', ['Game', ...games[0].levels.map((level) => level.title)],
    games.map((one) => [gameTitle(one.game), ...one.levels.map((level) => h('span', {title: level.measured}, `${level.elo} ± ${level.elo_95}`))]), {kind: 'numbers stacks', hideCaption: true}));
}

/* ---- the list ---- */

async function showList(place) {
  const rows = h('div', {class: 'run-list'}), strengths = h('div');
  const start = h('details', {class: 'panel'}, h('summary', null, 'Start a match or a tournament'));
  const error = errorLine();
  let runs = [], form = null;
  start.addEventListener('toggle', () => {
    draw();
    if (!start.open || form) return;
    form = runForm((run) => { location.hash = `#/arena/${encodeURIComponent(run.name)}`; });
    start.append(form);
  });
  function draw() {
    set(rows, runs.length ? runs.map((run) => h('article', {class: 'run'},
      h('h2', null, link(run.name, titleOf(run)), state(run)),
      h('p', {class: 'note'}, `${gameTitle(run.game)}, ${run.kind}${run.created ? ` of ${run.created.slice(0, 10)}` : ''}`),
      run.kind === 'match' ? [scoreBar(run.score, run.low, run.high), h('p', {class: 'numeric'}, run.games ? `${titlesOf(run)[0]} takes ${scoreText(run)}.` : scoreText(run))]
        : h('p', {class: 'numeric'}, plural(run.done, 'game'))))
      : start.open ? null : h('p', {class: 'lead'}, 'Nobody has met yet. ', button('Start one', () => { start.open = true; start.querySelector('select')?.focus(); }, {kind: 'strong'})));
  }
  async function refresh() {
    try {
      const news = listOf(await get('/api/runs'), 'runs').map(asRun);
      await meet(news.map((run) => run.game));
      runs = news;
      error.clear();
      draw();
    } catch (problem) { error.show(problem); }
  }
  place.append(h('div', {class: 'page'}, h('h1', null, 'Arena'),
    h('p', {class: 'lead'}, 'Let players meet, and see who is stronger and how sure that is.'), start, error.element, rows, strengths));
  await refresh();
  ratings().then((made) => { if (made) set(strengths, made); }).catch(() => { /* a courtesy */ });
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

const ELO_MOST = 2400; // differences beyond it have no end that games could tell
function eloText({value, interval_95: [low, high]}) {
  const end = (one) => one >= ELO_MOST ? 'no upper end' : one <= -ELO_MOST ? 'no lower end' : fixed(one, 0);
  if (value >= ELO_MOST) return `Every game was won: ahead by at least ${fixed(low, 0)} Elo (95 %).`;
  return value <= -ELO_MOST ? `Every game was lost: behind by at least ${fixed(-high, 0)} Elo (95 %).`
    : value < 0 ? `Behind by ${fixed(-value, 0)} Elo (95 %: ${end(-high)} to ${end(-low)}).` : `Ahead by ${fixed(value, 0)} Elo (95 %: ${end(low)} to ${end(high)}).`;
}

function matchTable(run) {
  const {result} = run;
  const seat = (name, label) => result.by_seat?.[name]
    ? [label, count(result.by_seat[name].wins), count(result.by_seat[name].draws), count(result.by_seat[name].losses)] : null;
  const rows = [
    Number.isFinite(result.wins) ? ['all games', count(result.wins), count(result.draws), count(result.losses)] : null,
    seat('first', 'moving first'), seat('second', 'moving second')].filter(Boolean);
  const facts = [];
  if (Number.isFinite(result.elo?.value)) facts.push(eloText(result.elo));
  if (Number.isFinite(result.plies_mean)) facts.push(`A game has ${fixed(result.plies_mean, 1)} moves on average.`);
  return [rows.length ? table(`${capital(titlesOf(run)[0])}: wins, draws and losses`, ['', 'wins', 'draws', 'losses'], rows, {kind: 'numbers'}) : null,
    facts.map((fact) => h('p', {class: 'numeric'}, fact))];
}

/** Cells lead to the matches that the tournament is made of. */
function crossTable(rating, matches, game) {
  const names = rating.map((row) => row.player), titles = playerTitles(names, levelsAt(game));
  const label = (i) => String.fromCharCode(65 + i % 26);
  return table('Cross table: score of each row against each column', ['', 'points', 'Elo', ...names.map((_, i) => label(i))], rating.map((row, i) => [
    `${label(i)}. ${titles[i]}`, `${row.points} of ${row.games}`,
    Number.isFinite(row.elo) ? `${fixed(row.elo, 0)} ± ${fixed(row.elo_95, 0)}` : '–',
    ...names.map((_, j) => {
      const met = row.against?.[j];
      if (!met) return '·';
      const games = met.wins + met.draws + met.losses, text = `${met.wins + met.draws / 2} of ${games}`;
      const match = matches.find((one) => one.games === games && one.players?.includes(row.player) && one.players.includes(names[j]));
      return match ? link(match.name, text) : text;
    })]), {kind: 'numbers'});
}

/** Who leads a tournament: "Strong leads with 40 of 60 points." */
function leaderText(rating, game) {
  const titles = playerTitles(rating.map((row) => row.player), levelsAt(game)), most = Math.max(...rating.map((row) => row.points)), first = rating.findIndex((row) => row.points === most);
  const leaders = titles.filter((_, i) => rating[i].points === most);
  return `${leaders.join(' and ')} ${leaders.length > 1 ? 'share the lead' : 'leads'} with ${most} of ${rating[first].games} points.`;
}

/** A tournament of a repeated game: payoffs count, not wins. */
function rankingTable(ranking, game) {
  const range = ([low, high]) => `${fixed(low, 2)} to ${fixed(high, 2)}`;
  const titles = playerTitles(ranking.map((row) => row.player), levelsAt(game));
  return table('Ranking by points a round', ['player', 'points a round', '95 %', 'cooperates'], ranking.map((row, i) => [
    `${i + 1}. ${titles[i]}`, fixed(row.score, 3), range(row.score_95), `${fixed(100 * row.cooperation, 0)} %`]), {kind: 'numbers'});
}

/** Who won, the points of the players in the run's order where they say more, and how it ended if not by the rules. */
function resultText(game, players) {
  const winner = game.result === 0 ? 'drawn' : `${players[game.result > 0 ? 0 : 1]} wins`;
  const odd = game.ending && game.ending !== 'rules' ? ` (${game.fault || game.ending})` : '';
  const points = (game.payoffs ?? []).some((one) => ![-1, 0, 0.5, 1].includes(one)) ? `, ${game.payoffs.map(short).join(' : ')}` : '';
  return `${winner}${points}${odd}`;
}

const PAGE = 20;

async function gamesTable(name, run) {
  const place = h('div');
  const error = errorLine();
  let from = 0;
  async function turn(to) {
    try {
      const games = listOf(await get(query(runPath(name, '/games'), {from: to, count: PAGE})), 'games');
      from = to;
      error.clear();
      const titles = titlesOf(run), player = (game) => titles[game.first ?? 0] ?? '';
      set(place, games.length ? table('Games', ['game', 'moves first', 'result', 'moves'], games.map((game) => [
        h('a', {href: `#/arena/${encodeURIComponent(name)}/${game.number}`}, `game ${game.number + 1}`), player(game),
        resultText(game, titles), count(game.plies ?? 0)]), {kind: 'numbers', hideCaption: true}) : h('p', null, 'No game is finished yet.'),
      from === 0 && games.length < PAGE ? null : h('div', {class: 'row'}, button('Earlier', () => turn(Math.max(0, from - PAGE)), {disabled: from === 0}),
        button('Later', () => turn(from + PAGE), {disabled: games.length < PAGE})));
    } catch (problem) { error.show(problem); }
  }
  await turn(0);
  return {element: h('div', null, error.element, place), refresh: () => turn(from)};
}

async function showRun(place, name) {
  let run = asRun(await get(runPath(name)));
  await meet([run.game]);
  const match = run.kind !== 'tournament';
  const curve = match ? new Curve() : null;
  let following = null;
  const progress = new Progress({stop: () => following.stop(), resume: () => following.resume()});
  const said = h('p', {class: 'sentence numeric'}), detail = h('div', {class: 'stack'}), bar = h('div');
  const games = match ? await gamesTable(name, run) : null;
  let matches = [];
  const findMatches = async () => { matches = listOf(await get('/api/runs'), 'runs').filter((one) => one.kind === 'match' && one.game === run.game); };
  if (!match) await findMatches();
  place.append(h('div', {class: 'page'}, h('p', null, h('a', {href: '#/arena'}, '← All matches')),
    h('h1', null, titleOf(run)),
    h('p', {class: 'note'}, `${gameTitle(run.game)}, ${run.kind}`), said, bar, progress.element, curve?.element ?? null, detail,
    games ? [h('h2', null, 'Games'), games.element] : null,
    forProgrammers(['Run', run.name], ['Game', run.game], ...(run.players ?? []).map((spec, i) => [`Player ${i + 1}`, spec]))));

  function draw() {
    said.textContent = match ? run.games ? `${titlesOf(run)[0]} takes ${scoreText(run)}.` : scoreText(run)
      : `${plural(run.done, 'game')} among ${plural(run.players?.length ?? 0, 'player')}.${run.rating?.length && !run.ranking ? ` ${leaderText(run.rating, run.game)}` : ''}`;
    set(bar, match && Number.isFinite(run.score) ? scoreBar(run.score, run.low, run.high) : null);
    progress.show(run);
    set(detail, match ? matchTable(run) : run.ranking ? rankingTable(run.ranking, run.game) : run.rating?.length ? crossTable(run.rating, matches, run.game) : null);
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
  place.append(h('div', {class: 'page wide'}, h('p', null, h('a', {href: `#/arena/${encodeURIComponent(name)}`}, '← All games')),
    h('h1', null, shown.title), h('p', {class: 'note'}, `${shown.players}: ${resultText(shown.stored, shown.stored.first ? [...shown.titles].reverse() : shown.titles)}.`),
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
        h('p', null, h('a', {href: '#/arena'}, 'All matches'))));
      return {close() {}};
    }
    return showList(place);
  },
};
