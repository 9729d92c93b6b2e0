// What goes wrong: bad moves, bad files, a server that goes away. Messages stand beside what caused them and go away when it is mended.
import {readFileSync} from 'node:fs';
import {check, run, same, Server, shot, test, until} from './harness.mjs';
import {isOver, moveCount, openSession, status} from './board.mjs';

const source = (path) => new URL(`../../${path}`, import.meta.url);
const file = (name, text) => ({name, mimeType: 'text/plain', buffer: Buffer.from(text)});
const shownErrors = (page) => page.locator('.stage .error:visible');

test('an illegal move is refused beside the entry, until it is mended', async ({server, open}) => {
  const page = await open();
  await openSession(page, server, 'checkers', ['human', 'human']);
  await page.fill('#move', '9-99');
  await page.press('#move', 'Enter');
  await until('the message is there', async () => (await shownErrors(page).count()) === 1);
  check(/1 to 32/.test(await shownErrors(page).innerText()), 'it says what is wrong');
  await shot(page, 'trouble-illegal-move');
  await page.fill('#move', '9-13');
  same(await shownErrors(page).count(), 0, 'messages after mending');
  await page.press('#move', 'Enter');
  await until('the move is played', async () => (await moveCount(page)) === 1);
});

test('a bad file is refused with its place, a good one is read and saved again', async ({server, open}) => {
  const page = await open();
  await openSession(page, server, 'checkers', ['human', 'human']);
  await page.setInputFiles('input[type=file]', file('bad.pdn', '[Event "x"]\n1. 11-15 22-99 *\n'));
  await until('the message is there', async () => (await shownErrors(page).count()) === 1);
  check(/bad\.pdn: .*move 2/.test(await shownErrors(page).innerText()), 'file and move are named');
  await shot(page, 'trouble-bad-file');
  await page.setInputFiles('input[type=file]', file('bad.kif', '(role x) (init (p 1)'));
  await until('another message is there', async () => /bad\.kif/.test(await shownErrors(page).innerText()));
  await page.setInputFiles('input[type=file]', file('good.pdn', '[Event "x"]\n[GameType "21"]\n1. 11-15 23-19 2. 8-11 22-17 *\n'));
  await until('the game is there', async () => (await moveCount(page)) === 4);
  same(await shownErrors(page).count(), 0, 'messages after a good file');
  const waiting = page.waitForEvent('download');
  await page.keyboard.press('d');
  const download = await waiting;
  check(download.suggestedFilename().endsWith('.pdn'), 'saved as PDN');
  check(/11-15 23-19/.test(readFileSync(await download.path(), 'utf8')), 'the moves are in the file');
});

test('a game description dropped on the page can be played to the end', async ({server, open}) => {
  const page = await open();
  await openSession(page, server, 'checkers', ['human', 'human']);
  const text = readFileSync(source('data/gdl/tictactoe.kif'), 'utf8');
  await page.evaluate((content) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([content], 'tictactoe.kif'));
    document.querySelector('.stage').dispatchEvent(new DragEvent('drop', {bubbles: true, cancelable: true, dataTransfer: transfer}));
  }, text);
  await until('the game is there', async () => (await page.locator('.fact-grid').count()) === 1);
  for (let i = 0; i < 9 && !(await isOver(page)); i++) {
    const before = await moveCount(page);
    await until('a place can be chosen', async () => (await page.locator('.place').count()) > 0 || isOver(page));
    if (await isOver(page)) break;
    if (i === 1) await shot(page, 'play-game-description');
    await page.locator('.place').first().click();
    await until('both have moved', async () => (await moveCount(page)) >= before + 2 || isOver(page));
  }
  check(/(wins?|A draw)\./.test(await status(page)), `it ends with a winner or a draw: ${await status(page)}`);
});

test('the server goes away and comes back: a calm notice, then the same game', async ({open}) => {
  const own = await new Server().start();
  const page = await open();
  const id = await openSession(page, own, 'tictactoe', ['human', 'human']);
  await page.fill('#move', 'b2');
  await page.press('#move', 'Enter');
  await until('the move is played', async () => (await moveCount(page)) === 1);
  await own.stop('SIGKILL');
  await until('the notice is there', async () => (await page.locator('#notice .lost').count()) === 1);
  await shot(page, 'trouble-lost-server');
  await own.start();
  await until('the notice is gone', async () => (await page.locator('#notice .lost').count()) === 0);
  await until('the game is the same', async () => (await moveCount(page)) === 1 && page.url().endsWith(id));
  await page.fill('#move', 'a1');
  await page.press('#move', 'Enter');
  await until('the game goes on', async () => (await moveCount(page)) === 2);
  await own.close();
});

test('a game that is gone says so, and a new one can be begun', async ({server, open}) => {
  const page = await open();
  await page.goto(`${server.url}/#/play/nosuchgame`);
  await until('the message is there', async () => (await shownErrors(page).count()) === 1);
  await page.keyboard.press('n');
  await until('the dialog is filled', async () => (await page.locator('dialog[open] option').count()) > 5);
  await page.getByRole('button', {name: 'Play', exact: true}).last().click();
  await until('a game is there', async () => /your move/i.test(await status(page)));
  same(await shownErrors(page).count(), 0, 'messages');
});

test('an unknown player is refused beside its field', async ({server, open}) => {
  const page = await open();
  await openSession(page, server, 'tictactoe', ['human', 'human']);
  await page.keyboard.press('n');
  await until('levels are listed', async () => (await page.getByLabel('Second player', {exact: true}).locator('option').count()) > 2);
  await page.getByLabel('Second player', {exact: true}).selectOption({label: 'For programmers: any player…'});
  await page.getByLabel('Second player: player spec').fill('alphabetta(depth=2)');
  await page.getByRole('button', {name: 'Play', exact: true}).last().click();
  await until('the message is there', async () => (await page.locator('dialog .error:visible').count()) === 1);
  check(/alphabetta/.test(await page.locator('dialog .error:visible').innerText()), 'the player is named');
  await page.getByLabel('Second player: player spec').fill('alphabeta(depth=2)');
  await page.getByRole('button', {name: 'Play', exact: true}).last().click();
  await until('the game is there', async () => (await page.locator('dialog[open]').count()) === 0);
});

await run();
