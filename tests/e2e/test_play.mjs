// A full game of each kind, by every way of moving there is.
import {readFileSync} from 'node:fs';
import {check, run, same, shot, test, until} from './harness.mjs';
import {clickCell, clickSomeMove, chooser, isOver, moveCount, myTurn, openSession, playToTheEnd, status} from './board.mjs';

const typed = async (page, move) => {
  const before = await moveCount(page);
  await page.fill('#move', move);
  await page.press('#move', 'Enter');
  await until(`${move} is played`, async () => (await moveCount(page)) > before);
};

test('the first visit finds draughts set up', async ({server, open}) => {
  const page = await open();
  await page.goto(`${server.url}/#/play`);
  await until('a board is there', async () => (await page.locator('.stage [role=gridcell]').count()) === 32);
  same(await status(page), 'Your move.', 'status');
  check((await page.locator('h1').innerText()) === 'Draughts', 'the game is draughts');
  check((await page.locator('.seats').innerText()).includes('You'), 'a seat is mine');
  same(await page.locator('.stage .cell.target').count(), 4, 'men that can move');
  await shot(page, 'play-first-visit');
});

test('the first board can be played on before its game has begun, however late that is', async ({server, open}) => {
  const page = await open();
  let asked = 0, let_go;
  const held = new Promise((done) => { let_go = done; });
  await page.route('**/api/sessions', async (route) => {
    if (++asked === 1) { await route.abort(); return; }
    await held;
    await route.continue();
  });
  await page.goto(`${server.url}/#/play`);
  await clickCell(page, '11');
  await clickCell(page, '15');
  same(await moveCount(page), 0, 'moves before the game has begun');
  await until('a failed beginning is told', async () => (await page.locator('.stage .error:visible').count()) === 1);
  await until('it is tried again', () => asked === 2);
  let_go();
  await until('the move is played and answered', async () => (await moveCount(page)) === 2);
  same(await page.locator('.moves .move').first().innerText(), '11-15', 'the move');
  same(await page.locator('.stage .error:visible').count(), 0, 'messages afterwards');
  check(/#\/play\/\w+/.test(page.url()), 'the address names the game');
  await page.unroute('**/api/sessions');
});

test('who comes again finds the game and the theme that were left, in the page itself', async ({server, open}) => {
  const page = await open();
  await page.goto(`${server.url}/#/play`);
  await clickCell(page, '11');
  await clickCell(page, '15');
  await until('the move is played and answered', async () => (await moveCount(page)) === 2);
  await page.keyboard.press('l');
  await until('it is dark', async () => (await page.locator('html[data-theme=dark]').count()) === 1);
  await page.goto('about:blank');
  await page.route('**/api/sessions/*', (route) => route.abort()); // nothing need be asked for
  await page.goto(server.url);
  await until('the moves are there', async () => (await moveCount(page)) === 2);
  same(await page.locator('.moves .move').first().innerText(), '11-15', 'the move');
  same(await page.locator('html[data-theme=dark]').count(), 1, 'dark pages');
  await page.unroute('**/api/sessions/*');
});

test('draughts by clicks to the end', async ({server, open}) => {
  const page = await open();
  await openSession(page, server, 'checkers', ['human', 'random'], {seed: 5});
  const text = await playToTheEnd(page, 11);
  check(/\bwins?\b|draw/i.test(text), `a result is told: ${text}`);
  check((await moveCount(page)) > 20, 'a game has moves');
});

test('a click counts where a man is still sliding', async ({server, open}) => {
  const page = await open({});
  await page.addInitScript(() => { // halfway for good
    const {animate} = Element.prototype;
    Element.prototype.animate = function ([{transform}]) {
      const [x, y] = transform.match(/-?[\d.]+(?=px)/g), half = {transform: `translate(${x / 2}px, ${y / 2}px)`};
      return animate.call(this, [half, half], {duration: 1e7});
    };
  });
  await openSession(page, server, 'checkers', ['human', 'human'], {moves: '11-16 23-18 10-15'});
  await page.keyboard.press('f'); // cells nearer to the one who looks lie on top
  for (const name of ['18', '11']) await clickCell(page, name); // over 15
  await until('a man slides', () => page.evaluate(() => document.getAnimations().some((one) => one.effect.getTiming().duration === 1e7)));
  for (const name of ['8', '15']) await clickCell(page, name);
  await until('the move is made', async () => (await moveCount(page)) === 5);
});

test('a move counts while the answer to the last one is still under way, whatever news were quicker', async ({server, open}) => {
  const page = await open();
  let letGo;
  const held = new Promise((done) => { letGo = done; });
  let asked = 0;
  await page.route('**/move', async (route) => {
    const reply = await route.fetch();
    if (++asked === 1) await held;
    await route.fulfill({response: reply});
  });
  await openSession(page, server, 'checkers', ['human', 'random'], {seed: 5});
  await clickCell(page, '11');
  await clickCell(page, '15');
  await until('news bring the move and its reply', async () => (await moveCount(page)) === 2 && await myTurn(page));
  await clickSomeMove(page, chooser(1));
  await until('the second move is answered too', async () => (await moveCount(page)) === 4 && await myTurn(page));
  // What is being typed when the old answer comes at last is not its business.
  const [move] = (await server.get(`/api/sessions/${page.url().split('/').at(-1)}`)).legal;
  await page.fill('#move', move.move);
  const late = page.waitForResponse((reply) => reply.url().endsWith('/move'));
  letGo();
  await (await late).finished();
  await page.press('#move', 'Enter');
  await until('what was typed is played', async () => (await moveCount(page)) > 4);
  await page.unrouteAll({behavior: 'wait'}); // an answer may be under way still
});

test('a button that is pressed while news arrive is pressed', async ({server, open}) => {
  const page = await open();
  for (const [game, name, other = 'alphabeta(depth=1)'] of [['go(size=5)', '.bare button'], ['dilemma(turns=4)', '.choice[data-move="C"]', 'titfortat']]) {
    const id = await openSession(page, server, game, ['human', 'random']);
    const box = await page.locator(`.stage ${name}`).first().boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    const {revision} = await server.post(`/api/sessions/${id}/seat`, {role: 1, spec: other});
    await until('the news are there', async () => !/random/.test(await page.locator('.seats').innerText()));
    await page.mouse.up();
    await until(`${game}: the button has done its work`, async () => (await server.get(`/api/sessions/${id}`)).revision > revision);
  }
});

test('draughts by drag, by typing and by keys', async ({server, open}) => {
  const page = await open();
  await openSession(page, server, 'checkers', ['human', 'human']);
  const from = await page.locator('[aria-label^="11,"]').boundingBox(), to = await page.locator('[aria-label^="15,"]').boundingBox();
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(to.x + to.width / 2 - 20, to.y + to.height / 2, {steps: 4});
  await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, {steps: 2});
  await page.mouse.up();
  await until('the dragged man has moved', async () => (await moveCount(page)) === 1);
  same(await page.locator('.moves .move').first().innerText(), '11-15', 'the move');
  await typed(page, '22-18');
  // 15x22 is forced: walk to 15 and on to 22 with the arrow keys alone.
  await page.keyboard.press('Escape');
  await page.keyboard.press('b');
  for (const name of ['15', '22']) await walkTo(page, name);
  await until('the keys have moved', async () => (await moveCount(page)) === 3);
  same(await page.locator('.moves .move').nth(2).innerText(), '15x22', 'the move');
});

/** Arrow keys towards a cell, then Enter. */
async function walkTo(page, name) {
  const place = (selector) => page.locator(selector).first().boundingBox();
  for (let i = 0; i < 30; i++) {
    const label = await page.evaluate(() => document.activeElement.getAttribute('aria-label'));
    if (label?.startsWith(`${name},`)) break;
    const at = await place('[role=gridcell][tabindex="0"]'), goal = await place(`[role=gridcell][aria-label^="${name},"]`);
    const dx = goal.x - at.x, dy = goal.y - at.y;
    await page.keyboard.press(Math.abs(dy) > 4 ? dy > 0 ? 'ArrowDown' : 'ArrowUp' : dx > 0 ? 'ArrowRight' : 'ArrowLeft');
  }
  await page.keyboard.press('Enter');
}

test('tic-tac-toe with the keyboard alone, announced', async ({server, open}) => {
  const page = await open();
  await openSession(page, server, 'tictactoe', ['human', 'human']);
  await page.keyboard.press('b');
  for (const name of ['a1', 'a2', 'b1', 'b2', 'c1']) {
    const before = await moveCount(page);
    await walkTo(page, name);
    await until(`${name} is taken`, async () => (await moveCount(page)) === before + 1);
  }
  check(await isOver(page), 'three in a row end it');
  check(/c1/.test(await page.locator('#announce').textContent()), 'the last move is announced');
  check(/x wins/i.test(await page.locator('#announce').textContent()), 'the result is announced');
});

test('Othello to the end, with passes', async ({server, open}) => {
  const page = await open();
  await openSession(page, server, 'othello(size=4)', ['human', 'random'], {seed: 2});
  check(/\bwins?\b|draw/i.test(await playToTheEnd(page, 3)), 'a result is told');
});

test('Go: stones, a capture, two passes', async ({server, open}) => {
  const page = await open();
  await openSession(page, server, 'go(size=5,komi=0.5)', ['human', 'human']);
  for (const name of ['B1', 'A1', 'A2']) {
    const before = await moveCount(page);
    await clickCell(page, name);
    await until(`${name} is played`, async () => (await moveCount(page)) === before + 1);
  }
  check((await page.locator('[aria-label^="A1,"]').getAttribute('aria-label')).includes('empty'), 'the stone at A1 is captured');
  for (let passes = 0; passes < 2; passes++) {
    const before = await moveCount(page);
    await page.locator('.bare button', {hasText: 'pass'}).click();
    await until('a pass is played', async () => (await moveCount(page)) === before + 1);
  }
  await until('it is over', () => isOver(page));
});

test('morris: a position set up, a mill, a man taken', async ({server, open}) => {
  const page = await open();
  await openSession(page, server, 'morris(men=5)', ['human', 'human']);
  await page.keyboard.press('e');
  await page.fill('.set-up textarea', 'WW./..W/..../.../BBB w');
  await until('the board shows it', async () => (await page.locator('[aria-label^="1, white"]').count()) === 1);
  await page.getByRole('button', {name: 'Use this position'}).click();
  await until('it is used', async () => (await page.locator('.set-up').count()) === 0);
  await shot(page, 'play-morris');
  for (let i = 0; i < 40 && !(await isOver(page)); i++) await clickSomeMove(page, chooser(7 + i));
  check((await moveCount(page)) > 0, 'moves are made');
});

test('Fives: five in a row', async ({server, open}) => {
  const page = await open();
  await openSession(page, server, 'fives', ['human', 'human']);
  for (const name of ['a1', 'a2', 'b1', 'b2', 'c1', 'c2', 'd1', 'd2', 'e1']) {
    const before = await moveCount(page);
    await clickCell(page, name);
    await until(`${name} is taken`, async () => (await moveCount(page)) === before + 1);
  }
  check(/x wins/i.test(await status(page)), 'x has won');
});

test('Phutball: a man, a jump over the line', async ({server, open}) => {
  const page = await open();
  await openSession(page, server, 'phutball(width=7,height=7)', ['human', 'human']);
  for (const name of ['d3', 'a1', 'd1']) {
    const before = await moveCount(page);
    await clickCell(page, name);
    await until(`${name} holds a man`, async () => (await moveCount(page)) === before + 1);
  }
  const before = await moveCount(page);
  await page.locator('[role=gridcell][aria-label*=", ball"]').click();
  await clickCell(page, 'd2');
  await until('the ball has jumped', async () => (await moveCount(page)) === before + 1);
  check((await page.locator('[aria-label^="d2,"]').getAttribute('aria-label')).includes('ball'), 'the ball is at d2');
  await page.locator('.bare button', {hasText: /^S$/}).click();
  await until('it is over', () => isOver(page));
});

test('the dilemma: both choose at once', async ({server, open}) => {
  const page = await open();
  await openSession(page, server, 'dilemma(turns=4)', ['human', 'random'], {seed: 3});
  for (let round = 0; round < 4; round++) {
    await until('the last round is settled', async () => (await moveCount(page)) === round);
    await page.locator(`.choice[data-move="${round % 2 ? 'D' : 'C'}"]`).click();
  }
  await until('it is over', () => isOver(page));
  check(/^You get \d+, column gets \d+\.$/.test(await status(page)), `payoffs are told: ${await status(page)}`);
  check((await page.locator('.payoffs .played').count()) === 1, 'the last round is marked in the table');
  await shot(page, 'play-dilemma');
});

test('every game of this browser is listed, and Back leads to the game before', async ({server, open}) => {
  const page = await open();
  await page.goto(`${server.url}/#/play`);
  await page.waitForURL(/#\/play\/\w+/);
  const first = page.url();
  await page.keyboard.press('n');
  await page.locator('#dialog').getByRole('button', {name: 'Play'}).click();
  await until('another game', async () => page.url() !== first && /#\/play\/\w+/.test(page.url()));
  await page.goBack();
  await until('the first game again', async () => page.url() === first);
  await page.waitForSelector('.stage .cell.target');
  await page.keyboard.press('g');
  await until('both are listed', async () => (await page.locator('#dialog tbody tr').count()) === 2);
  check(/in progress/.test(await page.locator('#dialog tbody').innerText()), 'their state is told');
  await shot(page, 'play-my-games');
});

test('the skip link stays in its view', async ({server, open}) => {
  const page = await open();
  await page.goto(`${server.url}/#/lab`);
  await page.waitForSelector('.paper');
  await page.locator('.skip').focus();
  await page.keyboard.press('Enter');
  check(page.url().endsWith('#/lab'), page.url());
  check(await page.evaluate(() => document.activeElement.id === 'main'), 'the content has the focus');
});

test('undo, redo, hint, values, swap, resign', async ({server, open}) => {
  const page = await open();
  await openSession(page, server, 'othello', ['human', 'alphabeta(depth=3)']);
  await clickSomeMove(page, chooser(1));
  await until('the engine has answered', async () => (await moveCount(page)) === 2 && await myTurn(page));
  await page.keyboard.press('u');
  await until('taken back', async () => (await page.locator('.moves .undone').count()) === 2);
  await page.keyboard.press('r');
  await until('played again', async () => (await page.locator('.moves .undone').count()) === 0);
  await page.keyboard.press('h');
  await page.waitForSelector('.arrow');
  check((await page.locator('.why .subject').innerText()).startsWith('Hint:'), 'the hint is explained');
  await page.keyboard.press('v');
  await page.waitForSelector('.stage .value text');
  check(/^\d+%$/.test(await page.locator('.stage .value text').first().textContent()), 'a network expects a share of the points, not men');
  check(/% of the points/.test(await page.locator('.graph h2').innerText()), 'and so does the graph');
  await shot(page, 'play-values-and-hint');
  await page.keyboard.press('v');
  await until('values are gone', async () => (await page.locator('.stage .value').count()) === 0);
  await page.keyboard.press('s');
  await until('sides are swapped', async () => /White: You/.test(await page.locator('.seats').innerText()));
  await page.keyboard.press('x');
  await page.getByRole('button', {name: 'Cancel'}).click();
  check(!/resign/.test(await status(page)), 'resigning can be cancelled');
  await page.keyboard.press('x');
  await page.locator('#dialog').getByRole('button', {name: 'Resign'}).click();
  await until('resigned', async () => /You resign/.test(await status(page)));
});

test('stepping through the moves, and why each was made', async ({server, open}) => {
  const page = await open();
  await openSession(page, server, 'checkers', ['human', 'alphabeta(depth=4)']);
  for (let i = 0; i < 3; i++) {
    await myTurn(page);
    await clickSomeMove(page, chooser(20 + i));
  }
  await until('the engine has answered', async () => (await moveCount(page)) === 6);
  await until('its reasons are told', async () => /after \d+ pl/i.test(await page.locator('.why .sentence').innerText()));
  await page.locator('.why details > summary', {hasText: /^\s*Line/}).click();
  await page.waitForSelector('.stepper svg.board');
  await page.locator('.steps button').nth(2).click();
  same(await page.locator('.steps [aria-current=true]').count(), 1, 'one move of the line is current');
  await shot(page, 'play-why');
  await page.keyboard.press('Escape');
  await page.keyboard.press('{');
  await until('at the start', async () => /Move 0 of 6/.test(await status(page)));
  same(await page.locator('.stage .board:not(.mini) .ring').count(), 0, 'no last move at the start');
  await page.keyboard.press(']');
  await page.keyboard.press(']');
  await until('after two moves', async () => /Move 2 of 6/.test(await status(page)));
  check((await page.locator('.why .subject').innerText()).startsWith('Move 2.'), 'the reasons are those of move 2');
  same(await page.locator('.stage .cell.target').count(), 0, 'nothing can be moved in the past');
  await page.keyboard.press('Escape');
  await until('back in the game', async () => /your move/i.test(await status(page)));
});

test('an analysis goes on while one looks', async ({server, open}) => {
  const page = await open();
  await openSession(page, server, 'othello', ['human', 'human']);
  await page.keyboard.press('a');
  const depth = async () => Number(/after (\d+) pl/.exec(await page.locator('.analysis').innerText())?.[1] ?? 0);
  await until('something is found', async () => (await depth()) > 0);
  await until('it goes deeper', async () => (await depth()) > 5);
  await page.keyboard.press('a');
  await until('it ends when asked to', async () => (await page.locator('.analysis').isHidden()));
});

test('the board as text, and turned', async ({server, open}) => {
  const page = await open();
  await openSession(page, server, 'checkers', ['human', 'human']);
  await page.keyboard.press('t');
  check((await page.locator('.text-board').innerText()).includes('b   b   b   b'), 'the text shows the men');
  await page.keyboard.press('t');
  const before = await page.locator('[aria-label^="1,"]').boundingBox();
  await page.keyboard.press('f');
  const after = await page.locator('[aria-label^="1,"]').boundingBox();
  check(Math.abs(before.y - after.y) > 100, 'the board is turned');
});

test('a new game from the dialog, and one from a position', async ({server, open}) => {
  const page = await open();
  await openSession(page, server, 'checkers', ['human', 'random']);
  await page.keyboard.press('n');
  await page.waitForSelector('dialog[open] select');
  await page.getByLabel('Game', {exact: true}).selectOption('tictactoe');
  await until('levels are listed', async () => (await page.getByLabel('Second player', {exact: true}).locator('option').count()) > 2);
  await shot(page, 'play-new-game');
  await page.getByText('Start from a position').click();
  await page.getByLabel('Position').fill('x.o/.x./..q x');
  await page.getByRole('button', {name: 'Play', exact: true}).last().click();
  await until('the mistake is shown beside it', async () => (await page.locator('dialog .error:visible').count()) === 1);
  await page.getByLabel('Position').fill('x.o/.x./..o x');
  same(await page.locator('dialog .error:visible').count(), 0, 'the message goes away when it is mended');
  await page.getByRole('button', {name: 'Play', exact: true}).last().click();
  await until('the game is there', async () => /Tic-tac-toe/.test(await page.locator('h1').innerText()));
  check((await page.locator('[aria-label^="a3, cross"]').count()) === 1, 'the position is set up');
});

test('a new game from an opening', async ({server, open}) => {
  const page = await open();
  await openSession(page, server, 'checkers', ['human', 'human']);
  await page.keyboard.press('n');
  await until('openings are listed', async () => (await page.getByLabel('Opening').locator('option').count()) > 5);
  await page.getByLabel('Opening').selectOption({label: 'Old Fourteenth'});
  await page.getByRole('button', {name: 'Play', exact: true}).last().click();
  await until('its moves are played', async () => (await page.locator('.moves .move').allInnerTexts()).join(' ') === '11-15 23-19 8-11 22-17 4-8');
  check((await page.locator('[aria-label^="15, black man"]').count()) === 1, 'the board is that of the opening');
});

test('the end of a game: its count, the row that won, a review, another try, and the list of games', async ({server, open}) => {
  const page = await open();
  const id = await openSession(page, server, 'tictactoe', ['human', 'perfect'], {moves: 'b2 a1 c3 b1 a3 a2 c1'});
  await until('the result is told', async () => /^You win\./.test(await page.locator('.ending .result').innerText()));
  same(await page.locator('.board .won').count(), 1, 'the row that won is marked');
  await page.getByRole('button', {name: 'Review the game'}).click();
  await until('it says where the game turned', async () => (await page.locator('.ending ol').first().locator('li').count()) >= 1);
  await until('a moment is told in words', async () => /Better: /.test(await page.locator('.moments').innerText()));
  await page.getByRole('button', {name: 'Try again from here'}).first().click();
  await until('another game begins before that move', async () => !page.url().includes(id) && !(await isOver(page)));
  check((await moveCount(page)) < 7, 'the moves after it are gone');
  await page.goBack();
  await until('Back leads to the finished game', async () => page.url().includes(id) && (await moveCount(page)) === 7);
  await page.keyboard.press('g');
  const row = page.locator('#dialog tbody tr', {hasText: 'x wins'});
  await until('it is listed', async () => (await row.count()) === 1);
  await row.getByRole('button', {name: 'Delete'}).click();
  await row.getByRole('button', {name: 'Delete for good?'}).click();
  await until('it is gone', async () => (await row.count()) === 0);
  same((await fetch(`${server.url}/api/sessions/${id}`)).status, 404, 'the server has forgotten it');
});

test('the end of a game of Go: territory, and a stone that is dead', async ({server, open}) => {
  const page = await open();
  await openSession(page, server, 'go(7, komi=0.5)', ['human', 'human'], {position: '...xo../...xo../.o.xo../...xo../...xo../.x.xo../...xo.. b', moves: 'pass pass'});
  await until('the territory is counted', async () => /Black is ahead by 6.5 points/.test(await page.locator('.territory').innerText()));
  same(await page.locator('.territory .board .taken').count(), 1, 'dead stones');
  same(await page.locator('.territory .board .mark .man').count(), 20 + 14, 'points of territory');
});

test('after the engine’s answer the page says what one’s own move was worth', async ({server, open}) => {
  const page = await open();
  await openSession(page, server, 'checkers', ['human', 'alphabeta(depth=3)'], {position: 'B:W22,32,31:B14,1,2'});
  await page.fill('#move', '14-18');
  await page.keyboard.press('Enter');
  await until('the verdict is told', async () => /(mistake|blunder).*14-18 costs/is.test(await page.locator('.why .verdict').innerText()));
  await page.locator('.why .verdict summary').click();
  await until('with its reason', async () => /Better: /.test(await page.locator('.why .verdict .sentence').innerText()));
});

test('rule sheets have boards: connect four by its columns, breakthrough from cell to cell, a puzzle by its tiles', async ({server, open}) => {
  const page = await open();
  await openSession(page, server, 'gdl:connectfour', ['human', 'random']);
  same(await page.locator('.fact-grid.drawn tbody td').count(), 42, 'cells of connect four');
  await page.locator('.place[aria-label^="4 6,"]').click();
  await until('the man falls to the lowest row, and the other answers', async () => (await page.locator('.fact-grid.drawn .man-picture').count()) === 2);
  same(await page.locator('.fact-grid.drawn tr:nth-child(6) .man-picture[aria-label=red]').count(), 1, 'it lies at the bottom');
  await until('it is my turn again', async () => /your move/i.test(await status(page)));
  await page.keyboard.press('v');
  await until('each column has its value', async () => (await page.locator('.fact-grid.drawn .worth').count()) === 7);
  await page.keyboard.press('b');
  for (const key of ['ArrowDown', 'ArrowRight', 'Enter']) await page.keyboard.press(key);
  await until('a disc is dropped by keys alone', async () => (await page.locator('.fact-grid.drawn .man-picture[aria-label=red]').count()) === 2);
  await until('the keyboard stays on the board', async () => page.evaluate(() => Boolean(document.activeElement?.dataset.place)));
  await openSession(page, server, 'gdl:breakthrough', ['human', 'human']);
  await page.locator('.place[aria-label^="4 2,"]').click();
  const fill = (man) => page.locator(`.man-picture[aria-label=${man}] .man`).first().evaluate((one) => [...one.classList].join(' '));
  same(`${await fill('white')}, ${await fill('black')}`, 'man light, man dark', 'men have the colours that the rules name');
  const table = await page.locator('.fact-grid.drawn').boundingBox(), place = await page.locator('.board-place').boundingBox();
  check(table.height > 0.75 * place.height && table.y + table.height <= place.y + place.height, 'the board fills its place');
  await until('it may go to three cells', async () => (await page.locator('.can-go').count()) === 3);
  await page.locator('.place[aria-label^="4 3,"]').click();
  await until('the man has moved', async () => (await page.locator('.fact-grid.drawn tr:nth-child(6) .man-picture').count()) === 1);
  await openSession(page, server, 'gdl:eightpuzzle', ['human']);
  await page.locator('.place[aria-label*="slide 6"]').click();
  await until('the tile has moved', async () => (await moveCount(page)) === 1);
  await page.keyboard.press('n');
  await page.getByLabel('Game', {exact: true}).selectOption({label: 'Lights out'});
  await until('one player is enough', async () => !(await page.getByLabel('Second player', {exact: true}).isVisible()));
  await page.getByRole('button', {name: 'Play', exact: true}).last().click();
  await until('it begins', async () => /Lights out/.test(await page.locator('h1').innerText()));
  same(await page.locator('.fact-grid.drawn tbody td').count(), 25, 'lights');
});

test('every game shows its rules', async ({server, open}) => {
  const page = await open();
  for (const [game, pictures] of [['checkers', 3], ['othello', 3], ['go(size=9)', 2], ['morris', 2], ['tictactoe', 1], ['fives', 1], ['phutball', 2], ['gdl:connectfour', 2], ['gdl:breakthrough', 3], ['gdl:hex5', 2], ['gdl:fours', 1], ['gdl:othello6', 1]]) {
    await openSession(page, server, game, ['human', 'human']);
    await page.keyboard.press('.');
    await until(`${game} has its pictures`, async () => (await page.locator('#dialog[open] .rule').count()) === pictures);
    check((await page.locator('#dialog p').first().innerText()).length > 20, `${game} has a text`);
    same(await page.locator('#dialog .error:visible').count(), 0, `errors of ${game}`);
    await page.keyboard.press('Escape');
  }
});

test('19x19 on a phone: the first tap aims, the second plays, and the board lets the page scroll', async ({server, open}) => {
  const page = await open({viewport: {width: 390, height: 844}, hasTouch: true});
  await openSession(page, server, 'go(size=19)', ['human', 'human']);
  const cell = page.locator('.stage [role=gridcell][aria-label^="K10,"]');
  await cell.tap();
  await until('it aims', async () => (await page.locator('.armed').count()) > 0);
  same(await moveCount(page), 0, 'moves after one tap');
  await page.locator('.stage [role=gridcell][aria-label^="D4,"]').tap();
  await page.locator('.stage [role=gridcell][aria-label^="E4,"]').tap();
  await until('a second tap nearby plays where it aimed', async () => (await page.locator('.moves .move').allInnerTexts()).join() === 'D4');
  same(await page.locator('.board').first().evaluate((board) => getComputedStyle(board).touchAction.includes('none')), false, 'the board blocks scrolling');
});

test('somebody else takes a seat; whoever made a move still says why', async ({server, open}) => {
  const page = await open();
  await openSession(page, server, 'tictactoe', ['human', 'human']);
  await clickCell(page, 'b2');
  await until('the move is made', async () => (await moveCount(page)) === 1);
  await page.locator('button.seat', {hasText: 'o: You'}).click();
  await until('the dialog is filled', async () => (await page.getByLabel('Player of o', {exact: true}).locator('option').count()) > 3);
  await page.getByLabel('Player of o', {exact: true}).selectOption({label: 'For programmers: any player…'});
  await page.getByLabel('Player of o: player spec').fill('alphabeta(depth=3, memory=1)');
  await page.getByRole('button', {name: 'Change the player'}).click();
  await until('it moves at once', async () => (await moveCount(page)) === 2);
  check(/O: Search, 3 plies ahead/i.test(await page.locator('.seats').innerText()), 'the seat says who has it');
  await until('it says why', async () => /after \d+ pl/i.test(await page.locator('.why .sentence').innerText()));
  await page.keyboard.press('[');
  await until('the first move was a person’s: it is judged', async () => /own move|Good|Playable|mistake|blunder/.test(await page.locator('.why-body').innerText()));
  await page.keyboard.press('Escape');
  await page.keyboard.press('s');
  await until('sides are swapped and it plays on', async () => (await moveCount(page)) === 3);
  await page.keyboard.press('[');
  await until('its old move is still its own', async () => /after \d+ pl/i.test(await page.locator('.why .sentence').innerText()));
});

test('a position set up by clicks', async ({server, open}) => {
  const page = await open();
  await openSession(page, server, 'checkers', ['human', 'human']);
  await page.keyboard.press('e');
  await page.getByRole('button', {name: 'Clear', exact: true}).click();
  same(await page.locator('.stage .board .man').count(), 0, 'men on a cleared board');
  await page.getByRole('button', {name: 'Black king'}).click();
  await clickCell(page, '14');
  await page.getByRole('button', {name: 'White man'}).click();
  for (const name of ['18', '27', '30']) await clickCell(page, name);
  await clickCell(page, '27'); // once more takes it away
  same(await page.locator('.set-up textarea').inputValue(), 'B:W18,30:BK14', 'the position as text');
  await page.getByLabel('To move').selectOption('white');
  await page.getByLabel('To move').selectOption('black');
  await shot(page, 'set-up-by-clicks');
  await page.getByRole('button', {name: 'Use this position'}).click();
  await until('it is used', async () => (await page.locator('.set-up').count()) === 0);
  await clickCell(page, '14');
  await clickCell(page, '23');
  await until('the king has taken', async () => (await page.locator('.moves .move').allInnerTexts()).join() === '14x23');
});

for (const [format, game, moves] of [['sgf', 'go(size=5)', 'C3 B2 pass B3'], ['ggf', 'othello', 'f5 d6 c3 d3']])
  test(`a game is loaded from ${format.toUpperCase()} and saved again`, async ({server, open}) => {
    const made = await server.post('/api/sessions', {game, seats: ['human', 'human'], moves});
    const text = await (await fetch(`${server.url}/api/sessions/${made.id}/export`)).text();
    const page = await open();
    await openSession(page, server, 'tictactoe', ['human', 'human']);
    await page.setInputFiles('input[type=file]', {name: `game.${format}`, mimeType: 'text/plain', buffer: Buffer.from(text)});
    await until('its moves are there', async () => (await page.locator('.moves .move').allInnerTexts()).join(' ').toLowerCase() === moves.toLowerCase());
    const waiting = page.waitForEvent('download');
    await page.keyboard.press('d');
    const download = await waiting;
    check(download.suggestedFilename().endsWith(`.${format}`), `saved as ${download.suggestedFilename()}`);
    same(readFileSync(await download.path(), 'utf8'), text, 'the file that is saved');
  });

await run();
