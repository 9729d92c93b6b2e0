// The address of a view, as long as it is the one that the browser shows.

/** Taken when a view is asked for. What a view learns late must not change the address once the person has gone on: the browser would tell the next
 * view that change instead of the person's. */
export class Address {
  #own = location.hash;

  /** Moves on to hash; with push, Back leads to where the view was before. */
  move(hash, {push = false} = {}) {
    if (location.hash !== this.#own) return;
    if (push && location.hash !== hash) history.pushState(null, '', hash);
    else history.replaceState(null, '', hash);
    this.#own = location.hash;
  }

  /** Does the address name more than the view? */
  get names() { return /^#\/\w+\/./.test(this.#own); }
}
