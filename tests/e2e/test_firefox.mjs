// The page in Firefox: every view and every exhibit on a large window and on a phone, a game by keyboard alone, and no motion for people who ask for none.
import {mkdirSync} from 'node:fs';
import {join} from 'node:path';
import {check, DESKTOP, PHONE, run, same, shots, test, until} from './harness.mjs';
import {Firefox, firefoxPath} from './firefox.mjs';

if (!firefoxPath) {
  console.log("skipped: Firefox is not installed (tools/packages.sh install firefox)");
  process.exit(77);
}

mkdirSync(shots, {recursive: true});
const VIEWS = ['start', 'play', 'watch', 'learn', 'arena', 'lab', 'exercises', 'class'];
const text = (firefox) => firefox.evaluate("document.querySelector('main').innerText");
const fits = (firefox) => firefox.evaluate('document.documentElement.scrollWidth <= innerWidth');
const errors = (firefox) => firefox.evaluate("[...document.querySelectorAll('main .error')].filter((line) => line.offsetParent).map((line) => line.innerText).join('; ')");

async function withFirefox(preferences, body) {
  const firefox = await Firefox.start(preferences);
  try {
    await body(firefox);
    check(!firefox.faults.length, firefox.faults.join('; '));
  } finally { await firefox.close(); }
}

async function visit(firefox, server, hash, name) {
  await firefox.goto(`${server.url}/#/${hash}`);
  await until(`${hash} has content`, async () => (await text(firefox)).length > 40);
  same(await errors(firefox), '', `errors in ${hash}`);
  check(await fits(firefox), `${hash} is wider than the window`);
  await firefox.shot(join(shots, `firefox-${name}.png`));
}

test('every view and exhibit, large and small', async ({server}) => withFirefox({}, async (firefox) => {
  await firefox.goto(`${server.url}/#/start`);
  const exhibits = await until('the exhibits are listed', async () => {
    const found = await firefox.evaluate("[...new Set([...document.querySelectorAll('main a[href^=\"#/start/\"]')].map((link) => link.getAttribute('href').slice(2)))]");
    return found.length >= 7 && found;
  });
  for (const [size, box] of [['large', DESKTOP], ['phone', PHONE]]) {
    await firefox.size(box);
    for (const hash of [...VIEWS, ...exhibits]) await visit(firefox, server, hash, `${size}-${hash.replaceAll('/', '-')}`);
  }
  await server.rest();
}));

test('a game by keyboard alone, without motion', async ({server}) => withFirefox({'ui.prefersReducedMotion': 1}, async (firefox) => {
  await firefox.goto(`${server.url}/#/play`);
  await until('the board is there', () => firefox.evaluate("Boolean(document.querySelector('svg.board'))"));
  same(await firefox.evaluate("matchMedia('(prefers-reduced-motion: reduce)').matches"), true, 'asked for no motion');
  same(await firefox.evaluate("document.getAnimations().filter((one) => one.playState === 'running').length"), 0, 'things that move');
  await until('a move can be typed', () => firefox.evaluate("(document.querySelector('#move').focus(), !document.querySelector('#move').disabled)"));
  await firefox.press(...'11-15', 'Enter');
  await until('the engine has answered', async () => await firefox.evaluate("document.querySelectorAll('.moves [data-ply], .moves li button, .moves button').length") >= 2);
  await until('it says why', async () => /\d+-\d+/.test(await firefox.evaluate("document.querySelector('.why').innerText")));
  same(await firefox.evaluate("document.getAnimations().filter((one) => one.playState === 'running').length"), 0, 'things that move');
  await firefox.evaluate('document.activeElement.blur()');
  await firefox.press('?');
  await until('the keys are listed', () => firefox.evaluate("document.querySelector('#keys').open"));
  await firefox.press('Escape');
  await until('and gone', () => firefox.evaluate("!document.querySelector('#keys').open"));
  await firefox.press('u');
  await until('a key takes the move back', () => firefox.evaluate("/Your move/.test(document.querySelector('.status').innerText)"));
  await firefox.shot(join(shots, 'firefox-keyboard.png'));
}));

await run();
