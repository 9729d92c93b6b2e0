// Ways to use the page as a person would, shared by the browser tests.
import {check, until} from './harness.mjs';

export const status = (page) => page.locator('.status').innerText();
export const isOver = (page) => page.locator('.stage').evaluate((stage) => /\bwins?\b|draw|\bgets?\b|resigns?|over|solved/i.test(stage.querySelector('.status').textContent));

/** Opens a session that the API has made. */
export async function openSession(page, server, game, seats, more = {}) {
  const session = await server.post('/api/sessions', {game, seats, ...more});
  await page.goto(`${server.url}/#/play/${session.id}`);
  await page.waitForSelector('.board-place > *');
  await until('the game is shown', async () => (await status(page)) !== '');
  return session.id;
}

/** Clicks a cell by its name. */
export async function clickCell(page, name) {
  await page.locator(`.stage [role=gridcell][aria-label^="${name},"]`).click();
}

/** How many moves the list shows. */
export const moveCount = (page) => page.locator('.stage .moves .move').count();

/** Waits until it is a person's turn, or all is over: false then. */
export async function myTurn(page) {
  await until('it is my turn', async () => /your move|to move/i.test(await status(page)) || isOver(page));
  return !(await isOver(page));
}

/** Makes some legal move by clicks: targets until the move is made, or a button where no cell stands for it. */
export async function clickSomeMove(page, choose) {
  const before = await moveCount(page);
  for (let i = 0; i < 8; i++) {
    const made = await page.evaluate((pick) => {
      const targets = [...document.querySelectorAll('.stage .cell.target')];
      if (!targets.length) {
        const button = document.querySelector('.stage .bare button');
        button?.click();
        return Boolean(button);
      }
      const cell = targets[pick % targets.length], box = cell.querySelector('.hit').getBoundingClientRect();
      for (const type of ['pointerdown', 'pointerup'])
        cell.dispatchEvent(new PointerEvent(type, {bubbles: true, button: 0, pointerId: 1, clientX: box.x + box.width / 2, clientY: box.y + box.height / 2}));
      return true;
    }, choose());
    check(made, 'there is nothing to click');
    const done = await until('the click has an effect', async () => (await moveCount(page)) > before ? 'moved'
      : (await page.locator('.stage .cell.picked').count()) ? 'picked' : null);
    if (done === 'moved') return;
  }
  throw new Error('eight clicks made no move');
}

/** A number generator, so that a failing test fails again. */
export function chooser(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state >>> 8;
  };
}

/** Plays to the end by random clicks; returns the final status. */
export async function playToTheEnd(page, seed, most = 150) {
  const choose = chooser(seed);
  for (let i = 0; i < most; i++) {
    if (!(await myTurn(page))) return status(page);
    await clickSomeMove(page, choose);
  }
  throw new Error(`the game goes on after ${most} moves`);
}
