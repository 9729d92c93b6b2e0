// Debian's Firefox over WebDriver BiDi, as far as test_firefox.mjs needs it: Playwright drives a Firefox of its own only. The connection is the
// WebSocket that Playwright brings along.
import {spawn} from 'node:child_process';
import {existsSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

export const firefoxPath = [process.env.FIREFOX, '/usr/bin/firefox-esr', '/usr/bin/firefox'].find((path) => path && existsSync(path));

const KEYS = {Tab: '\uE004', Enter: '\uE007', Escape: '\uE00C', ArrowDown: '\uE015', ArrowUp: '\uE013', ArrowLeft: '\uE012', ArrowRight: '\uE014'};

export class Firefox {
  #count = 0;
  #asked = new Map();

  /** preferences: as in about:config */
  static async start(preferences = {}) {
    const self = new Firefox();
    const all = {'browser.shell.checkDefaultBrowser': false, 'datareporting.policy.dataSubmissionEnabled': false, 'app.update.enabled': false, 'browser.startup.page': 0,
      'toolkit.telemetry.reportingpolicy.firstRun': false, 'network.captive-portal-service.enabled': false, 'network.connectivity-service.enabled': false, ...preferences};
    self.profile = mkdtempSync(join(tmpdir(), 'knack-firefox-'));
    writeFileSync(join(self.profile, 'user.js'), Object.entries(all).map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`).join('\n'));
    self.process = spawn(firefoxPath, ['--headless', '--no-remote', '--profile', self.profile, '--remote-debugging-port', '0'], {stdio: ['ignore', 'ignore', 'pipe'], env: {...process.env, HOME: self.profile}});
    const address = await new Promise((done, fail) => {
      let said = '';
      self.process.stderr.on('data', (text) => {
        said += text;
        const found = /WebDriver BiDi listening on (ws:\S+)/.exec(said);
        if (found) done(found[1]);
      });
      self.process.once('exit', () => fail(new Error(`Firefox ended: ${said.slice(-500)}`))); // in vain once it is there
    });
    const {ws: WebSocket} = createRequire(import.meta.url)('playwright-core/lib/utilsBundle');
    self.socket = new WebSocket(`${address}/session`);
    await new Promise((done, fail) => { self.socket.once('open', done); self.socket.once('error', fail); });
    self.faults = [];
    self.socket.on('message', (text) => self.#receive(JSON.parse(text)));
    await self.send('session.new', {capabilities: {}});
    await self.send('session.subscribe', {events: ['log.entryAdded']});
    ({context: self.context} = await self.send('browsingContext.create', {type: 'tab'}));
    return self;
  }

  #receive({id, type, result, message, method, params}) {
    if (method === 'log.entryAdded' && params.level === 'error') this.faults.push(params.text);
    const asked = this.#asked.get(id);
    if (!asked) return;
    this.#asked.delete(id);
    if (type === 'success') asked.done(result);
    else asked.fail(new Error(message));
  }

  send(method, params) {
    const id = ++this.#count;
    return new Promise((done, fail) => {
      this.#asked.set(id, {done, fail});
      this.socket.send(JSON.stringify({id, method, params}));
    });
  }

  goto(url) { return this.send('browsingContext.navigate', {context: this.context, url, wait: 'complete'}); }
  size({width, height}) { return this.send('browsingContext.setViewport', {context: this.context, viewport: {width, height}}); }

  /** The value of an expression, as JSON carries it. */
  async evaluate(expression) {
    const {result, exceptionDetails} = await this.send('script.evaluate', {expression: `(async () => JSON.stringify(await (${expression})))()`, target: {context: this.context}, awaitPromise: true});
    if (exceptionDetails) throw new Error(exceptionDetails.text);
    return result.value === undefined ? undefined : JSON.parse(result.value);
  }

  /** Presses keys one after the other: names such as Enter, or characters. */
  press(...keys) {
    const actions = keys.flatMap((key) => [{type: 'keyDown', value: KEYS[key] ?? key}, {type: 'keyUp', value: KEYS[key] ?? key}]);
    return this.send('input.performActions', {context: this.context, actions: [{type: 'key', id: 'keyboard', actions}]});
  }

  async shot(path) {
    const {data} = await this.send('browsingContext.captureScreenshot', {context: this.context});
    writeFileSync(path, Buffer.from(data, 'base64'));
  }

  async close() {
    const ended = new Promise((done) => this.process.once('exit', done));
    this.process.kill();
    await ended;
    rmSync(this.profile, {recursive: true, force: true, maxRetries: 20, retryDelay: 100});
  }
}
