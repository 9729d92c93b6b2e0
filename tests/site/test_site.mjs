// The site (docs/site.md): it plays the same moves as the native program, in node and in Chromium, and the page works on it as on a server, from a folder
// of any web space.
//
//   node tests/site/test_site.mjs build/knack SHOTS build-site/site
import {spawn} from 'node:child_process';
import {existsSync, mkdtempSync, rmSync, symlinkSync} from 'node:fs';
import {createServer} from 'node:net';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {check, PHONE, run, same, shot, test, until} from '../e2e/harness.mjs';
import {GAMES, play} from './games.mjs';
import {open} from './program.mjs';

const site = resolve(process.argv[4] ?? 'build-site/site');
if (!existsSync(join(site, 'index.html'))) {
  console.log(`skipped: ${site} is not built ('make site' builds it, with Debian's emscripten)`);
  process.exit(77);
}

const freePort = () => new Promise((done) => {
  const probe = createServer().listen(0, '127.0.0.1', () => { const {port} = probe.address(); probe.close(() => done(port)); });
});

/** Python's plain file server, with the site in a folder below. */
async function serveFiles() {
  const folder = mkdtempSync(join(tmpdir(), 'knack-site-')), port = await freePort();
  symlinkSync(site, join(folder, 'class'));
  const server = spawn('python3', ['-m', 'http.server', String(port), '--bind', '127.0.0.1', '--directory', folder], {stdio: 'ignore'});
  const url = `http://127.0.0.1:${port}/class/`;
  await until('the files are served', () => fetch(url).then((reply) => reply.ok, () => false));
  return {url, close() { server.kill(); rmSync(folder, {recursive: true}); }};
}

const files = await serveFiles();
process.on('exit', () => files.close());

const pause = () => new Promise((done) => setTimeout(done, 20));
const native = new Map();
async function nativeDigests(server) {
  for (const game of GAMES)
    if (!native.has(game)) native.set(game, (await play((method, path, body) => method === 'GET' ? server.get(path) : server.post(path, body), game, pause)).digest);
  return native;
}

test('node plays the moves of the native program', async ({server}) => {
  const wanted = await nativeDigests(server), program = await open(site);
  const call = async (method, path, body) => {
    const reply = program.answer(method, path, body);
    if (reply.status >= 300) throw new Error(reply.text);
    return JSON.parse(reply.text);
  };
  for (const game of GAMES) same((await play(call, game, async () => program.step())).digest, wanted.get(game), game.join(' '));
});

/** A worker as the page starts it, asked from this program. */
async function callsOf(page) {
  await page.evaluate(() => {
    const worker = new Worker('worker.js'), asked = new Map();
    let count = 0;
    worker.onmessage = ({data}) => { asked.get(data.id)?.(data); asked.delete(data.id); };
    globalThis.ask = (method, path, body) => new Promise((done) => {
      asked.set(++count, done);
      worker.postMessage({id: count, method, path, body});
    });
  });
  return async (method, path, body) => {
    const reply = await page.evaluate(([...words]) => globalThis.ask(...words), [method, path, body && JSON.stringify(body)]);
    if (reply.status >= 300) throw new Error(reply.text);
    return JSON.parse(reply.text);
  };
}

test('Chromium plays the moves of the native program', async ({server, open: openPage}) => {
  const wanted = await nativeDigests(server), page = await openPage();
  await page.goto(files.url);
  const call = await callsOf(page);
  for (const game of GAMES) same((await play(call, game, pause)).digest, wanted.get(game), game.join(' '));
});

const movesOf = (page) => page.locator('.moves [data-ply], .moves li, .moves button').count();

test('a game with reasons, kept for the next visit', async ({open: openPage}) => {
  const page = await openPage();
  const asked = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.goto(`${files.url}#/play`);
  await page.locator('input[name="move"], .entry input').first().fill('11-15');
  await page.keyboard.press('Enter');
  await until('the engine has answered', async () => await movesOf(page) >= 2);
  await until('a reason stands beside the board', async () => /\d+-\d+/.test(await page.locator('.why').innerText()));
  await shot(page, 'site-play');
  const outside = asked.filter((url) => !url.startsWith(files.url) && !url.startsWith('blob:'));
  check(!outside.length, `asked elsewhere: ${outside.join(' ')}`);
  check(!asked.some((url) => url.includes('/api/')), 'asked a server for an answer');
  const address = page.url();
  await page.waitForTimeout(3000); // what is kept is written after 300 ms; nothing on the page tells when
  await page.goto('about:blank');
  await page.goto(address);
  await until('the game is there again', async () => await movesOf(page) >= 2);
});

test('the front learns while one looks', async ({open: openPage}) => {
  const page = await openPage();
  await page.goto(`${files.url}#/start`);
  await until('it has learned a while', async () => /[1-9]\d* games/.test(await page.locator('main').innerText()), 60000);
  await shot(page, 'site-start');
});

test('every view on a phone', async ({open: openPage}) => {
  const page = await openPage({viewport: PHONE});
  for (const [view, content] of [['start', '.exhibit'], ['play', '.cell.target'], ['watch', '.moves .move'], ['learn', '.run-form option'], ['arena', '.run-list > *'], ['lab', '.paper']]) {
    await page.goto(`${files.url}#/${view}`);
    await page.locator(`.view-${view} ${content}`).first().waitFor({state: 'attached'});
    await shot(page, `site-phone-${view}`);
    check(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${view} is wider than a phone`);
    same(await page.locator('.error:visible').count(), 0, `errors in ${view}`);
  }
});

await run();
