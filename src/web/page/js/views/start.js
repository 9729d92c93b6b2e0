// Start: what Knack is, a player that learns while you look, and seven exhibits, one for each paper.
import {h, set, button, capital, count, errorLine, fixed} from '../dom.js';
import {get, post} from '../api.js';
import * as live from '../live.js';
import {keys} from '../keys.js';
import {Chart} from '../chart.js';
import {viewOf} from '../board/boards.js';
import {claimsList, claimWords} from './papers.js';
import {pictureOf} from './pictures.js';
import {ClockGame} from './touch/clock.js';
import {SheetGame, SmallGame} from './touch/game.js';
import {MemoryTree} from './touch/memory.js';
import {LearningNetwork} from './touch/network.js';
import {ProofToTouch} from './touch/proof.js';
import {Walk} from './touch/walk.js';

// The learner of the front: it begins with nothing and wins within half a minute. The short one shows what it was like at first.
const RUN = 'start', EARLY = 'start-early', GAME = 'othello', GAMES = 240, FIRST = 20, OPPONENT = 'alphabeta(depth=5, eval=hand)';
const SHOWN = 3, PACE = 0.5; // games that it shows in a visit, seconds between their moves

const runPath = (name, rest = '') => `/api/learn/${encodeURIComponent(name)}${rest}`;

/** The training run of that name, started if there is none yet. */
async function runOf(name, games) {
  const {trainings} = await get('/api/learn');
  return trainings.find((one) => one.name === name) ?? post('/api/learn', {learner: `experience(games=${games})`, game: GAME, seeds: 1, name});
}

async function playAgainst(name) {
  const {game, spec} = await post(runPath(name, '/player'));
  const session = await post('/api/sessions', {game, seats: ['human', spec]});
  location.hash = `#/play/${session.id}`;
}

/** Games of the learner as it is now against the search that it learned from, one after the other. */
class Showcase {
  constructor() {
    this.said = h('p', {class: 'note'}, 'Its first game appears here in a moment.');
    this.place = h('div', {class: 'showcase'});
    this.element = h('div', {class: 'stack tight'}, this.place, this.said);
    this.games = 0;
    this.closed = false;
  }

  /** Begins once there is something to show; `learned`: games that it has learned from by now. */
  start(learned) { this.learned = learned; if (!this.begun) { this.begun = true; this.#next().catch((problem) => { this.said.textContent = problem.message; }); } }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
  }

  async #next() {
    const {game, spec} = await post(runPath(RUN, '/player'));
    if (this.closed) return;
    this.shown = this.learned;
    const session = await post('/api/sessions', {game, seats: [spec, OPPONENT], pace: {paused: false, delay: PACE}});
    this.games++;
    this.board = viewOf(session.game, {mini: true, label: 'A game of the player that learns, as Black'});
    set(this.place, this.board.element);
    await this.#follow(session.id);
  }

  async #follow(id) {
    if (this.closed) return;
    const session = document.hidden ? null : await get(`/api/sessions/${id}`);
    if (session && !this.closed) {
      this.board.show({...session, legal: []});
      this.said.textContent = session.over ? `The learner, as it was after ${count(this.shown)} games, had Black. ${capital(session.result.text)}` : `The learner, as it was after ${count(this.shown)} games, has Black; the search of 5 plies has White. Move ${session.ply + 1}.`;
      if (session.over && this.games >= SHOWN) return;
    }
    this.timer = setTimeout(() => (session?.over ? this.#next() : this.#follow(id)).catch((problem) => { this.said.textContent = problem.message; }),
      session?.over ? 3000 : 500);
  }
}

class Learning {
  constructor() {
    this.error = errorLine();
    this.said = h('p', {class: 'sentence numeric'}, 'It starts with an empty memory.');
    this.chart = new Chart({label: 'Points it takes as it learns', x: 'games', y: '% of the points', digits: 0, height: 300, range: [0, 100],
      series: [{label: '% of the points', colour: 'blue', band: true, points: true}]});
    this.early = button(`Play it as it was at game ${FIRST}`, () => this.#play(EARLY), {disabled: true});
    this.now = button('Play it as it is now', () => this.#play(RUN), {kind: 'strong', disabled: true, key: 'p'});
    this.showcase = new Showcase();
    this.element = h('section', {class: 'panel live', 'aria-label': 'A player that learns'},
      h('h2', null, 'A player learns Othello'),
      h('p', null, 'It looks two plies ahead and remembers every game. Its opponent looks five plies ahead and never learns.'),
      h('div', {class: 'two even live-parts'}, this.showcase.element, h('div', null, this.said, this.chart.element)),
      this.error.element, h('div', {class: 'row'}, this.early, this.now, h('a', {href: `#/learn/run/${RUN}`}, 'See what it remembers')));
    this.off = live.on('learn', (news) => { if (news.name === RUN) this.apply(news); else if (news.name === EARLY) this.#earlyDone(news); });
  }

  close() { this.off(); clearTimeout(this.timer); this.chart.close(); this.showcase.close(); }

  async #play(name) {
    try { await playAgainst(name); } catch (problem) { this.error.show(problem); }
  }

  #earlyDone(run) { this.early.disabled = !run.curve?.length; }

  async refresh() {
    try {
      this.#earlyDone(await runOf(EARLY, FIRST));
      this.apply(await runOf(RUN, GAMES));
      this.error.clear();
    } catch (problem) {
      if (problem.status !== 429) { this.error.show(problem); return; }
      this.said.textContent = 'Other players are learning at the moment. This one starts when one of them has finished.';
      this.timer = setTimeout(() => this.refresh(), 3000);
    }
  }

  apply(run) {
    const points = run.curve ?? [], last = points.at(-1);
    this.chart.show([points.map((point) => point[0]), ...[1, 2, 3].map((i) => points.map((point) => 100 * point[i]))]);
    this.now.disabled = !points.length;
    if (!last) return;
    this.showcase.start(last[0]);
    const first = points[0];
    this.said.textContent = `After ${count(last[0])} games it takes ${fixed(100 * last[1], 0)} % of the points (95 %: ${fixed(100 * last[2], 0)} to ${fixed(100 * last[3], 0)})${
      last === first ? '' : `; after ${count(first[0])} it took ${fixed(100 * first[1], 0)} %`}.`;
  }
}

/* ---- the exhibits ---- */

const learn = (learner, game) => async () => {
  const run = await post('/api/learn', {learner, game, seeds: 1});
  location.hash = `#/learn/run/${encodeURIComponent(run.name)}`;
};
const meet = (game, spec) => async () => {
  const session = await post('/api/sessions', {game, seats: ['human', spec]});
  location.hash = `#/play/${session.id}`;
};
const go = (hash) => async () => { location.hash = hash; };

/** For each paper: what it is about in plain words, what to touch on the page, more of it ([label, action]), what to look for, and where to go on ([label, address]). */
const EXHIBITS = {
  allocation: {title: 'Think longer where it pays', touch: () => new ClockGame(),
    more: [['Let another player learn when to think longer', learn('allocation(examples=2000)', 'checkers')]],
    look: 'An even share for every move wastes time on moves that are clear. A tree that was learned from 2,000 positions says how likely it is that a deeper look changes the choice; where that is likely enough for what is left, a deep search is spent.',
    onward: [['Train it on another game', '#/learn'], ['Match it against others', '#/arena']]},
  widening: {title: 'Prove a capture with few moves', touch: () => new ProofToTouch(), more: [['Play Go against a player that proves captures', meet('go(size=7)', 'tactical(playouts=100)')], ['All exercises', go('#/exercises')]],
    look: 'What if you play there? Try any point: the answer is proved, not guessed. The proof needs one good move of one side, and an answer to every move of the other that matters; the search looks at a few such moves first, and at more only where the proof fails.',
    onward: [['330 captures to solve', '#/exercises']]},
  tdleaf: {title: 'Learn by playing yourself', touch: () => new LearningNetwork(),
    more: [['Learn weights of named features', learn('td(games=400)', 'othello(size=6)')]],
    look: 'Nobody told it what is good on the board. It plays against itself and compares what it expected with what came. The corners become valuable within some hundred games, the cells beside them dangerous.',
    onward: [['Train it on another game', '#/learn'], ['Match it against others', '#/arena']]},
  satisficing: {title: 'Be content, and cooperate', touch: () => new Walk(), more: [['See the whole map', go('#/lab/explore')], ['Play the dilemma against one', meet('dilemma', 'satisfice')]],
    look: 'Each agent keeps an action that pays as much as it aspires to, and changes it otherwise. Let them forget slowly and begin with high hopes: they cooperate.',
    onward: [['Explore where satisficing agents end', '#/lab/explore'], ['A tournament of strategies for a class', '#/class']]},
  general: {title: 'Play any game from its rules', touch: () => new SheetGame(), more: [],
    look: 'The player has never seen the game: it reads the rules and samples games until its second is up.',
    onward: [['Let players of such games meet', '#/arena']]},
  hoyle: {title: 'Let advisors argue', touch: () => new SmallGame({game: 'tictactoe(lose)', seats: ['hoyle', 'human'], open: /^(votes|comments)$|weight/, said: 'Three in a row lose. Hoyle begins; each Advisor says here what it thinks of every move.'}),
    more: [['Let it learn by watching', learn('sequences', 'tictactoe(lose)')]],
    look: 'The bars show how each Advisor judges each move, and the votes are their sum, by weight. An Advisor of the first tier that is sure ends the debate.',
    onward: [['Train it on another game', '#/learn'], ['Match it against others', '#/arena']]},
  experience: {title: 'Remember every game', touch: () => new MemoryTree(RUN, () => runOf(RUN, GAMES)), more: [['See it learn on the front page', go('#/start')], ['Look at its training run', go(`#/learn/run/${RUN}`)]],
    look: 'Near the start nearly everything is known. Deeper in the tree it has been to fewer and fewer positions, and searches.',
    onward: [['Train it on another game', '#/learn'], ['Match it against others', '#/arena']]},
};
const ORDER = Object.keys(EXHIBITS), after = (system) => ORDER[(ORDER.indexOf(system) + 1) % ORDER.length];

function touchRow(exhibit, error) {
  return h('div', {class: 'row touch-more'}, exhibit.more.map(([label, action]) => button(label, async () => {
    try { await action(); } catch (problem) { error.show(problem); }
  })));
}

async function showExhibit(place, system) {
  const exhibit = EXHIBITS[system], error = errorLine(), body = h('div', {class: 'stack'});
  if (!exhibit) throw new Error(`There is no exhibit ${system}.`);
  place.append(h('div', {class: 'page'}, h('p', null, h('a', {href: '#/start'}, '← All exhibits')), body));
  const paper = await get(`/api/papers/${encodeURIComponent(system)}`), touched = exhibit.touch();
  set(body, h('header', null, h('h1', null, exhibit.title), h('p', {class: 'note'}, `${paper.name}. ${paper.cite}: ${paper.title}`)),
    h('section', null, h('h2', null, 'The idea'), h('p', {class: 'lead'}, paper.question), h('p', null, paper.says)),
    h('section', {class: 'panel', 'aria-label': 'Try it'}, h('h2', null, 'Try it'), touched.element, touchRow(exhibit, error), error.element),
    h('section', null, h('h2', null, 'What to look for'), h('p', null, exhibit.look)),
    h('section', null, h('h2', null, 'What the paper claims, and what we found'), h('p', null, `${paper.found} ${paper.sure}`), claimsList(paper)),
    h('section', null, h('h2', null, 'Where to go on'), h('p', {class: 'row'}, h('a', {href: `#/start/${after(system)}`}, `Next: ${EXHIBITS[after(system)].title} →`),
      [['All values, figures and interpretations', `#/lab/paper/${system}`], ...exhibit.onward].map(([label, href]) => h('a', {href}, label)))));
  const offs = [() => touched.close(), keys('Start', [['Backspace', 'All exhibits', () => { location.hash = '#/start'; }]])];
  return {close() { offs.forEach((off) => off()); }};
}

async function showFront(place) {
  const learning = new Learning(), exhibits = h('div', {class: 'exhibits'}), error = errorLine();
  place.append(h('div', {class: 'page'}, h('h1', null, 'Programs that learn games'),
    h('p', {class: 'lead'}, 'Knack is a workbench for programs that acquire the knack of a game: seven published methods, running live, that play, learn and say why.'),
    h('p', {class: 'row'}, h('a', {class: 'button', href: '#/play'}, 'Play a game'), h('a', {class: 'button', href: '#/watch'}, 'Watch two players'), h('a', {class: 'button', href: '#/lab'}, 'Read the verdicts')),
    learning.element, h('h2', null, 'Seven ways to learn'), error.element, exhibits));
  learning.refresh();
  try {
    const {papers} = await get('/api/papers');
    set(exhibits, papers.filter((paper) => EXHIBITS[paper.system]).map((paper) => h('article', {class: 'exhibit'},
      pictureOf(paper.system), h('h3', null, h('a', {href: `#/start/${paper.system}`}, EXHIBITS[paper.system].title)), h('p', null, paper.question),
      h('p', {class: 'note'}, `${paper.name}. ${paper.cite}`), h('p', {class: 'note'}, claimWords(paper)))));
  } catch (problem) { error.show(problem); }
  const offs = [() => learning.close(), live.on('open', () => learning.refresh()), keys('Start', [['p', 'Play the one that just learned', () => learning.now.click()]])];
  live.listen({runs: true});
  return {close() { offs.forEach((off) => off()); }};
}

export default {
  title: 'Start',
  show: (place, [system]) => system ? showExhibit(place, system) : showFront(place),
};
