// A class: a room by its code, two students in two browsers, the teacher's view, the tournament; and links for each side of a game.
import {check, PHONE, run, same, shot, test, until} from './harness.mjs';

const DEEP = {viewport: {width: 1280, height: 800}}; // a browser of its own: nothing is shared with the others

async function openRoom(page, server, game) {
  await page.goto(`${server.url}/#/class`);
  const form = page.locator('form[aria-label="Open a room"]');
  await form.getByLabel('Game', {exact: true}).selectOption(game);
  await form.getByRole('button', {name: 'Open a room'}).click();
  await page.locator('.room-code').waitFor();
  return page.locator('.room-code').innerText();
}

async function join(page, server, code, name) {
  await page.goto(`${server.url}/#/class`);
  await page.getByLabel('Code of the room').fill(code.toLowerCase());
  await page.getByLabel('Your name').fill(name);
  await page.getByRole('button', {name: 'Join', exact: true}).click();
  await page.getByText(`You are ${name}.`).waitFor();
}

async function type(page, move) {
  await page.getByLabel('Move', {exact: true}).fill(move);
  await page.keyboard.press('Enter');
}
const says = (page, words) => page.locator('.status', {hasText: words}).waitFor();
const moves = (page) => page.locator('.moves').innerText();

test('a class plays, and nobody moves for another', async ({server, open}) => {
  const teacher = await open(DEEP), ada = await open(DEEP), ben = await open({...DEEP, viewport: PHONE});
  const code = await openRoom(teacher, server, 'checkers');
  check(/^[A-Z2-9]{5}$/.test(code), `a code of five letters, not ${code}`);
  await join(ada, server, code, 'Ada');
  await join(ben, server, code, 'Ben');
  await teacher.getByText('Ben').first().waitFor();
  await teacher.getByRole('button', {name: 'Pair the class'}).click();
  await teacher.getByText('Ada – Ben').waitFor();
  await ada.getByRole('button', {name: 'Play', exact: true}).click();
  await ben.getByRole('button', {name: 'Play', exact: true}).click();
  await says(ben, 'Ada to move.');
  check(await ben.getByLabel('Move', {exact: true}).isDisabled(), 'Ben cannot move for Ada');
  await says(ada, 'Your move.');
  await type(ada, '11-15');
  await says(ben, 'Your move.');
  await type(ben, '22-18');
  await until("Ben's move is with Ada", async () => (await moves(ada)).includes('22-18'));
  await teacher.getByText('Ada to move, after 2 moves').waitFor();
  await shot(teacher, 'class-teacher');
  await shot(ben, 'class-phone-board');
  await teacher.getByRole('button', {name: 'Watch'}).click(); // the teacher looks on, and does not move
  await says(teacher, 'Ada to move.');
  check(await teacher.getByLabel('Move', {exact: true}).isDisabled(), 'the teacher does not move');
});

test("Axelrod's tournament, entered by a class", async ({server, open}) => {
  const teacher = await open(DEEP), ada = await open({...DEEP, viewport: PHONE});
  const code = await openRoom(teacher, server, 'dilemma');
  await join(ada, server, code, 'Ada');
  for (const [name, value] of [['first', 100], ['cc', 100], ['cd', 0], ['dc', 100], ['dd', 0]]) await ada.locator(`#strategy-${name}`).fill(String(value));
  await ada.getByRole('button', {name: 'Enter this strategy'}).click();
  await ada.getByText('It is entered.').waitFor();
  await shot(ada, 'class-phone-strategy');
  check(await ada.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'the room is wider than a phone');
  await teacher.getByText('has entered a strategy').waitFor();
  await teacher.getByRole('button', {name: 'Play the tournament'}).click();
  await teacher.getByText('earned the most').waitFor();
  same(await teacher.locator('section[aria-label="Strategies"] tbody tr').count(), 7, 'one student and six classics');
  await ada.getByText('earned the most').waitFor();
  const saved = teacher.waitForEvent('download');
  await teacher.getByRole('button', {name: 'Save the table (CSV)'}).click();
  same((await saved).suggestedFilename(), `tournament-${code}.csv`, 'the file');
  await shot(teacher, 'class-tournament');
});

test('a link for each side', async ({server, open}) => {
  const host = await open(DEEP), guest = await open(DEEP);
  const session = await server.post('/api/sessions', {game: 'tictactoe', seats: ['human', 'human'], seed: 1});
  await host.goto(`${server.url}/#/play/${session.id}`);
  await host.getByText('More', {exact: true}).click();
  await host.getByRole('button', {name: 'Share the seats'}).click();
  await host.getByRole('button', {name: 'Make the links'}).click();
  const link = await host.getByLabel('Link for o').inputValue();
  await shot(host, 'class-links');
  await host.getByRole('button', {name: 'Take this side'}).first().click();
  await says(host, 'Your move.');
  await guest.goto(link);
  await says(guest, 'x to move.');
  check(!guest.url().includes(link.split('/').at(-2)), 'the key leaves the address');
  await type(host, 'a1');
  await says(guest, 'Your move.');
  await type(guest, 'b2');
  await until("the guest's move is here", async () => (await moves(host)).includes('b2'));
});

test('curves of several runs in one picture', async ({server, open}) => {
  for (const [name, learner] of [['one', 'experience(games=20)'], ['two', 'experience(games=30)']]) await server.post('/api/learn', {learner, game: 'tictactoe', seeds: 1, name});
  await until('both have learned', async () => (await server.get('/api/learn')).trainings.every((run) => run.state === 'done'), 60000);
  const page = await open();
  await page.goto(`${server.url}/#/learn`);
  for (const name of ['one', 'two']) await page.getByRole('checkbox', {name: new RegExp(`, ${name}$`)}).check();
  await page.getByRole('button', {name: 'Save the curves (CSV)'}).waitFor();
  same(await page.locator('.legend .key').count(), 2, 'a curve for each');
  const saved = page.waitForEvent('download');
  await page.getByRole('button', {name: 'Save the curves (CSV)'}).click();
  same((await saved).suggestedFilename(), 'curves.csv', 'the file');
  await shot(page, 'class-curves');
});

await run();
