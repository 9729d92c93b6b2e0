// The site's program in node: what worker.js does in a browser, without files that last.
import {createRequire} from 'node:module';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';

export async function open(folder) {
  // A plain script, as a worker imports it: node would take its name for that of a module.
  const path = join(folder, 'knack.js');
  const load = new Function('require', '__dirname', '__filename', `${readFileSync(path, 'utf8')}\nreturn Knack;`)(createRequire(import.meta.url), folder, path);
  const knack = await load({wasmBinary: readFileSync(join(folder, 'knack.wasm'))}); // node's fetch would not read a file
  knack.FS.mkdirTree('/data');
  const trouble = knack.ccall('kn_site_open', 'string', ['string'], ['/data']);
  if (trouble) throw new Error(trouble);
  return {
    answer(method, path, body) {
      const url = new URL(path, 'http://localhost');
      const request = {method, path: decodeURIComponent(url.pathname), query: Object.fromEntries(url.searchParams), body: body === undefined ? null : JSON.stringify(body)};
      return JSON.parse(knack.ccall('kn_site_answer', 'string', ['string'], [JSON.stringify(request)]));
    },
    /** Computes a little; whether there is more to do. */
    step: () => knack.ccall('kn_site_step', 'number', [], []) >= 0,
  };
}
