// A training run in a worker of its own: it gets the files as they are, and sends back what it writes and prints (worker.js).
'use strict';
importScripts('knack.js', 'files.js');

self.onmessage = async ({data: {words, files}}) => {
  let own = null;
  const send = (more) => postMessage({files: own.changed(), ...more});
  const knack = await Knack({printLine: (line) => send({line})});
  knack.FS.mkdirTree('/data');
  own = new Files(knack.FS, '/data');
  own.write(files);
  own.changed();
  let trouble;
  try {
    trouble = knack.ccall('kn_site_run', 'string', ['string'], [JSON.stringify(words)]);
  } catch (problem) { trouble = String(problem); }
  send({end: trouble});
};
