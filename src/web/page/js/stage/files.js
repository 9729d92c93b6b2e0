// Games from and to files. The server parses what is loaded, and reports errors with their place.
import {sessionPath, download, post} from '../api.js';
import {levelsOf} from './players.js';

const LARGEST = 1 << 20;

export async function save(path) {
  const {text, name} = await download(path);
  return saveText(text, name);
}

export function saveText(text, name) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], {type: 'text/plain'}));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  return name;
}

export async function load(file) {
  if (file.size > LARGEST) throw new Error(`${file.name} has ${Math.ceil(file.size / 1024)} KiB; a game file may have 1,024.`);
  const text = await file.text();
  const rules = /\.(kif|gdl)$/i.test(file.name);
  const session = await post('/api/sessions/import', rules ? {kif: text, name: file.name} : {text, name: file.name});
  return rules ? seatEngines(session) : session;
}

/** A game from its rules: the first role is the person's, friendly engines take the others. */
async function seatEngines(session) {
  const levels = await levelsOf(session.game.spec);
  let latest = session;
  for (const seat of session.seats.filter((one) => one.kind === 'human').slice(1))
    for (const spec of [levels[1]?.spec, 'random'].filter(Boolean)) {
      try {
        latest = await post(sessionPath(session.id, '/seat'), {role: seat.role, spec});
        break;
      } catch { /* a player that cannot play this game: the next one */ }
    }
  return latest;
}

/** Lets files be dropped on an element: got(file). */
export function dropZone(element, got) {
  let depth = 0;
  const mark = (on) => element.classList.toggle('dropping', on);
  element.addEventListener('dragenter', (event) => { if (event.dataTransfer?.types.includes('Files')) { depth++; mark(true); event.preventDefault(); } });
  element.addEventListener('dragover', (event) => { if (event.dataTransfer?.types.includes('Files')) event.preventDefault(); });
  element.addEventListener('dragleave', () => { depth = Math.max(0, depth - 1); if (!depth) mark(false); });
  element.addEventListener('drop', (event) => {
    depth = 0;
    mark(false);
    const file = event.dataTransfer?.files[0];
    if (!file) return;
    event.preventDefault();
    got(file);
  });
}
