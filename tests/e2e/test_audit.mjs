// Every view, light and dark, at a desk and on a phone: audited by axe-core for what a machine can tell of accessibility, and
// photographed for people to look at (BUILD/screenshots). And the first page's weight.
import {createRequire} from 'node:module';
import {mkdirSync, readFileSync} from 'node:fs';
import {check, DESKTOP, PHONE, run, shot, test, until} from './harness.mjs';
import {openSession, myTurn, clickSomeMove, chooser} from './board.mjs';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = {resultTypes: ['violations'], runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']};
/** The rules that ask for colours: all that a page can break by being dark instead of light. */
const COLOURS = {resultTypes: ['violations'], runOnly: {type: 'rule', values: ['color-contrast', 'link-in-text-block']}};

/** What axe finds, a line each. */
async function audit(page, rules) {
  if (!await page.evaluate(() => 'axe' in globalThis)) await page.evaluate(axe);
  const found = await page.evaluate((rules) => globalThis.axe.run(document, rules), rules);
  const least = rules === RULES ? 11 : 1;
  check(found.passes.length >= least, `axe looked at too little: ${found.passes.length} rules passed`);
  return found.violations.flatMap(({id, nodes}) => nodes.map((node) => `${id}: ${node.target.join(' ')} (${node.failureSummary?.split('\n').pop().trim()})`));
}

async function sound(page, name, rules = RULES) {
  const violations = await audit(page, rules);
  check(!violations.length, `${name}: ${violations.length} violations\n  ${violations.slice(0, 12).join('\n  ')}`);
}

const VIEWS = {
  async play(page, server) {
    await openSession(page, server, 'checkers', ['human', 'alphabeta(depth=3)'], {seed: 1});
    for (let i = 0; i < 2; i++) { await myTurn(page); await clickSomeMove(page, chooser(i)); }
    await myTurn(page);
    await until('the reasons are there', async () => (await page.locator('.why .sentence').count()) === 1);
    await page.waitForSelector('.graph canvas');
    await page.locator('.why .why-body details summary').first().click();
    await page.waitForSelector('.stepper svg');
  },
  async ended(page, server) {
    await openSession(page, server, 'tictactoe', ['human', 'perfect'], {moves: 'b2 a1 c3 b1 a3 a2 c1'});
    await page.getByRole('button', {name: 'Review the game'}).click();
    await page.waitForSelector('.moments');
  },
  async sheet(page, server) {
    await openSession(page, server, 'gdl:breakthrough', ['human', 'human']);
    await page.locator('.place').first().click();
    await page.waitForSelector('.can-go');
  },
  async watch(page, server) {
    const session = await server.post('/api/sessions', {game: 'othello', seats: ['alphabeta(depth=2)', 'alphabeta(depth=1)'], seed: 1, pace: {paused: false, delay: 0}});
    await page.goto(`${server.url}/#/watch/${session.id}`);
    await until('it is played', async () => (await page.locator('.moves .move').count()) > 12);
  },
  async learn(page, server) {
    const {trainings} = await server.get('/api/learn');
    if (!trainings.length) await server.post('/api/learn', {learner: 'allocation(shallow=1, extra=1, examples=200, enrich=200, relief=40)', game: 'checkers', seeds: 2, name: 'shown'});
    await page.goto(`${server.url}/#/learn/run/shown`);
    await until('the form is filled', async () => (await page.locator('.run-form option').count()) > 4);
    await until('the training run is done', async () => /finished/.test(await page.locator('.progress p').first().innerText()), 300000);
    await page.waitForSelector('.chart canvas');
  },
  async class(page, server) {
    const room = await server.post('/api/rooms', {game: 'checkers', title: 'Audited'});
    for (const name of ['Ada', 'Ben']) {
      const {key} = await server.post(`/api/rooms/${room.code}/join`, {name});
      await server.post(`/api/rooms/${room.code}/strategy`, {key, first: 1, chances: [1, 0, 1, 0]});
      if (name === 'Ben') await server.post(`/api/rooms/${room.code}/board`, {key, engine: 'random'});
    }
    await server.post(`/api/rooms/${room.code}/tournament`, {key: room.key});
    await page.goto(`${server.url}/#/class/${room.code}`);
    await page.waitForSelector('.class-board svg');
    await page.getByText('earned the most').waitFor();
  },
  async arena(page, server) {
    await page.goto(`${server.url}/#/arena`);
    await page.waitForSelector('.run-list > *');
  },
  async exercises(page, server) {
    await page.goto(`${server.url}/#/exercises/s2001-2-A5`);
    await page.waitForSelector('.exercise .cell.target');
    await page.keyboard.press('x');
    await page.waitForSelector('.proof .tree button');
  },
  async explore(page, server) {
    await page.goto(`${server.url}/#/lab/explore`);
    await page.waitForSelector('.heat-map image');
  },
  async start(page, server) {
    await page.goto(`${server.url}/`);
    await page.waitForSelector('.exhibit');
    await page.waitForSelector('.showcase .board', {timeout: 60000});
    await server.rest();
  },
  async exhibit(page, server) {
    await page.goto(`${server.url}/#/start/hoyle`);
    await page.waitForSelector('.claims li');
  },
  async walk(page, server) {
    await page.goto(`${server.url}/#/start/satisficing`);
    await page.waitForSelector('.walk circle');
  },
  async rules(page, server) {
    await page.goto(`${server.url}/#/start/general`);
    await page.waitForSelector('.small-board .place');
  },
  async lab(page, server) {
    await page.goto(`${server.url}/#/lab`);
    await page.waitForSelector('.paper');
  },
  async paper(page, server) {
    await page.goto(`${server.url}/#/lab/paper/satisficing`);
    await page.waitForSelector('.claims li');
  },
  async experiments(page, server) {
    await page.goto(`${server.url}/#/lab/experiments`);
    await page.waitForSelector('.run-list > *');
  },
};

for (const [name, show] of Object.entries(VIEWS))
  test(`${name} is sound in light and dark, wide and narrow`, async ({server, open}) => {
    for (const [colorScheme, viewport, size] of [['light', DESKTOP, 'desk'], ['dark', PHONE, 'phone']]) {
      const page = await open({colorScheme, viewport, reducedMotion: 'reduce'});
      await show(page, server);
      await shot(page, `${name}-${size}-${colorScheme}`);
      if (size === 'desk' || name === 'play') await sound(page, `${name} ${colorScheme}`); // the narrow ones are alike
      const other = colorScheme === 'light' ? 'dark' : 'light';
      await page.emulateMedia({colorScheme: other});
      await page.setViewportSize(size === 'desk' ? DESKTOP : PHONE);
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))); // painted again
      await shot(page, `${name}-${size}-${other}`);
      if (size === 'desk') await sound(page, `${name} ${other}`, COLOURS); // the rest is as it was in light
      const spec = /\b[a-z]\w*\([a-z-]+=[^)]*\)/.exec(await page.locator('main').innerText()); // folded parts have no text
      check(!spec, `${name} shows ${spec?.[0]}, which is for programmers`);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      check(overflow <= 0, `${name} at ${viewport.width} is ${overflow} px too wide`);
    }
  });

test('what is known is sound', async ({server, open}) => {
  const page = await open({colorScheme: 'dark', viewport: PHONE});
  mkdirSync(`${server.data}/learned`, {recursive: true});
  await server.knack('match', 'othello', 'experience(alphabeta(depth=1), base="data:learned/met.mdb", learn=yes)', 'random', '--games', '4', '--jobs', '1');
  await openSession(page, server, 'othello', ['human', 'experience(random, base="data:learned/met.mdb")']);
  await page.waitForSelector('.known table');
  await page.locator('.known').scrollIntoViewIfNeeded();
  await sound(page, 'known');
  await shot(page, 'known-phone-dark');
});

test('dialogs are sound', async ({server, open}) => {
  const page = await open();
  await openSession(page, server, 'checkers', ['human', 'human']);
  await page.keyboard.press('?');
  await page.waitForSelector('#keys[open]');
  await shot(page, 'keys-desk-light');
  await sound(page, 'keys');
  await page.keyboard.press('Escape');
  await page.keyboard.press('n');
  await until('the dialog is filled', async () => (await page.locator('dialog[open] option').count()) > 5);
  await sound(page, 'new game');
  await page.keyboard.press('Escape');
  await page.keyboard.press('e');
  await shot(page, 'set-up-desk-light');
  await sound(page, 'set-up');
});

test('other boards are sound', async ({server, open}) => {
  const page = await open({colorScheme: 'dark'});
  for (const [game, audited] of [['go', true], ['morris(men=9)'], ['phutball'], ['fives'], ['dilemma(turns=5)', true], ['tictactoe']]) {
    await openSession(page, server, game, ['human', 'human']);
    await shot(page, `board-${game.replace(/\W+/g, '-').replace(/-$/, '')}-dark`);
    if (audited) await sound(page, game);
  }
});

test('the first page weighs less than 200 kB, in few files', async ({server, open}) => {
  const page = await open({}); // one that has nothing at hand
  const started = Date.now();
  await page.goto(`${server.url}/#/play`);
  await page.waitForSelector('.stage .cell.target');
  const took = Date.now() - started;
  await page.waitForURL(/#\/play\/\w+/); // all that it asks for by itself has come
  const {bytes, files} = await page.evaluate(() => {
    const list = performance.getEntriesByType('resource').filter((entry) => !entry.name.includes('/api/'));
    return {
      bytes: [performance.getEntriesByType('navigation')[0], ...list].reduce((sum, entry) => sum + entry.decodedBodySize, 0),
      files: list.map((entry) => new URL(entry.name).pathname),
    };
  });
  console.log(`    ${files.length} files, ${Math.round(bytes / 1000)} kB uncompressed, usable after ${took} ms`);
  check(bytes > 50_000 && bytes < 200_000, `${bytes} bytes`);
  const others = files.filter((file) => !['/js/main.js', '/css/page.css', '/icon.svg'].includes(file));
  check(!others.length, `the first page also asks for ${others.join(' ')}`);
});

test('the front, with all that it draws, comes in less than 200 kB too', async ({server, open}) => {
  const page = await open({});
  await page.goto(`${server.url}/`);
  await page.waitForSelector('.exhibit');
  await page.waitForSelector('.live canvas', {timeout: 60000});
  const files = await page.evaluate(() => [performance.getEntriesByType('navigation')[0], ...performance.getEntriesByType('resource')]
    .filter((entry) => !entry.name.includes('/api/')).map((entry) => [new URL(entry.name).pathname, entry.encodedBodySize, entry.decodedBodySize]));
  const bytes = files.reduce((sum, [, size]) => sum + size, 0), scripts = files.filter(([name]) => name.endsWith('.js'));
  console.log(`    ${files.length} files, ${Math.round(bytes / 1000)} kB on the way`);
  check(bytes > 20_000 && bytes < 200_000, `${bytes} bytes`);
  check(scripts.length > 1 && scripts.every(([, packed, plain]) => packed < 0.6 * plain), `scripts travel packed: ${JSON.stringify(scripts)}`);
  await server.rest();
});

await run();
