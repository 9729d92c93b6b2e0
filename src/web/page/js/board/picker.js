// Picking a move cell by cell. A legal move carries its path, the cells named in its text in their order; a pick either
// continues some paths, completes one, or begins a new one. Nothing here knows a game.

const begins = (path, prefix) => prefix.every((cell, i) => path[i] === cell);

export class Picker {
  /** direct: one click on a cell where just one move ends is enough (where a piece is the only one to move). */
  constructor(legal = [], {direct = false} = {}) {
    this.legal = legal.filter((move) => move.path.length > 0);
    this.bare = legal.filter((move) => move.path.length === 0);
    this.direct = direct;
    this.prefix = [];
  }

  clear() { this.prefix = []; }

  #following(prefix) { return this.legal.filter((move) => begins(move.path, prefix)); }

  /** The cells that may be picked next: the next of a path, or the end of one. */
  targets() {
    const cells = new Set();
    const {length} = this.prefix;
    for (const move of this.#following(this.prefix)) if (move.path.length > length) cells.add(move.path[length]);
    return cells;
  }

  /** Cells at which moves begin, whether or not cells are picked. */
  starts() { return new Set(this.legal.map((move) => move.path[0])); }

  /** Moves that end at a cell and go on from what is picked. */
  ending(cell) { return this.#following(this.prefix).filter((move) => move.path.at(-1) === cell); }

  /** {move} when it is complete, {prefix} when there is more to pick, null when the cell means nothing here. */
  pick(cell) {
    const {prefix} = this;
    if (prefix.length && prefix.at(-1) === cell && !this.#following([...prefix, cell]).length) {
      this.prefix = [];
      return {prefix: []};
    }
    const longer = [...prefix, cell], following = this.#following(longer);
    if (following.length) return this.#settle(longer, following);
    const ends = this.ending(cell);
    if (prefix.length && ends.length === 1) return this.#done(ends[0]);
    const anew = this.#following([cell]);
    if (anew.length) return this.#settle([cell], anew);
    if (this.direct && !prefix.length && ends.length === 1) return this.#done(ends[0]);
    this.prefix = [];
    return prefix.length ? {prefix: []} : null;
  }

  #settle(prefix, following) {
    const complete = following.filter((move) => move.path.length === prefix.length);
    if (complete.length && complete.length === following.length) return this.#done(complete[0]);
    this.prefix = prefix;
    return {prefix};
  }

  #done(move) {
    this.prefix = [];
    return {move};
  }
}
