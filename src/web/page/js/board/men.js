// The men of games that are known by their rules only, by what the rules call them. They differ in outline as well as in fill.
import {s} from '../dom.js';

const disc = (kind, ...more) => [s('circle', {class: `man ${kind}`, r: 36}), ...more];
const groove = (r) => s('circle', {class: 'man inner', r});
const letter = (text, size) => s('text', {'text-anchor': 'middle', dy: '0.36em', 'font-size': size}, text);
const rays = 'M0 -44v-8M0 44v8M-44 0h-8M44 0h8M-31 -31l-6 -6M31 -31l6 -6M-31 31l-6 6M31 31l6 6';

const MEN = {
  black: () => disc('dark'),
  white: () => disc('light', groove(22)),
  red: () => disc('first'),
  blue: () => disc('second', groove(24), groove(12)),
  yellow: () => disc('yellow', groove(24), groove(12)),
  x: () => [s('path', {class: 'stroke first', d: 'M-26 -26 L26 26 M26 -26 L-26 26'})],
  o: () => [s('circle', {class: 'stroke second', r: 28})],
  '*': () => disc('yellow', s('path', {class: 'rays', d: rays})), // a light that is on
};

/** What stands for a content of a cell, or for a role; null where the rules say a name that nobody has a picture of. */
export const manOf = (content) => Object.hasOwn(MEN, content.toLowerCase()) ? MEN[content.toLowerCase()]() : null;

/** Others by their place in the list of contents, with their first letter; a number is its own picture. */
const other = (content, kind) => /^\d+$/.test(content) ? letter(content, 44)
  : [disc(kind % 2 ? 'light' : 'second'), s('g', {class: kind % 2 ? null : 'on-dark'}, letter(content[0].toUpperCase(), 36))];

export const manPicture = (content, kind) => s('svg', {viewBox: '-54 -54 108 108', class: 'man-picture', role: 'img', 'aria-label': content === '*' ? 'lit' : content}, manOf(content) ?? other(content, kind));
