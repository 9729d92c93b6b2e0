// Games between engines with budgets of depth and nodes, which come out the same wherever they are played: by the native server, by the site's program
// in node, and by the site in a browser.
import {createHash} from 'node:crypto';

export const GAMES = [
  ['checkers', 'alphabeta(depth=5, eval=ntuple)', 'alphabeta(nodes=3000)'],
  ['othello', 'alphabeta(depth=4, eval=ntuple)', 'endgame(alphabeta(nodes=2000, eval=features(weights=othello-patterns)), empties=10)'],
  ['go(size=7)', 'uct(playouts=200)', 'alphabeta(depth=2)'],
  ['morris', 'alphabeta(depth=4, eval=ntuple)', 'alphabeta(nodes=2000)'],
  ['fives(width=9, height=9)', 'alphabeta(depth=2)', 'alphabeta(nodes=3000)'],
  ['phutball(width=9, height=9)', 'alphabeta(depth=2)', 'reasonable(0.5, alphabeta(depth=2))'],
  ['tictactoe', 'hoyle', 'random'],
  ['dilemma(turns=30)', 'TitForTat', 'memory1(cc=0.9,cd=0.2,dc=0.5,dd=0.1)'],
  ['gdl:connectfour', 'uct(playouts=300)', 'alphabeta(nodes=3000)'],
  ['gdl:breakthrough', 'alphabeta(depth=3)', 'uct(playouts=100)'],
];

/** Plays one. `call(method, path, body)` asks a server and resolves to its JSON; `wait` is called between looks. */
export async function play(call, [game, ...seats], wait) {
  const session = await call('POST', '/api/sessions', {game, seats, seed: 11, pace: {delay: 0, paused: false}});
  for (;;) {
    const now = await call('GET', `/api/sessions/${session.id}`);
    if (now.trouble) throw new Error(`${game}: ${now.trouble}`);
    if (now.over) {
      await call('POST', `/api/sessions/${session.id}/delete`, {});
      const words = [...now.history.map((move) => `${move.text} ${move.score ?? ''}`), now.result.text];
      return {game, plies: now.plies, digest: createHash('sha256').update(words.join('\n')).digest('hex').slice(0, 16)};
    }
    await wait();
  }
}
