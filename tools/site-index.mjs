// Writes the site's index.html: the page as the program itself would serve it, with a first game in it, but with relative addresses and the
// worker that stands for the server.
//
//   node tools/site-index.mjs FOLDER      FOLDER has knack.js and knack.wasm
import {writeFileSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {open} from '../tests/site/program.mjs';

const folder = resolve(process.argv[2]);
const program = await open(folder);
const reply = program.answer('GET', '/');
if (reply.status !== 200) throw new Error(reply.text);
const page = reply.text.replace(/(href|src)="\//g, '$1="').replace('id="first">{', 'id="first">{"worker":"worker.js",');
if (!page.includes('"worker"') || /(href|src)="\//.test(page)) throw new Error('the page is not as expected');
writeFileSync(join(folder, 'index.html'), page);
