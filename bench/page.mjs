// How soon the page can be used, and how soon a move is answered: measured in Chromium and over the API, printed, never judged.
//
//     node bench/page.mjs build/knack [TIMES]
//
// "usable" is from the start of the navigation until the browser has painted a board with men that can be moved, by its own clock; a click on
// them plays from then on, since what listens is put there with them (the browser tests click before anything else has come). The browser is
// the one a person has open: an ordinary profile, which keeps a process ready for the next page, and a new tab of it. "cold" has nothing cached,
// "warm" the files at hand and a game to go on with; "private" is cold in a private window of its own, whose process the browser must start first. "floor"
// is the same picture as a mere file, without a program: what the browser itself takes on this machine, measured in turn with the others. "work" is the
// processor time of the page's main thread until then, which hardly depends on what else the machine does; wall times on a busy machine tell of the
// machine ("load"), so that one compares them with the floor of the same run. "answered" is from sending a move to the event that brings the engine's reply; with a player that hardly searches it is what
// the server adds to the search of any other. Medians, with the least and the most.
import {createServer} from 'node:http';
import {loadavg} from 'node:os';
import {browserOf, newPage, profileOf, Server} from '../tests/e2e/harness.mjs';

const times = Number(process.argv[3] ?? 7);
const PATIENCE = 60_000; // milliseconds for one visit: what takes longer is said, and the others go on

const summary = (list) => {
  if (!list.length) return {n: 0};
  const sorted = [...list].sort((a, b) => a - b), at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
  return {n: list.length, median: Number(at(0.5).toFixed(1)), least: Number(sorted[0].toFixed(1)), most: Number(sorted.at(-1).toFixed(1))};
};

/** Milliseconds from the start of a navigation until a board that can be played on has been painted. */
async function usable(page, url) {
  await page.addInitScript(() => {
    const painted = () => requestAnimationFrame(() => {
      const {port1, port2} = new MessageChannel(); // a message comes after the frame
      port1.onmessage = () => performance.mark('usable');
      port2.postMessage(null);
    });
    new MutationObserver((_, observer) => {
      if (!document.querySelector('.stage .cell.target')) return;
      observer.disconnect();
      painted();
    }).observe(document, {childList: true, subtree: true, attributeFilter: ['class']});
  });
  await page.goto(url, {timeout: PATIENCE});
  // Asked once: asking again and again would take the time that is measured.
  return page.evaluate((patience) => new Promise((done, fail) => {
    setTimeout(() => fail(new Error(`no board to play on after ${patience / 1000} s at ${location.href}`)), patience);
    new PerformanceObserver((list, observer) => {
      const [mark] = list.getEntriesByName('usable');
      if (!mark) return;
      observer.disconnect();
      done(mark.startTime);
    }).observe({type: 'mark', buffered: true});
  }), PATIENCE);
}

/** Milliseconds of processor time that the page's main thread takes until then. */
async function work(page, url) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Tracing.start', {transferMode: 'ReturnAsStream', traceConfig: {includedCategories: ['toplevel', 'blink.user_timing']}});
  await usable(page, url);
  const complete = new Promise((done) => cdp.once('Tracing.tracingComplete', done));
  await cdp.send('Tracing.end');
  const {stream} = await complete;
  let text = '';
  for (let eof = false; !eof;) {
    const part = await cdp.send('IO.read', {handle: stream, size: 1 << 20});
    text += part.data;
    eof = part.eof;
  }
  await cdp.detach();
  const {traceEvents} = JSON.parse(text), mark = traceEvents.find((event) => event.name === 'usable');
  return traceEvents.filter((event) => event.ph === 'X' && event.name === 'ThreadControllerImpl::RunTask' && event.pid === mark.pid && event.tid === mark.tid && event.ts < mark.ts)
    .reduce((sum, event) => sum + (event.tdur ?? 0) / 1000, 0);
}

/** The first page as it looks, with its style sheet and nothing to run, on a port and a site of its own: a process that has shown it is not used again. */
async function stillLife(server, profile) {
  const page = await newTab(profile);
  await usable(page, `${server.url}/#/play`);
  const html = await page.evaluate(() => {
    for (const script of document.querySelectorAll('script, link[rel=icon]')) script.remove();
    return `<!DOCTYPE html>${document.documentElement.outerHTML}`;
  });
  await page.close();
  const style = await (await fetch(`${server.url}/css/page.css`)).text();
  const still = createServer((request, reply) => {
    const css = request.url.endsWith('.css');
    reply.writeHead(200, {'Content-Type': css ? 'text/css' : 'text/html; charset=utf-8'});
    reply.end(css ? style : html);
  });
  await new Promise((done) => { still.listen(0, 'localhost', done); });
  return still;
}

/** A tab that remembers nothing of earlier ones. */
async function newTab(profile) {
  const page = await profile.newPage(), cdp = await profile.newCDPSession(page);
  await profile.clearCookies();
  await cdp.send('Network.clearBrowserCache');
  await cdp.detach();
  return page;
}

async function pages(server, browser, profile) {
  const lists = Object.fromEntries(['floor', 'usable_cold', 'usable_warm', 'floor_private', 'usable_private', 'floor_work', 'work_cold', 'work_warm'].map((name) => [name, []]));
  let bytes = 0, files = 0;
  const still = await stillLife(server, profile), bare = `http://localhost:${still.address().port}/`;
  const visit = async (name, page, measure, url, again = false) => {
    try {
      if (again) {
        await page.goto(url, {timeout: PATIENCE});
        // A game that has begun is in the address: only then does the next visit go on with it.
        await page.waitForURL(/#\/play\/\w+/, {timeout: PATIENCE});
        await page.goto('about:blank');
      }
      lists[name].push(await measure(page, url));
    } catch (problem) {
      console.error(`${name}: ${problem.message.split('\n')[0]}`);
      await page.close();
      return;
    }
    if (name === 'usable_cold') ({bytes, files} = await page.evaluate(() => {
      const all = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')].filter((entry) => !entry.name.includes('/api/'));
      return {bytes: all.reduce((sum, entry) => sum + entry.decodedBodySize, 0), files: all.length};
    }));
    await page.close();
  };
  for (let i = 0; i < times; i++) {
    await visit('floor', await newTab(profile), usable, bare);
    await visit('usable_cold', await newTab(profile), usable, first);
    await visit('usable_warm', await newTab(profile), usable, first, true);
    for (const [name, url] of [['floor_private', bare], ['usable_private', first]]) {
      const page = await newPage(browser);
      await visit(name, page, usable, url);
      await page.context().close();
    }
    await visit('floor_work', await newTab(profile), work, bare);
    await visit('work_cold', await newTab(profile), work, first);
    await visit('work_warm', await newTab(profile), work, first, true);
  }
  still.close();
  return {files, kilobytes: Math.round(bytes / 1000), ...Object.fromEntries(Object.entries(lists).map(([name, list]) => [`${name}_ms`, summary(list)]))};
}

/** Milliseconds from a move to its own answer, and to the event that brings the engine's reply. */
async function moves(server, spec) {
  const answered = [], replied = [];
  for (let i = 0; i < times; i++) {
    const session = await server.post('/api/sessions', {game: 'checkers', seats: ['human', spec], seed: i});
    const stop = new AbortController();
    const stream = (await fetch(`${server.url}/api/events?session=${session.id}`, {signal: stop.signal})).body.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    const until = async (plies) => {
      for (;;) {
        const rows = text.split('\n').filter((line) => line.startsWith('data: {"') && line.includes('"revision"'));
        if (rows.some((row) => { try { return JSON.parse(row.slice(6)).plies >= plies; } catch { return false; } })) return;
        const {value, done} = await stream.read();
        if (done) throw new Error('the stream has ended');
        text += value;
      }
    };
    await until(0);
    const start = performance.now();
    await server.post(`/api/sessions/${session.id}/move`, {ply: 0, move: session.legal[i % session.legal.length].move});
    answered.push(performance.now() - start);
    await until(2);
    replied.push(performance.now() - start);
    stop.abort();
  }
  return {player: spec, move_answered_ms: summary(answered), reply_ms: summary(replied)};
}

const server = await new Server().start(), browser = await browserOf(), profile = await profileOf();
const first = `${server.url}/#/play`; // the first board
const result = {load: loadavg()[0], page: await pages(server, browser, profile), moves: []};
for (const spec of ['alphabeta(depth=1)', 'alphabeta(depth=6)']) result.moves.push(await moves(server, spec));
console.log(JSON.stringify(result, null, 1));
await profile.close();
await browser.close();
await server.close();
