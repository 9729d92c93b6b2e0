// Watching, runs with their live curve, replays, and the lab.
import {mkdirSync} from 'node:fs';
import {check, PHONE, run, same, shot, test, until} from './harness.mjs';
import {clickCell, clickSomeMove, isOver, moveCount, openSession, status} from './board.mjs';

/** Starts a run over the API. */
const start = (server, run) => server.post('/api/runs', {game: 'tictactoe', players: ['alphabeta(depth=2)', 'random'], games: 60, ...run});
const finished = (server, name) => until(`${name} is finished`, async () => (await server.get(`/api/runs/${name}`)).state === 'done');

test('two players are watched, paused, sped up', async ({server, open}) => {
  const page = await open();
  await page.goto(`${server.url}/#/watch`);
  await until('they play', async () => (await moveCount(page)) > 1);
  await page.keyboard.press(' ');
  await until('they pause', async () => /paused/i.test(await status(page)));
  const paused = await moveCount(page);
  await page.waitForTimeout(1300);
  same(await moveCount(page), paused, 'moves while paused');
  // The speed comes to the server only after it was told to go on: it must not stop them again.
  let release;
  const released = new Promise((done) => { release = done; });
  await page.route('**/pace', async (route) => {
    if (/delay/.test(route.request().postData())) await released;
    await route.continue();
  });
  await page.keyboard.press('+');
  await page.keyboard.press('+');
  await page.keyboard.press('+');
  await until('the speed is told', async () => /fast as it goes/.test(await page.locator('output').innerText()));
  await page.keyboard.press(' ');
  await until('they go on', async () => (await moveCount(page)) > paused);
  release();
  await until('they play to the end', () => isOver(page), 60000);
  await page.unrouteAll({behavior: 'wait'});
  const points = await page.locator('.graph canvas').count();
  same(points, 1, 'score graphs');
  await page.locator('.graph .data > summary').click();
  await until('the graph has its table', async () => (await page.locator('.graph tbody tr').count()) > 20);
});

test('a capture is found, missed and looked up; its proof is stepped through with the keys', async ({server, open}) => {
  const page = await open();
  const verdict = () => page.locator('.exercise .verdict').innerText();
  const cell = (name) => page.locator(`.exercise [role=gridcell][aria-label^="${name},"]`);
  await page.goto(`${server.url}/#/play`);
  await page.getByRole('link', {name: 'Exercises'}).click();
  await page.waitForSelector('.exercise .cell.target');
  await page.goto(`${server.url}/#/exercises/s2001-8-J6`);
  await until('the problem is there', async () => /J6 be captured/.test(await page.locator('.exercise').innerText()));
  check(/marked/.test(await cell('J6').getAttribute('aria-label')), 'the target is marked');
  // The position after the wrong move comes only when it is no longer wanted: it must not take the place of the new try.
  let release;
  const released = new Promise((done) => { release = done; });
  await page.route('**/api/frames*', async (route) => { await released; await route.continue(); });
  await cell('A1').click();
  await until('a wrong move is refuted', async () => /does not work/.test(await verdict()));
  check(/is saved/.test(await page.locator('.proof').innerText()), 'the proof says how');
  await page.keyboard.press('u');
  same(await verdict(), '', 'verdict after trying again');
  const late = page.waitForResponse('**/api/frames*');
  release();
  await (await late).finished();
  await page.unroute('**/api/frames*');
  check(/empty/.test(await cell('A1').getAttribute('aria-label')), 'the wrong move is gone');
  await cell('J8').click();
  await until('a right move is proved', async () => /Right/.test(await verdict()));
  check(/1 wrong/.test(await page.locator('.exercise').innerText()), 'the first try counts');
  // What if White answers elsewhere? The answer goes on from there, and the tally stays.
  await cell('A1').click();
  await until('the other answer is refuted', async () => /has a reply/.test(await verdict()) && /is captured/.test(await page.locator('.proof').innerText()));
  check(/white/.test(await cell('A1').getAttribute('aria-label')), 'the answer is on the board');
  check(/0 right at the first try, 1 wrong/.test(await page.locator('.exercise').innerText()), 'what if is no try');
  await shot(page, 'exercise-what-if');
  await page.keyboard.press('u');
  await cell('J8').click();
  await until('the right move is proved again', async () => /Right/.test(await verdict()));
  // The tree: to the first try and its answer, and back, with the arrow keys.
  await page.locator('.proof .tree button').first().focus();
  await page.keyboard.press('ArrowRight');
  await until('White has answered at J7', async () => /white/.test(await cell('J7').getAttribute('aria-label')));
  await page.keyboard.press('ArrowRight');
  await until('Black has answered at H7', async () => /black/.test(await cell('H7').getAttribute('aria-label')));
  same(await page.locator('.proof [aria-current=true]').innerText(), 'Black H7', 'the move that is shown');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await until('both are taken back', async () => /empty/.test(await cell('J7').getAttribute('aria-label')) && /empty/.test(await cell('H7').getAttribute('aria-label')));
  await page.keyboard.press('k');
  await until('the problem before is there', async () => /J8 be saved/.test(await page.locator('.exercise').innerText()));
  await page.keyboard.press('p');
  await until('its proof is there', async () => (await page.locator('.proof .tree button').count()) > 4);
  await shot(page, 'exercise-proof');
  await page.keyboard.press('t');
  await until('the board is a text', async () => (await page.locator('.exercise .text-board').isVisible()));
});

test('what endgame tables and an experience base know stands beside the board', async ({server, open}) => {
  const page = await open();
  const known = page.locator('.known'), text = async () => await known.isVisible() ? known.innerText() : '';
  // Without tables, nothing; with them, their verdict of the position and of each move.
  await openSession(page, server, 'checkers', ['human', 'human'], {position: 'B:WK1:BK30,K31'});
  same(await text(), '', 'known without tables');
  await server.knack('tables', 'build', 'checkers', '--pieces', '3');
  await openSession(page, server, 'checkers', ['human', 'human'], {position: 'B:WK1:BK30,K31'});
  await until('the tables speak', async () => /The tables: won/.test(await text()));
  await known.locator('summary').click();
  same(await known.locator('tbody tr').count(), 4, 'moves in the table');
  await known.getByRole('button', {name: '30-26'}).click();
  await page.waitForSelector('.stage .arrow');
  // A base that has seen a few games: explored and unexplored moves, and its size.
  mkdirSync(`${server.data}/learned`, {recursive: true});
  const spec = (learn) => `experience(alphabeta(depth=1), base="data:learned/met.mdb"${learn})`;
  await server.knack('match', 'othello', spec(', learn=yes'), 'alphabeta(depth=1)', '--games', '20', '--seed', '1', '--jobs', '1');
  await openSession(page, server, 'othello', [spec(''), 'human']);
  await until('the learner has moved', async () => (await moveCount(page)) === 1);
  await until('its base is told', async () => /met this position in \d+ games/.test(await text()));
  check(/[1-9]\d* explored, [1-9]\d* unexplored/.test(await text()), `explored and unexplored moves: ${await text()}`);
  check(/holds \d+ positions of \d+ games/.test(await text()), 'the size of the base');
  same(await known.locator('tbody tr', {hasText: 'new'}).count() > 0, true, 'new moves are named');
  await shot(page, 'known-base');
  await page.keyboard.press('[');
  await until('the start is known too', async () => /4 explored, 0 unexplored/.test(await text()));
});

test('a match from the form: its curve grows, it stops, it goes on', async ({server, open}) => {
  const page = await open();
  await page.goto(`${server.url}/#/learn`);
  await page.locator('summary', {hasText: 'Or watch a match'}).click();
  await until('the form is filled', async () => (await page.getByLabel('Player 2', {exact: true}).locator('option').count()) > 2);
  await page.getByLabel('Game', {exact: true}).last().selectOption('othello');
  await until('levels of Othello are there', async () => (await page.getByLabel('Player 1', {exact: true}).locator('option').count()) > 2);
  await page.getByLabel('Games', {exact: true}).last().fill('200000');
  await page.getByRole('button', {name: 'Start', exact: true}).click();
  const rows = () => page.locator('.chart tbody tr').count();
  await page.waitForSelector('.chart canvas', {timeout: 60000});
  await page.locator('.chart .data > summary').click();
  const games = async () => Number((/([\d,]+) games/.exec(await page.locator('.sentence').innerText()) ?? ['', '0'])[1].replaceAll(',', ''));
  const before = await games();
  await until('the curve moves', async () => (await games()) > before && (await rows()) > 0);
  await shot(page, 'learn-live');
  await page.getByRole('button', {name: 'Stop', exact: true}).click();
  await until('it has stopped', async () => /stopped/.test(await page.locator('.progress p').first().innerText()));
  const kept = await games();
  await page.getByRole('button', {name: 'Resume', exact: true}).click();
  await until('it goes on', async () => (await games()) > kept);
  await page.getByRole('button', {name: 'Stop', exact: true}).click();
  await until('it has stopped again', async () => /stopped/.test(await page.locator('.progress p').first().innerText()));
  await page.getByRole('button', {name: 'Play against this player'}).click();
  await until('the game is there', async () => /Othello/.test(await page.locator('h1').innerText()) && /your move/i.test(await status(page)));
});

test('a learner learns: its curve grows over seeds, it stops, goes on, and is played against', async ({server, open}) => {
  const page = await open();
  await page.goto(`${server.url}/#/learn`);
  await until('the form is filled', async () => (await page.getByLabel('Learner', {exact: true}).locator('option').count()) > 0 && (await page.getByLabel('Game', {exact: true}).first().locator('option').count()) > 4);
  await page.getByLabel('Learner', {exact: true}).first().selectOption('allocation');
  await page.getByLabel('Game', {exact: true}).first().selectOption('dilemma');
  await until('what cannot be learned is said', async () => /take turns/.test(await page.locator('.game-choice .error').first().innerText()));
  await page.getByLabel('Game', {exact: true}).first().selectOption('checkers');
  await page.getByRole('spinbutton', {name: 'Training runs'}).fill('2');
  await page.locator('summary', {hasText: 'options of the learner'}).click();
  await page.getByLabel('Examples', {exact: true}).fill('400');
  await page.getByLabel('Enrich', {exact: true}).fill('400');
  await page.getByLabel('Shallow', {exact: true}).fill('2');
  await page.getByRole('button', {name: 'Start learning'}).click();
  await page.waitForSelector('.chart canvas', {timeout: 60000});
  await page.locator('.chart .data > summary').click();
  const rows = () => page.locator('.chart tbody tr').count();
  await until('the curve grows', async () => (await rows()) > 1);
  const said = () => page.locator('.progress p').first().innerText();
  await page.getByRole('button', {name: 'Stop', exact: true}).click();
  await until('it has stopped', async () => /stopped|finished/.test(await said()));
  const kept = await rows();
  if (/stopped/.test(await said())) { // a fast machine may have been done before
    await page.getByRole('button', {name: 'Resume', exact: true}).click();
    await until('it goes on', async () => (await rows()) > kept || /so far|finished/.test(await said()));
  }
  await until('both seeds are done', async () => /finished/.test(await said()), 300000);
  check(/2 of 2 runs: \d+\.\d to \d+\.\d/.test(await page.locator('.sentence').innerText()), 'the spread is told');
  await page.locator('.chart .data > summary').click();
  await shot(page, 'learn-training');
  await page.getByRole('button', {name: 'Play against it as it is now'}).click();
  await until('the game is there', async () => /Draughts/.test(await page.locator('h1').innerText()) && /your move/i.test(await status(page)));
  await page.getByLabel('Move', {exact: true}).fill('11-15');
  await page.keyboard.press('Enter');
  await until('it has answered and says why', async () => (await moveCount(page)) === 2 && (await page.locator('.why summary', {hasText: 'Allocation'}).count()) === 1);
  const words = ['Decision', 'Leaf', 'Probability', 'Threshold', 'Left before this move'];
  await until('the decision is told', async () => { // what goes on being analysed may draw the tree again, folded
    const told = await page.locator('.why').innerText();
    if (words.every((word) => told.includes(word))) return true;
    await page.locator('.why summary', {hasText: 'Allocation'}).click();
    return false;
  });
  await shot(page, 'why-allocation');
});

test('a training run that ends before its news can be heard is shown as finished', async ({server, open}) => {
  const page = await open({});
  let letGo;
  const held = new Promise((done) => { letGo = done; });
  await page.route('**/api/events?*runs=1*', async (route) => { await held; await route.continue(); });
  await server.post('/api/learn', {learner: 'allocation(shallow=1, extra=1, examples=200, enrich=200, relief=40)', game: 'checkers', seeds: 2, name: 'unheard'});
  await page.goto(`${server.url}/#/learn/run/unheard`);
  await page.waitForSelector('.progress p');
  await until('it has ended', async () => (await server.get('/api/learn/unheard')).state === 'done', 120000);
  letGo();
  await until('the page knows', async () => /finished/.test(await page.locator('.progress p').first().innerText()));
  await page.unrouteAll({behavior: 'wait'});
});

test('an experience learner shows how its base grows', async ({server, open}) => {
  const page = await open();
  await page.goto(`${server.url}/#/learn`);
  const learner = page.getByLabel('Learner', {exact: true}).first(); // allocation has an option of that name
  await until('the form is filled', async () => (await learner.locator('option').count()) > 1 && (await page.getByLabel('Game', {exact: true}).first().locator('option').count()) > 4);
  await learner.selectOption('experience');
  await page.getByLabel('Game', {exact: true}).first().selectOption('othello');
  await page.getByRole('spinbutton', {name: 'Training runs'}).fill('1');
  await page.locator('summary', {hasText: 'options of the learner'}).click();
  await page.getByLabel('Games', {exact: true}).first().fill('40');
  await page.getByLabel('Depth', {exact: true}).first().fill('1');
  await page.getByLabel('Opponent', {exact: true}).first().fill('1');
  await page.getByRole('button', {name: 'Start learning'}).click();
  await until('it is done', async () => /finished/.test(await page.locator('.progress p').first().innerText()), 60000);
  await until('the growth is told', async () => /[1-9][\d,]* positions after 40 games; [\d.]+ % of the latest decisions/.test(await page.locator('[aria-label="Training run"]').innerText()));
  check((await page.locator('.chart canvas').count()) === 2, 'a curve of what it wins, and one of what it remembers');
  await shot(page, 'learn-experience');
});

test('learners that watch games: their curve, and what their Advisors say on the board', async ({server, open}) => {
  const page = await open();
  for (const [learner, sentence, evidence] of [['hoyle(sequences=none, watch=4, test=10)', /says that|most votes/, ['Votes', 'Comments']],
    ['sequences(watch=8, test=10)', /voted by|continues a sequence/, ['Whose advice it is', 'Advisor']]]) {
    const {name: training} = await server.post('/api/learn', {learner, game: 'tictactoe(lose)', seeds: 1});
    await until(`${learner} is learned`, async () => (await server.get(`/api/learn/${training}`)).state === 'done', 60000);
    await page.goto(`${server.url}/#/learn/run/${training}`);
    await until('its curve is there', async () => (await page.locator('.sentence').count()) === 1 && /after/.test(await page.locator('.sentence').innerText()), 120000);
    check(/Reliability: \d+\.\d % after \d+ \w+/.test(await page.locator('.sentence').innerText()), 'how reliable it is is told');
    check((await page.locator('.panel tbody tr').count()) === 9, 'a row against each of the panel');
    await page.getByRole('button', {name: 'What it learned'}).click();
    await page.locator('.learned summary', {hasText: /Weights|The most telling/}).first().click();
    await until('what it learned is told', async () => /prefers|weight/.test(await page.locator('.learned').innerText()));
    check(/<svg/.test(await (await fetch(`${server.url}/api/learn/${training}/learned?as=svg`)).text()), 'and drawn');
    const name = learner.replace(/\W+/g, '-').replace(/-$/, '');
    await shot(page, `learn-${name}`);
    await page.getByRole('button', {name: 'Play against it as it is now'}).click();
    await until('the game is there', async () => /your move/i.test(await status(page)));
    await page.keyboard.press('s'); // it begins
    await until('it says why', async () => (await moveCount(page)) === 1 && sentence.test(await page.locator('.why .sentence').innerText()));
    for (const word of evidence) await page.locator('.why summary', {hasText: word}).last().click();
    await until('what lies behind it is unfolded', async () => (await page.locator('.why details[open]').count()) === evidence.length);
    if (evidence[1] === 'Advisor') await page.waitForSelector('.why .pattern svg.board');
    await shot(page, `why-${name}`);
  }
});

test('a sequence under way is told, with the board it began on and what that leaves open', async ({server, open}) => {
  const {name: training} = await server.post('/api/learn', {learner: 'sequences(method=context, watch=20, test=10)', game: 'tictactoe(lose)', seeds: 1});
  await until('it is learned', async () => (await server.get(`/api/learn/${training}`)).state === 'done', 60000);
  const page = await open();
  await page.goto(`${server.url}/#/learn/run/${training}`);
  await page.getByRole('button', {name: 'Play against it as it is now'}).click();
  await until('the game is there', async () => /your move/i.test(await status(page)));
  const {seats} = await server.get(`/api/sessions/${page.url().split('/').pop()}`);
  const learned = seats.map((seat) => seat.spec).find((spec) => /^seqlearner/.test(spec));
  check(learned, `a seat has what was learned: ${JSON.stringify(seats)}`);

  // It begins in the middle, as the perfect agent does; a corner is answered by the one opposite, which is where its sequences lead on.
  let enforced = false, veiled = false;
  for (let seed = 1; seed <= 4 && !(enforced && veiled); seed++) {
    await openSession(page, server, 'tictactoe(lose)', [learned, 'human'], {seed});
    for (let moves = 1; moves < 9 && !(enforced && veiled); moves += 2) {
      await until('it has moved and says why', async () => (await moveCount(page)) === moves && (await page.locator('.why .sentence').count()) === 1);
      const sentence = await page.locator('.why .sentence').innerText();
      if (/voted by|continues a sequence/.test(sentence)) {
        for (const word of ['Whose advice it is', 'Advisor']) await page.locator('.why summary', {hasText: word}).first().click();
        await page.waitForSelector('.why .pattern svg.board');
        const evidence = await page.locator('.why').innerText();
        if (/Enforcer continues a sequence under way/.test(sentence)) {
          check(/at its action \d/.test(evidence), `where in its sequence it is: ${evidence}`);
          if (!enforced) await shot(page, 'why-enforced-sequence');
          enforced = true;
        }
        if ((await page.locator('.why .pattern .veiled').count()) > 0) {
          if (!veiled) await shot(page, 'why-veiled-context');
          veiled = true;
        }
      }
      if (await isOver(page)) break;
      if (moves === 1) await clickCell(page, 'a1');
      else await clickSomeMove(page, () => seed);
    }
  }
  check(enforced, 'a sequence was continued');
  check(veiled, 'a context left cells open');
});

test('a stored match is shown with its interval, and a game of it replayed', async ({server, open}) => {
  await start(server, {name: 'stored', seed: 3});
  await finished(server, 'stored');
  const page = await open();
  await page.goto(`${server.url}/#/arena`);
  await page.locator('a', {hasText: 'Search, 2 plies ahead – Random moves'}).first().click();
  await until('the score has its interval', async () => /\d+ % of the points \(95 %: \d+ to \d+\) in 60 games/.test(await page.locator('.sentence').innerText()));
  await until('the games are listed', async () => (await page.locator('a', {hasText: /^game \d+$/}).count()) === 20);
  await shot(page, 'arena-match');
  await page.locator('a', {hasText: /^game 3$/}).click();
  await until('its moves are listed', async () => (await page.locator('.replay .move').count()) >= 5);
  const plies = await page.locator('.replay .move').count();
  same(await page.locator('.replay .stroke').count(), 0, 'men at the start');
  for (let i = 0; i < plies; i++) await page.keyboard.press(']');
  same(await page.locator('.replay .stroke').count(), plies, 'men at the end');
  await shot(page, 'arena-replay');
  await page.getByRole('button', {name: 'Explain this game'}).click();
  await until('it is open in Watch', async () => /#\/watch\//.test(page.url()) && (await moveCount(page)) === plies);
});

test('the Arena shows how strong the levels are before anybody has met', async ({server, open}) => {
  const page = await open();
  await page.goto(`${server.url}/#/arena`);
  await until('the ratings are there', async () => (await page.locator('.ratings tbody tr').count()) >= 8);
  check(/Draughts\s+\d+ ± \d+/.test(await page.locator('.ratings').innerText()), 'Elo with its interval');
});

test('a tournament has its cross table', async ({server, open}) => {
  await start(server, {kind: 'tournament', name: 'cup', players: ['perfect', 'alphabeta(depth=2)', 'random'], games: 10, seed: 4});
  await until('the cup is finished', async () => (await server.get('/api/runs/cup')).state === 'done');
  const page = await open();
  await page.goto(`${server.url}/#/arena/cup`);
  await until('the table is there', async () => (await page.locator('tbody tr').count()) === 3);
  check(/of 20/.test(await page.locator('tbody tr').first().innerText()), 'points of games');
  check(/(leads|share the lead) with [\d.]+ of 20 points\./.test(await page.locator('.sentence').innerText()), 'who leads is said');
  check((await page.locator('tbody a').count()) === 6, 'cells lead to their matches');
  await shot(page, 'arena-tournament');
});

test('a tournament of the dilemma is started from the form and ranked by payoff', async ({server, open}) => {
  const page = await open();
  await page.goto(`${server.url}/#/arena`);
  await page.getByText('Start a match or a tournament').click();
  const form = page.locator('.run-form');
  await form.getByLabel('Kind').selectOption('tournament');
  await form.getByLabel('Game', {exact: true}).selectOption('dilemma');
  await until('three players', async () => (await form.locator('.seat-choice').count()) === 3);
  check(!(await form.getByLabel('Random moves at the start').isVisible()), 'no option that the game does not have');
  await form.getByLabel('Games').fill('4');
  await form.getByRole('button', {name: 'Start', exact: true}).click();
  await until('the ranking is there', async () => (await page.getByText('Ranking by points').count()) > 0, 60000);
  const told = await page.locator('table').first().innerText();
  check(/cooperates/i.test(told), told);
});

test('an experiment is measured from the page; verdicts come first', async ({server, open}) => {
  const page = await open();
  await page.goto(`${server.url}/#/lab/experiments`);
  const card = page.locator('article', {has: page.locator('a[title="satisficing.fig4a"]')});
  await card.getByRole('button', {name: /Measure/}).click();
  await until('its own result is there', async () => (await server.get('/api/lab/satisficing.fig4a')).result?.origin === 'here' ||
    (await server.get('/api/lab/satisficing.fig4a')).result?.beside?.origin === 'here', 120000);
  await until('its verdicts are there', async () => (await card.locator('.chip').count()) > 0, 120000);
  await shot(page, 'lab-list');
  await card.locator('h2 a').click();
  await page.waitForSelector('.heat-map');
  check((await page.locator('.chip').count()) >= 2, 'verdicts are chips with words');
  check((await page.locator('td[data-label="measured"]').count()) > 0, 'published stands beside measured');
  await page.locator('.data > summary').click();
  await until('the map has its table', async () => (await page.locator('.data tbody tr').count()) > 100);
  await shot(page, 'lab-experiment');
});

test('the front says what Knack is, and a player learns there', async ({server, open}) => {
  const page = await open();
  await page.goto(server.url);
  await page.waitForSelector('.exhibit');
  check((await page.locator('.exhibit').count()) === 7, 'an exhibit for each paper');
  await until('it has learned something', async () => /After \d+ games/.test(await page.locator('.live .sentence').innerText()), 60000);
  await page.waitForSelector('.showcase .board');
  await shot(page, 'start');
  await page.getByRole('button', {name: 'Play it as it is now'}).click();
  await page.waitForSelector('.stage [role=gridcell]');
  check(/#\/play\/\w+/.test(page.url()), page.url());
  await server.rest();
});

test('the exhibits can be touched where they stand', async ({server, open}) => {
  const page = await open(), tryIt = page.locator('[aria-label="Try it"]');
  await page.goto(`${server.url}/#/start/hoyle`);
  await page.locator('.small-board .cell.target').first().click();
  await until('the player answers and says why', async () => (await page.locator('.small-why .sentence').count()) === 1);
  check((await page.locator('.small-why details[open] .bar').count()) > 8, 'Advisors argue as bars, unfolded');
  const before = (await server.get('/api/about')).now.sessions;
  await page.goto(`${server.url}/#/start/general`);
  await page.waitForSelector('.small-board .man-picture');
  await page.locator('.small-board .place').nth(3).click();
  await until('it answers by the rules alone', async () => (await page.locator('.small-board .man-picture').count()) === 3);
  await page.getByLabel('A game description').selectOption({label: 'Lights out'});
  await until('another sheet is on the board', async () => (await page.locator('.small-board .fact-grid tbody td').count()) === 25);
  await tryIt.getByText('Paste rules of your own').click();
  await tryIt.getByRole('button', {name: 'Play by these rules'}).click();
  await tryIt.getByRole('button', {name: 'take 1'}).click();
  await until('a pasted game is played', async () => /take \d/.test(await page.locator('.small-why .sentence').innerText()));
  await page.goto(`${server.url}/#/start/widening`);
  await tryIt.locator('[role=gridcell][aria-label^="A2,"], [role=gridcell][aria-label*="empty"]').first().click();
  await until('a try is answered by proof', async () => /Right|does not work|proved/.test(await tryIt.locator('.verdict').innerText()));
  await until('small games leave nothing behind', async () => (await server.get('/api/about')).now.sessions <= before);
});

test('a supply of deep searches is spent move by move, and a move that got one is asked why', async ({server, open}) => {
  const page = await open();
  await page.goto(`${server.url}/#/start/allocation`);
  await until('some moves are made', async () => (await page.locator('.effort').count()) >= 3);
  check(/deep search(es)? left of 8, for \d+ moves/.test(await page.locator('.supply').innerText()), await page.locator('.supply').innerText());
  await page.getByRole('button', {name: 'Pause'}).click();
  await page.locator('.effort').nth(1).focus();
  await page.keyboard.press('Enter');
  await until('it says what it expected of a deep search', async () => /The chance that a deep search changes its move: \d+ %/.test(await page.locator('[aria-label="Try it"]').innerText()));
  await page.waitForSelector('.small-board .arrow');
});

test('two agents walk over the map of where walks end', async ({server, open}) => {
  const page = await open({reducedMotion: 'reduce'});
  await page.goto(`${server.url}/#/start/satisficing`);
  const told = () => page.locator('[aria-label="Try it"]').innerText(), sentence = page.locator('[aria-label="Try it"] .sentence');
  await until('their end is told', async () => /They|One/.test(await sentence.innerText()));
  check((await page.locator('.walk image').count()) === 1, 'the map is beneath');
  await page.getByRole('button', {name: 'One round'}).click();
  check(/Round 0: agent 1 defects, agent 2 defects/.test(await told()), await told());
  await page.getByRole('button', {name: 'One round'}).click();
  check(/Round 1:/.test(await told()), await told());
  const box = await page.locator('.walk svg').boundingBox();
  await page.locator('.walk svg').click({position: {x: 0.2 * box.width, y: 0.8 * box.height}});
  const [first] = await page.locator('.number-choice output').allInnerTexts();
  check(Number(first) < 0.4, `the walk starts where the map was clicked: ${first}`);
});

test('a network is painted on the board as it learns', async ({server, open}) => {
  const page = await open();
  await page.goto(`${server.url}/#/start/tdleaf`);
  await page.waitForSelector('.worth-map', {timeout: 60000});
  const corner = async () => Number((await page.locator('.worth-map text').first().textContent()).replace('−', '-'));
  check((await page.locator('.worth-map .rim').count()) === 36, 'a number for each cell');
  await until('corners are valued', async () => (await corner()) > 3);
  check((await page.locator('.tuple').count()) > 0, 'tuples are drawn');
  await server.rest();
});

test('the tree of remembered games is opened node by node', async ({server, open}) => {
  const page = await open();
  await page.goto(`${server.url}/#/start/experience`);
  await page.waitForSelector('.memory .node', {timeout: 60000});
  await until('the first moves are there', async () => (await page.locator('.memory .node').count()) > 2);
  const nodes = await page.locator('.memory .node').count();
  await page.locator('.memory .node').nth(1).click();
  await until('the replies are there', async () => (await page.locator('.memory .node').count()) > nodes);
  await until('the board follows', async () => /after [a-h]\d/.test(await page.locator('[aria-label="Try it"]').innerText()));
  await server.rest();
});

test('the walk of two satisficing agents ends where the server says', async ({server}) => {
  const {satisfice} = await import('../../src/web/page/js/satisfice.js');
  const size = 7, lambda = 0.9, sigma = 0.8, delta = 0.4;
  const map = await server.post('/api/satisfice/map', {words: [`lambda=${lambda}`, `sigma=${sigma}`, `delta=${delta}`, 'start=DD'], x: 'alpha=0..2', y: 'beta=0..2', size, trials: 1});
  let agreed = 0;
  map.points.forEach((cell, i) => {
    const middle = (axis, k) => axis.low + (axis.high - axis.low) * (k + 0.5) / axis.points;
    let state = {actions: 'DD', aspirations: [middle(map.x, i % size), middle(map.y, Math.floor(i / size))]};
    for (let k = 0; k < 2000; k++) state = satisfice(state, {lambda, sigma, delta});
    if ((state.actions === 'CC') === (cell[map.columns.findIndex((name) => /cooperation/.test(name))] === 1)) agreed++;
  });
  same(agreed, map.points.length, 'points of the map on which both agree');
});

test('a game that comes late leaves the address to whoever has gone on', async ({server, open}) => {
  const page = await open(), {id} = await server.post('/api/sessions', {game: 'tictactoe', seats: ['human', 'human']});
  let release;
  const held = new Promise((done) => { release = done; }), asked = new Promise((done) => {
    page.route(`**/api/sessions/${id}`, async (route) => { done(); await held; await route.continue(); });
  });
  await page.goto(`${server.url}/#/start/satisficing`);
  await page.waitForSelector('.claims li');
  await page.goto(`${server.url}/#/play/${id}`);
  await asked;
  await page.goto(`${server.url}/#/start/hoyle`);
  const came = page.waitForResponse((reply) => reply.url().endsWith(`/api/sessions/${id}`));
  release();
  await came;
  await page.waitForSelector('.claims li');
  await page.evaluate(() => new Promise((done) => setTimeout(done)));
  check(page.url().endsWith('/start/hoyle'), `the address is ${page.url()}`);
});

test('every exhibit has something to touch that works', async ({server, open}) => {
  const page = await open();
  for (const {system} of (await server.get('/api/papers')).papers.filter((paper) => paper.system !== 'together')) {
    await page.goto(`${server.url}/#/start/${system}`);
    await page.waitForSelector('.claims li');
    await server.rest();
    const more = page.locator('.touch-more button'), large = page.getByRole('button', {name: 'Play it full size'});
    await (await more.count() ? more.first() : large).click();
    await until(`the exhibit ${system} leads somewhere`, async () => !page.url().endsWith(`/start/${system}`));
    same((await page.locator('.error:visible').allInnerTexts()).join('; '), '', `${system}: errors`);
  }
  await server.rest();
});

test('the papers come first, each with its claims and their verdicts', async ({server, open}) => {
  const page = await open();
  await page.goto(`${server.url}/#/lab`);
  await page.waitForSelector('.paper');
  check((await page.locator('.paper').count()) === 8, 'seven papers and a question of our own');
  await shot(page, 'lab-papers');
  await page.getByRole('link', {name: 'Satisficing', exact: true}).click();
  await page.waitForSelector('.claims li');
  const {claims} = await server.get('/api/papers/satisficing');
  check((await page.locator('.claims li').count()) === claims.length, 'every claim is listed');
  for (const claim of claims) check(await page.locator('.claims li', {hasText: claim.text}).locator('.chip', {hasText: claim.verdict}).count(), claim.text);
  await shot(page, 'lab-paper');
  await page.keyboard.press('Backspace');
  await page.waitForSelector('.paper');
  await page.getByRole('link', {name: 'Hoyle and temporal patterns', exact: true}).click();
  const figure = page.locator('figure', {has: page.locator('.dots')}).first();
  await figure.locator('.row-name').first().waitFor();
  const places = await figure.locator('.row-name').count() - 1; // the last one stands beside the axis
  check(places > 1 && (await figure.locator('circle').count()) === 2 * places, 'a dot for what is published and one for what was measured, in each row');
  await figure.getByText('Data as a table').click();
  await until('the table has a row for each', async () => (await figure.locator('tbody tr').count()) === places);
});

test('all experiments are measured with one click; cells arrive one by one', async ({server, open}) => {
  const page = await open();
  await page.goto(`${server.url}/#/lab/experiments`);
  await page.waitForSelector('article');
  await page.getByRole('button', {name: 'Measure all (quick)'}).click();
  const names = await page.locator('article h2 a').evaluateAll((links) => links.map((link) => link.title));
  const running = await until('an experiment tells its cells', async () => {
    for (const name of names) {
      const {so_far: arrived} = await server.get(`/api/lab/${name}`);
      if (arrived?.tables.some((one) => one.cells.length)) return name;
    }
    return null;
  }, 120000);
  check(running, 'cells are told before the result is there');
  await page.getByRole('button', {name: 'Stop', exact: true}).first().click();
  await until('it has stopped', async () => (await server.get('/api/lab')).run.state !== 'running');
  await until('the page says so', async () => (await page.getByRole('button', {name: 'Measure all (quick)'}).isEnabled()));
});

test('a map of outcomes redraws as numbers are moved', async ({server, open}) => {
  const page = await open();
  await page.goto(`${server.url}/#/lab/explore`);
  await page.waitForSelector('.heat-map image');
  const said = () => page.locator('.sentence').innerText();
  const before = await said();
  check(/Of 1,681 trials, \d+\.\d % cooperation/.test(before), before);
  await page.getByLabel(/lambda$/).fill('0.2');
  await until('the map is another', async () => (await said()) !== before);
  const box = await page.locator('.heat-map image').boundingBox();
  await page.mouse.move(box.x + box.width * 0.98, box.y + box.height * 0.02);
  await until('the place is told', async () => /alpha 1\.9\d+, beta 1\.9\d+: 1 \w+/.test(await page.locator('.panel [role=status]').innerText()));
  await page.getByLabel('Across').selectOption('delta');
  await until('the axis is another', async () => (await page.locator('.map-label', {hasText: 'delta'}).count()) === 1);
  await shot(page, 'lab-explore');
});

test('what cannot be run is refused beside its field', async ({server, open}) => {
  const page = await open();
  await page.goto(`${server.url}/#/arena`);
  await page.locator('summary', {hasText: 'Start a match'}).click();
  await until('the form is filled', async () => (await page.getByLabel('Player 1', {exact: true}).locator('option').count()) > 2);
  await page.getByLabel('Player 1', {exact: true}).selectOption({label: 'For programmers: any player…'});
  await page.getByRole('button', {name: 'Start', exact: true}).click();
  await until('an empty spec is refused', async () => page.locator('.run-form .error:visible').first().isVisible());
  await page.getByLabel('Player 1: player spec').fill('nobody(x=1)');
  await page.getByRole('button', {name: 'Start', exact: true}).click();
  await until('the message names it', async () => /nobody/.test(await page.locator('.run-form .error:visible').first().innerText()));
  await page.getByLabel('Player 1: player spec').fill('random');
  await page.getByRole('button', {name: 'Start', exact: true}).click();
  await until('the run is shown', async () => /#\/arena\/match-/.test(page.url()));
});

test('the page of a match fits a phone', async ({server, open}) => {
  const [beginner, easy] = await server.get('/api/levels?game=tictactoe');
  await server.post('/api/runs', {kind: 'match', game: 'tictactoe', players: [easy.spec, beginner.spec], games: 10, seed: 5, name: 'narrow'});
  await until('it is played', async () => (await server.get('/api/runs/narrow')).games >= 10, 60000);
  const page = await open({viewport: PHONE});
  await page.goto(`${server.url}/#/arena/narrow`);
  await page.getByText('10 games').first().waitFor();
  same(await page.locator('h1').innerText(), 'Easy – Beginner', 'levels have their names');
  await shot(page, 'phone-match');
  same(await page.evaluate(() => document.documentElement.scrollWidth), PHONE.width, 'its width');
});

await run();
