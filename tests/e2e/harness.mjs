// What the browser tests share: a server of their own on a free port, Debian's Chromium, and a small runner whose output
// tools/count-tests.awk understands. Without node_modules, a browser or Node 18 the test is skipped, with the reason.
import {execFile, spawn} from 'node:child_process';
import {existsSync, mkdirSync, mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {promisify} from 'node:util';

// The headless shell is the same engine without the frame of a browser, which costs a sixth of the processor time.
const BROWSERS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
// As root in a container there is no sandbox to be had; the rest keeps the browser from looking for the world outside.
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync', '--disable-dev-shm-usage', '--force-color-profile=srgb'];

export const [, , binary = 'build/knack', shots = join(tmpdir(), 'knack-shots')] = process.argv;

function skip(why) {
  console.log(`skipped: ${why}`);
  process.exit(77);
}

async function library(name) {
  try { return await import(name); } catch { return skip(`the npm package ${name} is not installed ('make test' installs it)`); }
}

// The floor of the Playwright that package.json pins for its sake: Debian 12 ships Node 18.
if (Number(process.versions.node.split('.')[0]) < 18) skip(`Playwright needs Node 18 or newer, this is ${process.versions.node}`);

const {chromium} = (await library('playwright-core')).default ?? await library('playwright-core');
const executablePath = process.env.CHROMIUM ?? BROWSERS.find((path) => existsSync(path));
if (!executablePath) skip("Chromium is not installed ('make test' installs it)");
if (!existsSync(binary)) skip(`${binary} is not built`);

/** `knack serve` on a port of its own (or a given one), with a data folder of its own (or a given one). */
export class Server {
  constructor({data, port = 0} = {}) {
    this.data = data ?? mkdtempSync(join(tmpdir(), 'knack-e2e-'));
    this.port = port;
  }

  async start() {
    this.process = spawn(binary, ['serve', '--port', String(this.port), '--data', this.data], {stdio: ['ignore', 'pipe', 'pipe']});
    this.ended = new Promise((done) => this.process.once('exit', done));
    let said = '';
    this.process.stderr.on('data', (text) => { said += text; });
    this.url = await new Promise((done, fail) => {
      this.process.stdout.on('data', (text) => {
        said += text;
        const address = /http:\/\/\S+/.exec(said);
        if (address) done(address[0].replace(/\/$/, ''));
      });
      this.ended.then(() => fail(new Error(`knack serve ended: ${said}`)));
    });
    this.port = Number(new URL(this.url).port);
    return this;
  }

  async stop(signal = 'SIGTERM') {
    this.process.kill(signal);
    await this.ended;
  }

  async close() {
    await this.stop('SIGKILL');
    rmSync(this.data, {recursive: true, force: true, maxRetries: 20, retryDelay: 100}); // a training that it started may still write
  }

  /** Runs `knack WORDS` on the server's data folder, beside it. */
  async knack(...words) { await promisify(execFile)(binary, [...words, '--data', this.data, '--quiet']); }

  async post(path, body) {
    const reply = await fetch(this.url + path, {method: 'POST', headers: {'Content-Type': 'application/json'}, body: JSON.stringify(body)});
    const answer = await reply.json();
    if (!reply.ok) throw new Error(`POST ${path}: ${reply.status} ${answer.error}`);
    return answer;
  }

  /** Stops all trainings: the server runs two at a time, and other tests want the processor. One that ends by itself meanwhile refuses to be stopped. */
  async rest() {
    await until('nobody learns', async () => {
      const running = (await this.get('/api/learn')).trainings.filter((run) => run.state === 'running');
      for (const run of running) await this.post(`/api/learn/${run.name}/stop`).catch(() => { /* it has ended */ });
      return !running.length;
    });
  }

  async get(path) {
    const reply = await fetch(this.url + path);
    if (!reply.ok) throw new Error(`GET ${path}: ${reply.status}`);
    return reply.json();
  }
}

export const DESKTOP = {width: 1280, height: 800}, PHONE = {width: 390, height: 844};

export const browserOf = () => chromium.launch({executablePath, args: FLAGS});

/** A browser as a person has it, with an ordinary profile, new and forgotten afterwards; tabs are opened with its newPage(). */
export const profileOf = () => chromium.launchPersistentContext('', {executablePath, args: FLAGS, viewport: DESKTOP});

/** Gives a page its size and colours. */
async function dress(page, {viewport = DESKTOP, colorScheme = 'light', reducedMotion = 'no-preference'} = {}) {
  await page.setViewportSize(viewport);
  await page.emulateMedia({colorScheme, reducedMotion});
}

/** A page that fails the test when anything in it fails: an exception, a console error, a refused request. */
export async function newPage(browser, {viewport, colorScheme, reducedMotion, ...more} = {}) {
  const context = await browser.newContext(more);
  const page = await context.newPage();
  await dress(page, {viewport, colorScheme, reducedMotion});
  page.setDefaultTimeout(60000);
  page.faults = [];
  page.on('pageerror', (error) => page.faults.push(`exception: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' && !/Failed to load resource|ERR_/.test(message.text())) page.faults.push(`console: ${message.text()}`);
  });
  return page;
}

const tests = [];
export const test = (name, run) => tests.push({name, run});

export function check(condition, message) { if (!condition) throw new Error(message); }
export function same(found, wanted, message) {
  if (found !== wanted) throw new Error(`${message}: found ${JSON.stringify(found)}, wanted ${JSON.stringify(wanted)}`);
}

/** Waits until a function of this program gives something true. Asking costs the browser time: it is asked less often the longer it takes. */
export async function until(what, condition, milliseconds = 60000) {
  const start = Date.now();
  for (;;) {
    const value = await condition();
    if (value) return value;
    const waited = Date.now() - start;
    if (waited > milliseconds) throw new Error(`waited ${milliseconds / 1000} s in vain until ${what}`);
    await new Promise((done) => setTimeout(done, Math.min(40 + waited / 20, 200)));
  }
}

export async function shot(page, name) {
  mkdirSync(shots, {recursive: true});
  await page.screenshot({path: join(shots, `${name}.png`)});
}

/** What can be changed on a page that is there already, so that it need not be a new one. */
const LOOKS = ['viewport', 'colorScheme', 'reducedMotion'];

/** Pages are used again, whatever they look like: a new one costs a second of processor time. A test that wants more of a page than looks gets a new one. */
class Desk {
  constructor(browser) {
    this.browser = browser;
    this.free = [];
  }

  /** `{}` asks for a page that has nothing at hand. */
  static lends(options) {
    const names = Object.keys(options ?? {});
    return !options || names.length > 0 && names.every((name) => LOOKS.includes(name));
  }

  async open(options) {
    if (!Desk.lends(options) || !this.free.length) return newPage(this.browser, options);
    const page = this.free.pop();
    await dress(page, options);
    return page;
  }

  /** Back to a page that nobody has used: nothing remembered, nothing loaded. Others are closed. */
  async back(page, options, failed) {
    try {
      if (!Desk.lends(options) || failed) throw new Error('not to be used again');
      await page.evaluate(() => localStorage.clear());
      await page.context().clearCookies();
      await page.goto('about:blank');
      page.faults.length = 0;
      this.free.push(page);
    } catch { await page.context().close().catch(() => {}); }
  }
}

/** Runs the tests of a file one after the other, with one server and one browser. */
export async function run() {
  const server = await new Server().start();
  const browser = await browserOf();
  const only = process.env.ONLY;
  const chosen = only ? tests.filter(({name}) => name.includes(only)) : tests;
  const failed = [], desk = new Desk(browser);
  console.log(`[==========] Running ${chosen.length} test(s).`);
  for (const {name, run: body} of chosen) {
    console.log(`[ RUN      ] ${name}`);
    const started = Date.now(), pages = [], opened = [];
    const open = async (options) => {
      const page = await desk.open(options);
      pages.push(page);
      opened.push({page, options});
      return page;
    };
    try {
      await body({server, browser, open});
      const faults = pages.flatMap((page) => page.faults);
      check(!faults.length, faults.join('; '));
      console.log(`[       OK ] ${name}`);
      if (process.env.TIMES) console.log(`    ${Date.now() - started} ms`);
    } catch (error) {
      failed.push(name);
      console.log(error.stack);
      for (const page of pages.slice(-1)) await shot(page, `failed-${name}`).catch(() => {});
      console.log(`[  FAILED  ] ${name}`);
    }
    for (const {page, options} of opened) await desk.back(page, options, failed.at(-1) === name);
  }
  console.log(`[==========] ${chosen.length} test(s) run.`);
  await browser.close();
  await server.close();
  process.exit(failed.length ? 1 : 0);
}
