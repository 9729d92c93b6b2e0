// Experience: the tree of remembered games. It grows while the player of the front page learns; any node can be opened.
import {h, s, set, button, count, errorLine, fixed} from '../../dom.js';
import {get, post, query, sessionPath} from '../../api.js';
import {viewOf} from '../../board/boards.js';
import {plural} from '../../names.js';

const POLL = 2500;

/** A node: the moves that lead to it, and what the base knows there once it was opened. */
const node = (moves, row = {}) => ({moves, row, children: null, open: false});

export class MemoryTree {
  /** ensure: starts the training run if there is none yet. */
  constructor(run, ensure) {
    Object.assign(this, {run, ensure, error: errorLine(), root: node([]), chosen: null});
    this.said = h('p', {class: 'sentence numeric', role: 'status'}, 'The memory is opened.');
    this.here = h('p', {class: 'note numeric'});
    this.board = h('div', {class: 'small-board'});
    this.tree = h('div', {class: 'memory', role: 'group', 'aria-label': 'Tree of remembered games'});
    this.element = h('div', {class: 'two even'}, h('div', {class: 'stack tight'}, this.board, this.here), h('div', {class: 'stack tight'}, this.said, this.tree, this.error.element));
    this.#begin();
  }

  async #begin() {
    try {
      await this.ensure();
      await this.#refresh();
    } catch (problem) { this.#fail(problem); }
  }

  /** While it learns, a new copy of the base is opened again and again; what is open stays open. */
  async #refresh() {
    if (this.closed) return;
    const training = await get(`/api/learn/${encodeURIComponent(this.run)}`), size = training.also?.growth ?? training.runs?.[0]?.also?.growth ?? [];
    const grown = JSON.stringify(size.at(-1) ?? training.state);
    if (grown !== this.grown && training.curve?.length) {
      this.player = await post(`/api/learn/${encodeURIComponent(this.run)}/player`).catch((problem) => { if (problem.status === 409) return null; throw problem; });
      if (this.player) {
        this.grown = grown;
        await this.#reload(this.root);
        if (!this.root.open || !this.chosen) await this.#open(this.root, true);
        else this.#draw();
      }
    }
    if (!this.player) this.said.textContent = 'It remembers nothing yet: its first games are being played.';
    if (training.state === 'running' && !this.closed) this.timer = setTimeout(() => this.#refresh().catch((problem) => this.#fail(problem)), POLL);
  }

  #fail(problem) { if (!this.closed) this.error.show(problem.status === 429 ? 'Other players are learning at the moment; come back in half a minute.' : problem); }

  /** What the base knows after these moves. */
  async #ask(moves) {
    const session = await post('/api/sessions', {game: this.player.game, seats: [this.player.spec, this.player.spec], moves: moves.join(' ') || undefined, pace: {paused: true, delay: 1}});
    const known = await get(query(sessionPath(session.id, '/known'), {ply: session.ply}));
    await post(sessionPath(session.id, '/delete'));
    return {session, base: known.experience?.[0]};
  }

  async #reload(one) {
    if (one !== this.root && !one.open) return;
    const {session, base} = await this.#ask(one.moves), before = new Map((one.children ?? []).map((child) => [child.row.move, child]));
    Object.assign(one, {session, base, unexplored: (base?.moves ?? []).filter((row) => !row.explored).length});
    one.children = (base?.moves ?? []).filter((row) => row.explored).sort((a, b) => b.games - a.games).map((row) => {
      const child = before.get(row.move) ?? node([...one.moves, row.move]);
      child.row = {...row, mean: session.movers[0] === 0 ? row.mean : -row.mean}; // all of the tree is seen by Black
      return child;
    });
    for (const child of one.children) if (child.open) await this.#reload(child);
  }

  async #open(one, keep = false) {
    if (!keep) one.open = one === this.chosen ? !one.open : true;
    else one.open = true;
    try {
      if (one.open && !one.children) await this.#reload(one);
      if (this.closed) return;
      this.chosen = one;
      this.error.clear();
      this.#draw();
    } catch (problem) { this.#fail(problem); }
  }

  #draw() {
    const {root, chosen} = this, {size} = root.base ?? {};
    this.said.textContent = `It remembers ${plural(size?.positions ?? 0, 'position')} of ${plural(size?.games ?? 0, 'game')}. Open a move to go deeper; the discs are the mean of its games.`;
    if (chosen.session) {
      const view = viewOf(chosen.session.game, {mini: true, edges: true, label: 'The position in the tree'});
      view.show({...chosen.session, legal: []});
      set(this.board, view.element);
      const {base, children, unexplored} = chosen;
      this.here.textContent = !base?.known ? 'It has never been here: it would have to search.'
        : `It was here in ${plural(base.games ?? 0, 'game')}${chosen.moves.length ? `, after ${chosen.moves.join(' ')}` : ', at the start'}. It has tried ${unexplored ? `${plural(children.length, 'move')}, and ${count(unexplored)} not yet` : 'every move'}.`;
    }
    const focused = this.tree.contains(document.activeElement) ? document.activeElement.dataset.path : null;
    set(this.tree, this.#branch(root, root.base?.games || 1));
    if (focused !== null) this.tree.querySelector(`[data-path="${focused}"]`)?.focus();
  }

  #branch(one, most) {
    const name = one.moves.at(-1) ?? 'Start', {games = 0, mean} = one === this.root ? one.base ?? {} : one.row;
    const label = h('button', {type: 'button', class: `link node${one === this.chosen ? ' chosen' : ''}`, 'aria-expanded': String(one.open), data: {path: one.moves.join('-')}, on: {click: () => this.#open(one)}},
      s('svg', {class: 'bar', viewBox: '0 0 100 10', preserveAspectRatio: 'none', 'aria-hidden': 'true'}, s('rect', {class: 'track', x: 0, y: 0, width: 100, height: 10}), s('rect', {class: 'more', x: 0, y: 0, width: Math.max(2, 100 * Math.sqrt(games / most)), height: 10})),
      h('span', {class: 'move-text'}, name), h('span', {class: 'note'}, `${plural(games, 'game')}${Number.isFinite(mean) ? `, Black ${fixed(Math.abs(mean), 0)} discs ${mean < 0 ? 'behind' : 'ahead'}` : ''}`));
    return h('ul', null, h('li', null, label, one.open && one.children ? one.children.map((child) => this.#branch(child, most)) : null,
      one.open && one.children && !one.children.length ? h('p', {class: 'note'}, 'Nothing is known from here on: it would have to search.') : null));
  }

  close() { this.closed = true; clearTimeout(this.timer); }
}
