// The board of a game that is known by its rules only. The server finds boards in the facts of a state and draws them in letters
// (src/games/gdl/boards.h): rows with their label, a row of column labels, and what the letters mean. Here that drawing is read back.

const ROW = /^ ?(\S+) (\S(?: \S)+)$/; // the row of column labels is indented further

/** Boards of the same size lie on top of each other: {columns, lines, at: Map("x y" -> content)}; null if the drawing has none. */
export function fromDrawing(drawing) {
  let rows = [], name = '', found = null;
  for (const line of (drawing ?? '').split('\n')) {
    const row = ROW.exec(line), cells = row?.[2].split(' ');
    if (row && (!rows.length || rows[0].cells.length === cells.length)) {
      rows.push({label: row[1], cells});
      continue;
    }
    const columns = line.trim().split(/\s+/);
    if (rows.length > 1 && columns.length === rows[0].cells.length) {
      found ??= {columns, lines: rows.map((one) => one.label), at: new Map(), meanings: new Map()};
      if (found.columns.length === columns.length && found.lines.length === rows.length && !/^(free|empty|blank)$/.test(name))
        rows.forEach((one) => one.cells.forEach((cell, i) => { if (cell !== '.') found.at.set(`${columns[i]} ${one.label}`, cell); }));
    } else if (found && /^\S \S+(, \S \S+)*$/.test(line)) {
      for (const pair of line.split(', ')) found.meanings.set(pair[0], pair.slice(2));
    }
    rows = [];
    name = columns.length === 1 ? columns[0] : '';
  }
  if (found) for (const [place, letter] of found.at) found.at.set(place, found.meanings.get(letter) ?? letter);
  return found;
}

/** Facts that put one thing on each of the places 1 to n x n: a square, as of a sliding puzzle. */
export function fromPlaces(facts) {
  const side = Math.sqrt(facts.length);
  if (!Number.isInteger(side) || side < 2 || facts.some((fact) => fact.length !== 2 || fact.some((word) => typeof word !== 'string'))) return null;
  const by = new Map(facts.map(([thing, place]) => [Number(place), thing]));
  if (by.size !== facts.length || ![...by.keys()].every((place) => Number.isInteger(place) && place >= 1 && place <= facts.length)) return null;
  const columns = Array.from({length: side}, (_, i) => String(i + 1)), lines = columns, at = new Map(), things = new Map();
  for (const [place, thing] of by) {
    const cell = `${columns[(place - 1) % side]} ${lines[Math.floor((place - 1) / side)]}`;
    at.set(cell, thing);
    things.set(thing, cell);
  }
  return {columns, lines, at, things};
}

/** Facts that put one thing on each of the places 1 to n, the place first: a row of them. Numbers alone are counts, no things. */
export function fromRow(facts) {
  if (facts.length < 3 || facts.some((fact) => fact.length !== 2 || fact.some((word) => typeof word !== 'string'))) return null;
  const columns = Array.from({length: facts.length}, (_, i) => String(i + 1)), by = new Map(facts);
  return columns.every((place) => by.has(place)) && [...by.values()].some((thing) => !/^\d+$/.test(thing)) ? {columns, lines: ['1'], at: new Map(columns.map((place) => [`${place} 1`, by.get(place)])), row: true} : null;
}

/** The cells that a move names, in order: from and to, one cell, or every cell of a column; [] if it names none. */
export function placesOf(term, {columns, lines, things, row}) {
  const words = Array.isArray(term) ? term.slice(1).filter((word) => typeof word === 'string') : [];
  if (row) return words.length && words.length < 3 && words.every((word) => columns.includes(word)) ? words.map((word) => [`${word} 1`]) : [];
  const cell = (i) => columns.includes(words[i]) && lines.includes(words[i + 1]) ? `${words[i]} ${words[i + 1]}` : null;
  if (things) return words.length === 1 && things.has(words[0]) ? [[things.get(words[0])]] : [];
  const n = words.length;
  if (n >= 4 && cell(n - 4) && cell(n - 2)) return [[cell(n - 4)], [cell(n - 2)]];
  if (n >= 2 && cell(n - 2)) return [[cell(n - 2)]];
  return n === 1 && columns.includes(words[0]) ? [lines.map((line) => `${words[0]} ${line}`)] : [];
}
