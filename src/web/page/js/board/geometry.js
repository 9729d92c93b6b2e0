// Where cells lie, which are neighbours, and the labels at the edges. Everything follows from the list {name, x, y}.

export const CELL = 100; // units of a cell in the picture

export function layout(cells) {
  const xs = cells.map((cell) => cell.x), ys = cells.map((cell) => cell.y);
  const left = Math.min(...xs), right = Math.max(...xs), top = Math.min(...ys), bottom = Math.max(...ys);
  return {left, right, top, bottom, width: right - left + 1, height: bottom - top + 1};
}

/** Cells in rows from the top, each row from the left. */
export function rows(cells) {
  const by = new Map();
  cells.forEach((cell, index) => {
    if (!by.has(cell.y)) by.set(cell.y, []);
    by.get(cell.y).push(index);
  });
  return [...by.entries()].sort((a, b) => a[0] - b[0]).map(([, list]) => list.sort((a, b) => cells[a].x - cells[b].x));
}

/** The labels of columns and rows if cells are called by letter and number (d3), else null. */
export function coordinates(cells) {
  const columns = new Map(), lines = new Map();
  for (const cell of cells) {
    const parts = /^([A-Za-z])(\d+)$/.exec(cell.name);
    if (!parts) return null;
    columns.set(cell.x, parts[1]);
    lines.set(cell.y, parts[2]);
  }
  return {columns, lines};
}

/** The cell that a key leads to, as in any grid: along the row, or to the nearest cell of the next one. */
export function step(places, from, key) {
  const [x, y] = places[from];
  const beside = (sign) => nearest((px, py) => py === y && (px - x) * sign > 0, ([px]) => Math.abs(px - x));
  const beyond = (sign) => nearest((px, py) => (py - y) * sign > 0, ([px, py]) => Math.abs(py - y) * 1000 + Math.abs(px - x));
  const ends = (sign) => nearest((px, py) => py === y, ([px]) => -px * sign);
  function nearest(fits, distance) {
    let best = from, least = Infinity;
    places.forEach((place, index) => {
      if (!fits(...place) || distance(place) >= least) return;
      least = distance(place);
      best = index;
    });
    return best;
  }
  switch (key) {
    case 'ArrowLeft': return beside(-1);
    case 'ArrowRight': return beside(1);
    case 'ArrowUp': return beyond(-1);
    case 'ArrowDown': return beyond(1);
    case 'Home': return ends(-1);
    case 'End': return ends(1);
    default: return from;
  }
}

const ROWS = {tictactoe: 3, fives: 5};

/** The cells of the row that won, through the last move; null where no row wins, or nobody has. */
export function winningRow({game, cells, last, result}) {
  const need = Number(/line=(\d+)/.exec(game.spec)?.[1] ?? ROWS[game.name]);
  if (!need || !last?.path?.length || result?.ending !== 'rules' || result.payoffs[0] === result.payoffs[1]) return null;
  const from = last.path.at(-1), at = new Map(game.board.cells.map((cell, index) => [`${cell.x} ${cell.y}`, index])), {x, y} = game.board.cells[from];
  for (const [dx, dy] of [[1, 0], [0, 1], [1, 1], [1, -1]]) {
    const run = (sign) => {
      const list = [];
      for (let i = 1; ; i++) {
        const next = at.get(`${x + sign * i * dx} ${y + sign * i * dy}`);
        if (next === undefined || cells[next] !== cells[from]) return list;
        list.push(next);
      }
    };
    const row = [...run(-1).reverse(), from, ...run(1)];
    if (row.length >= need) return row;
  }
  return null;
}
