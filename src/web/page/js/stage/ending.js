// The end of a game is a beginning: its result, a review with its curve and the moments to learn from, and ways to go on.
import {h, set, announce, button, capital, errorLine, fixed} from '../dom.js';
import {get, post, sessionPath} from '../api.js';
import {Chart} from '../chart.js';
import {plainMove} from '../names.js';
import {reasonView, folded} from '../why.js';
import {outcomeText} from './players.js';
import {Territory} from './territory.js';

const percent = (chance) => `${fixed(100 * chance, 0)} %`;
const SIGNS = {inaccurate: '~ playable', mistake: '? mistake', blunder: '?? blunder'};

/** The same game again from a ply of this one, as a new game: nothing is lost. */
export async function branch(session, ply) {
  return post('/api/sessions', {game: session.game.spec, seats: session.seats.filter((seat) => seat.kind !== 'nature').map((seat) => seat.kind === 'human' ? 'human' : seat.spec),
    position: session.start || undefined, moves: ply ? session.history.slice(0, ply).map((row) => row.text).join(' ') : undefined});
}

/** A player that has learned this game on this server, the latest first; null if there is none. */
async function learned(session) {
  const {trainings} = await get('/api/learn');
  const run = trainings.filter((one) => one.game === session.game.spec && one.curve?.length).at(-1);
  return run ? post(`/api/learn/${encodeURIComponent(run.name)}/player`) : null;
}

export class Ending {
  /** look(ply), enter(session), save(), context(): as the stage has them. */
  constructor({look, enter, save, context}) {
    Object.assign(this, {look, enter, save, context});
    this.error = errorLine();
    this.result = h('h2', {class: 'result'});
    this.body = h('div', {class: 'review'});
    this.territory = new Territory();
    this.review = button('Review the game', () => this.#review(), {kind: 'strong'});
    this.student = button('Play one that learned', () => this.#go(async () => this.#meet()));
    this.link = button('Copy link', () => this.#copy());
    this.element = h('section', {class: 'ending', 'aria-label': 'The end of the game', hidden: true}, this.result,
      h('div', {class: 'row tight'}, this.review, button('Play again', () => this.#go(() => branch(this.session, 0))), this.student,
        button('Save the game', () => this.save()), this.link), this.error.element, this.territory.element, this.body);
    this.chart = null;
  }

  close() { this.chart?.close(); this.chart = null; }

  show(session, people) {
    const key = `${session.id} ${session.over ? session.revision : ''}`;
    this.session = session;
    this.element.hidden = !session.over;
    if (this.key === key) return;
    this.key = key;
    this.close();
    set(this.body);
    this.territory.show(session);
    this.error.clear();
    this.review.hidden = session.game.simultaneous || session.ply < 2;
    this.student.hidden = session.game.simultaneous;
    if (session.over) this.result.textContent = outcomeText(session, people);
  }

  async #go(make) {
    try { const session = await make(); if (session) this.enter(session); } catch (problem) { this.error.show(problem); }
  }

  async #meet() {
    const player = await learned(this.session);
    if (!player) { this.error.show('Nothing has learned this game here yet. Start a training in Learn, then come back.'); return null; }
    return post('/api/sessions', {game: player.game, seats: ['human', player.spec]});
  }

  async #copy() {
    const address = `${location.origin}/#/play/${this.session.id}`;
    try {
      await navigator.clipboard.writeText(address);
      announce('The link is copied.');
      this.link.textContent = 'Copied';
    } catch { set(this.body, h('p', null, 'The link of this game: ', h('a', {href: address}, address))); }
  }

  async #review() {
    this.review.disabled = true;
    set(this.body, h('p', {role: 'status'}, 'Looking at every move…'));
    try {
      const review = await get(sessionPath(this.session.id, '/review'));
      this.error.clear();
      this.#tell(review);
    } catch (problem) {
      set(this.body);
      this.error.show(problem);
    } finally { this.review.disabled = false; }
  }

  #move(row) { return `Move ${row.ply + 1}, ${capital(this.session.game.roles[row.role])} ${plainMove(row.move)}`; }

  #tell({moves, turning, moments}) {
    const first = capital(this.session.game.roles[0]), at = new Map(moves.map((row) => [row.ply, row]));
    this.close();
    this.chart = new Chart({label: `Chances of ${first} over the game`, x: 'move', y: '%', digits: 0, height: 150, range: [0, 100],
      series: [{label: `chances of ${first}, %`, colour: 'blue', points: true}], pick: (ply) => this.look(ply)});
    this.chart.show([moves.map((row) => row.ply + 1), moves.map((row) => 100 * row.chance)]);
    const turn = (ply) => {
      const row = at.get(ply), best = row.chance + (row.role === 0 ? row.drop : -row.drop);
      return h('li', null, button(this.#move(row), () => this.look(ply + 1), {kind: 'link'}), ` (${SIGNS[row.verdict] ?? row.verdict}): the chances of ${first} are ${
        percent(row.chance)} after it, and would be ${percent(best)} after ${plainMove(row.best)}.`);
    };
    const moment = ({ply, reason}) => h('li', null, h('p', null, button(this.#move(at.get(ply)), () => this.look(ply), {kind: 'link'}), ': ', reason.text),
      h('div', {class: 'row tight'}, button('Try again from here', () => this.#go(() => branch(this.session, ply)))),
      folded('The evidence', () => reasonView({...reason, text: `Instead of ${at.get(ply).move}: ${at.get(ply).best}`}, this.context())));
    set(this.body, h('h3', null, `Chances of ${first}`), this.chart.element,
      h('h3', null, 'Where it turned'), turning.length ? h('ol', null, turning.sort((a, b) => a - b).map(turn)) : h('p', null, 'Nobody gave anything away: an even, careful game.'),
      moments.length ? [h('h3', null, moments.length === 1 ? 'One moment to learn from' : `${['', '', 'Two', 'Three'][moments.length]} moments to learn from`),
        h('ol', {class: 'moments'}, moments.map(moment))] : null,
      h('p', {class: 'note'}, 'The strongest level looked at every move for the same number of positions; its scores are turned into chances.'));
  }
}
