// How fast the site's program is beside the native one: processor seconds of the same games between engines, played by `knack serve` and by the
// WebAssembly in node (V8, as in Chromium), in turn, after one game each to warm up. Medians of ROUNDS (default 5) rounds.
//
//   node bench/site.mjs build/knack build-site/site [ROUNDS]
import {spawn} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {play} from '../tests/site/games.mjs';
import {open} from '../tests/site/program.mjs';

const [, , binary = 'build/knack', site = 'build-site/site', rounds = '5'] = process.argv;
const GAMES = [
  ['checkers', 'alphabeta(depth=7, eval=ntuple)', 'alphabeta(depth=7)'],
  ['othello', 'alphabeta(depth=6, eval=ntuple)', 'alphabeta(depth=6, eval=features(weights=othello-patterns))'],
  ['go(size=9)', 'uct(playouts=500)', 'uct(playouts=500)'],
  ['morris', 'alphabeta(depth=6, eval=ntuple)', 'alphabeta(depth=6)'],
  ['fives(width=9, height=9)', 'alphabeta(depth=3)', 'alphabeta(depth=3)'],
  ['gdl:connectfour', 'alphabeta(nodes=20000)', 'uct(playouts=2000)'],
];

const data = mkdtempSync(join(tmpdir(), 'knack-bench-'));
const server = spawn(binary, ['serve', '--port', '0', '--engines', '1', '--data', data]);
const url = await new Promise((done) => server.stdout.on('data', (text) => { const found = /http:\/\/\S+/.exec(text); if (found) done(found[0].replace(/\/$/, '')); }));
const native = {
  async call(method, path, body) {
    const ask = () => fetch(url + path, {method, headers: {'Content-Type': 'application/json'}, body: body && JSON.stringify(body)});
    const reply = await ask().catch(ask); // the server closes connections that were idle while the other one played
    if (!reply.ok) throw new Error(await reply.text());
    return reply.json();
  },
  wait: () => new Promise((done) => setTimeout(done, 100)),
  seconds() { // user and system time, in ticks of 1/100 s
    const fields = readFileSync(`/proc/${server.pid}/stat`, 'utf8').replace(/^.*\) /, '').split(' ');
    return (Number(fields[11]) + Number(fields[12])) / 100;
  },
};
const program = await open(resolve(site));
const wasm = {
  async call(method, path, body) {
    const reply = program.answer(method, path, body);
    if (reply.status >= 300) throw new Error(reply.text);
    return JSON.parse(reply.text);
  },
  async wait() { for (let i = 0; i < 20; i++) program.step(); },
  seconds() { const {user, system} = process.cpuUsage(); return (user + system) / 1e6; },
};

async function measure({call, wait, seconds}, game) {
  const before = seconds();
  await play(call, game, wait);
  return seconds() - before;
}
const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];

let worst = Infinity;
for (const game of GAMES) {
  const times = {native: [], wasm: []};
  for (let round = 0; round <= Number(rounds); round++) {
    const one = await measure(native, game), other = await measure(wasm, game);
    if (round) { times.native.push(one); times.wasm.push(other); }
  }
  const ratios = times.native.map((one, i) => one / times.wasm[i]), middle = median(ratios);
  worst = Math.min(worst, middle);
  console.log(`${game[0].padEnd(26)} native ${median(times.native).toFixed(2)} s   WebAssembly ${median(times.wasm).toFixed(2)} s   speed ${middle.toFixed(2)} of native (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}, ${rounds} rounds)`);
}
console.log(`the slowest: ${worst.toFixed(2)} of native`);
server.kill();
rmSync(data, {recursive: true});
