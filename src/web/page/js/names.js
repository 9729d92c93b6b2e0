// Names for people: of players, learners and games. The words that programs use stay at hand as titles and under "For programmers".
import {h, capital, count} from './dom.js';
import {skinOf, sheetOf} from './board/skins.js';

/** "1 position", "12,345 positions". */
export const plural = (number, one, many = `${one}s`) => `${count(number)} ${number === 1 ? one : many}`;

/** A spec in parts: {name, values: what has no name, options: what has one}. */
export function parse(spec) {
  const [, name = spec, inside = ''] = /^\s*([\w:]+)\s*(?:\(([\s\S]*)\))?\s*$/.exec(spec) ?? [];
  const parts = [], options = {}, values = [];
  for (let i = 0, from = 0, depth = 0, quoted = false; i <= inside.length; i++) {
    const letter = inside[i];
    if (letter === '"') quoted = !quoted;
    else if (!quoted && letter === '(') depth++;
    else if (!quoted && letter === ')') depth--;
    else if ((letter === ',' && !quoted && !depth) || i === inside.length) { parts.push(inside.slice(from, i).trim()); from = i + 1; }
  }
  for (const part of parts.filter(Boolean)) {
    const [, key, value] = /^(\w+)\s*=\s*([\s\S]*)$/.exec(part) ?? [];
    if (key) options[key] = value;
    else values.push(part);
  }
  return {name, values, options};
}

/** What a search looks with: nothing to say of the usual one. */
const SIGHT = {ntuple: 'with a learned network', neural: 'with a small neural network', hand: 'with the game’s own evaluation', zero: 'without any knowledge', material: 'counting men', general: 'with general features'};
const sightOf = ({eval: sight}) => !sight ? '' : ` ${SIGHT[parse(sight).name] ?? 'with an evaluation of its own'}`;

function reach({depth, nodes, playouts, seconds}, usual) {
  if (nodes) return `${plural(Number(nodes), 'position')} a move`;
  if (playouts) return `${plural(Number(playouts), 'random game')} a move`;
  if (seconds) return `${seconds} s a move`;
  return depth ? `${plural(Number(depth), 'ply', 'plies')} ahead` : usual;
}
const withReach = (name, one, usual = '') => { const words = reach(one.options, usual); return words ? `${name}, ${words}${sightOf(one.options)}` : name + sightOf(one.options); };
const inner = (one, otherwise = '') => { const spec = one.options.inner ?? one.values.find((value) => /^[a-z]\w*(\(|$)/.test(value) && !/^(careful|learn|yes|no)$/.test(value)); return spec ? playerTitle(spec) : otherwise; };
const lower = (text) => text && text[0].toLowerCase() + text.slice(1);

const PLAYERS = {
  human: () => 'You',
  random: () => 'Random moves',
  perfect: () => 'Perfect play',
  alphabeta: (one) => withReach('Search', one),
  breadth: (one) => withReach('Breadth-first search', one),
  uct: (one) => withReach('Sampling', one),
  general: (one) => withReach('General player', one),
  tactical: (one) => withReach('Go with proved captures', one),
  hoyle: () => 'Hoyle and its Advisors',
  endgame: (one) => `${inner(one, 'Search')}, endings solved`,
  experience: (one) => `Remembers games, else ${lower(inner(one, 'a search'))}`,
  reasonable: (one) => {
    const share = one.values.map(Number).find(Number.isFinite), who = inner(one);
    return who ? `${who}, careless in ${count(100 * (share ?? 1))} % of its moves` : share === undefined ? 'Takes wins, avoids losses' : `Careless in ${count(100 * share)} % of its moves`;
  },
  pace: (one) => `${inner(one, 'Search')}, with a learned clock`,
  allocate: (one) => `${inner(one, 'Search')}, deeper where it pays`,
  thinking: (one) => `${inner(one, 'Search')}, deeper where it pays`,
  satisficing: () => 'Satisficing agent',
  TitForTat: () => 'Tit for tat', TitFor2Tats: () => 'Tit for two tats', GTFT: () => 'Generous tit for tat', ZDExtort2: () => 'Extortioner',
  Cooperator: () => 'Always cooperates', Defector: () => 'Always defects', Grudger: () => 'Never forgives',
};

/** "Search, 2 plies ahead" for alphabeta(depth=2); what was learned here has the name of its training run. */
export function playerTitle(spec, levels = []) {
  const level = levels.find((one) => one.spec === spec);
  if (level) return level.title;
  const learned = /"data:learned\/([^"]+)-[0-9a-f]{12}\.\w+"/.exec(spec)?.[1];
  if (learned) return `What ${learned} learned`;
  const one = parse(spec ?? '');
  return PLAYERS[one.name]?.(one) ?? capital(one.name.replace(/([a-z])([A-Z])/g, (_, a, b) => `${a} ${b.toLowerCase()}`));
}

/** The titles of several players; those that would be the same are told apart by letters. */
export function playerTitles(specs, levels = []) {
  const titles = specs.map((spec) => playerTitle(spec, levels)), kinds = new Map();
  return titles.map((title, i) => {
    const same = specs.filter((_, j) => titles[j] === title), kind = [...new Set(same)];
    if (kind.length < 2) return title;
    kinds.set(title, kind);
    return `${title} (${String.fromCharCode(65 + kind.indexOf(specs[i]))})`;
  });
}

const LEARNERS = {
  allocation: 'When to search deeper', pace: 'When to take more time', thinking: 'When to think longer', td: 'Weights, by temporal differences', regress: 'Weights, by regression',
  experience: 'Remembering games', trust: 'When to trust what is remembered', hoyle: 'Hoyle, by watching', sequences: 'Sequences of moves, by watching',
  openings: 'An opening book', ntuple: 'A network, by playing itself', neural: 'A neural network, by playing itself',
};
/** A learner by its name or its spec. */
export const learnerTitle = (spec) => LEARNERS[parse(spec).name] ?? capital(parse(spec).name);

const GAME_OPTIONS = {
  size: (value) => `${value}×${value}`, men: (value) => ({3: 'three men', 5: 'five men', 6: 'six men', 9: 'nine men'}[value] ?? `${value} men`),
  turns: (value) => plural(Number(value), 'round'), height: () => '', players: (value) => plural(Number(value), 'player'), line: (value) => `${value} in a row`, komi: (value) => `komi ${value}`,
};
/** The title of a game, with what is special about it: "Go 13×13". */
export function gameTitle(spec, name) {
  const sheet = sheetOf(spec)?.[1] ?? /^gdl:(\w+)$/.exec(spec ?? '')?.[1];
  if (sheet) return sheet;
  const {name: own, values, options} = parse(spec ?? ''), title = skinOf(name ?? own).title;
  if (options.file || values.some((value) => /"/.test(value))) return title;
  const words = [...values.map((value) => value === 'lose' ? 'three in a row loses' : value), ...Object.entries(options).map(([key, value]) =>
    key === 'width' ? `${value}×${options.height ?? value}` : GAME_OPTIONS[key]?.(value) ?? `${key} ${value}`)].filter(Boolean);
  const [first, ...rest] = words;
  return !first ? title : /^\d+×/.test(first) ? `${title} ${first}${rest.length ? `, ${rest.join(', ')}` : ''}` : `${title}, ${words.join(', ')}`;
}

/** A move of a game description without its brackets and without those who only wait: "move 3 7 2 6". */
export const plainMove = (text) => !/[(|]/.test(text) ? text
  : text.split('|').filter((part, _, all) => all.length < 2 || !/^(noop|wait|pass)$/.test(part.trim())).map((part) => part.trim().replace(/^\(([^()]*)\)$/, '$1')).join(' and ') || 'wait';

/** What is only for programmers, folded: labels and texts to copy. */
export const forProgrammers = (...rows) => h('details', {class: 'programmers'}, h('summary', null, 'For programmers'),
  h('dl', {class: 'leaves'}, rows.filter(([, text]) => text).map(([label, text]) => [h('dt', null, label), h('dd', null, h('code', null, text))])));
