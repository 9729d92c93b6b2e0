// The lab as a journal: an index of the papers, and a page for each with its claims and verdicts first.
import {h, capital, count, duration, errorLine, renew, set} from '../dom.js';
import {get} from '../api.js';
import * as live from '../live.js';
import {forProgrammers, plural} from '../names.js';
import {keys} from '../keys.js';
import {chip, foldedTable, paperFigure, measureButton, plainReason, published, measured, sourceText} from './labparts.js';

const LOOKS = {reproduced: ['agrees', '='], 'partly reproduced': ['partly', '≈'], 'not reproduced': ['differs', '≠']};
const ORDER = ['not reproduced', 'partly reproduced', 'reproduced', 'undecided', 'not tested at this scale'];

/** A verdict on a claim is a word, a shape and a colour. */
function claimChip(verdict, number) {
  const [look, sign] = LOOKS[verdict] ?? ['not-comparable', '?'];
  return h('span', {class: `chip ${look}`}, h('span', {'aria-hidden': 'true'}, sign), ` ${number ? `${number} ` : ''}${verdict}`);
}

function claimCounts(paper) {
  const number = (verdict) => paper.claims.filter((claim) => claim.verdict === verdict).length;
  return h('p', {class: 'row tight'}, ORDER.filter(number).map((verdict) => claimChip(verdict, number(verdict))));
}

/** The same in a line: "Of 5 claims, 1 is reproduced, 2 partly; 2 are open." */
export function claimWords({claims}) {
  const number = (verdict) => claims.filter((claim) => claim.verdict === verdict).length, be = (count) => count === 1 ? 'is' : 'are';
  const [not, partly, whole] = ORDER.map(number), open = claims.length - not - partly - whole;
  const told = [[whole, 'reproduced'], [partly, 'partly reproduced'], [not, 'not reproduced']].filter(([count]) => count).map(([count, words]) => `${count} ${be(count)} ${words}`);
  return `Of ${plural(claims.length, 'claim')}, ${[...told, open ? `${open} ${be(open)} open` : null].filter(Boolean).join(', ')}.`;
}

/** What a claim's verdict rests on. */
function evidence(claim) {
  if (claim.value) return `published ${published(claim.value, claim.decimals ?? 2)}, measured ${measured(claim.value, claim.decimals ?? 2)}`;
  if (!claim.measured) return claim.command ? 'Not measured yet: it needs a larger scale.' : 'Not measured yet.';
  if (!claim.agree && !claim.differ) return `${count(claim.measured)} of ${count(claim.values)} values measured, none decided${claim.why ? `: ${plainReason(claim.why)}` : ''}`;
  // The larger part first.
  const parts = [[claim.agree, 'agrees', 'agree'], [claim.differ, 'differs', 'differ']];
  if (claim.differ > claim.agree) parts.reverse();
  const [[most, one, many]] = parts, values = claim.values, differing = claim.example?.cell;
  const example = differing ? `; for example ${differing.row}, ${differing.column}: published ${published(differing, claim.example.decimals)}, measured ${measured(differing, claim.example.decimals)}` : '';
  if (most === values) return `${values === 1 ? `The value ${one}` : `${values === 2 ? 'Both' : `All ${count(values)}`} values ${many}`}${example}.`;
  return [`${count(most)} of ${plural(values, 'value')} ${most === 1 ? one : many}`,
    ...[parts[1], [claim.open, 'is open', 'are open']].filter(([number]) => number).map(([number, is, are]) => `${count(number)} ${number === 1 ? is : are}`)].join(', ') + example;
}

/** The one value that stands for the paper, published and measured. */
function headline(one) {
  if (!one?.cell) return null;
  return h('p', {class: 'note headline'}, `${capital(one.text)}: published ${published(one.cell, one.decimals)}, measured ${measured(one.cell, one.decimals)}. `,
    one.cell.verdict === 'not comparable' ? 'Too few to decide.' : chip(one.cell.verdict));
}

/** What surprises: the claims that are not reproduced, in the paper's words. */
function surprises(paper) {
  const texts = paper.claims.filter((claim) => claim.verdict === 'not reproduced').map((claim) => claim.text);
  return texts.length ? h('p', {class: 'note'}, `Not reproduced: ${texts.join(' ')}`) : null;
}

export async function showPapers(place) {
  const list = h('div', {class: 'papers'}), error = errorLine();
  async function refresh() {
    try {
      const {papers} = await get('/api/papers');
      error.clear();
      renew(list, papers, () => papers.map((paper) => h('article', {class: 'paper'},
        h('h2', null, h('a', {href: `#/lab/paper/${paper.system}`}, paper.name), ' ', h('span', {class: 'note'}, paper.cite)),
        h('p', null, paper.question), surprises(paper), headline(paper.headline), claimCounts(paper))));
    } catch (problem) { error.show(problem); }
  }
  place.append(h('div', {class: 'page'}, h('h1', null, 'Lab'),
    h('p', {class: 'lead'}, 'Seven papers, measured again: what they claim, and what we found.'), error.element, list,
    h('p', {class: 'row'}, h('a', {href: '#/lab/experiments'}, 'All experiments'), h('a', {href: '#/lab/explore'}, 'Explore where satisficing agents end'))));
  await refresh();
  const offs = [live.on('lab', (process) => { if (process.state !== 'running') refresh(); }), live.on('open', refresh)];
  live.listen({lab: true});
  return {close() { offs.forEach((off) => off()); }};
}

export function claimsList(paper) {
  return h('ul', {class: 'claims'}, paper.claims.map((claim) => h('li', null, claimChip(claim.verdict),
    h('p', null, claim.text, h('br'), h('span', {class: 'note'}, evidence(claim))))));
}

const MANY = 3; // tables that are shown as they are

/** Experiments of a paper with a button that measures each (again). */
function experiments(paper, error) {
  const rows = [...paper.runs.map((run) => ({...run, name: run.experiment, verdicts: {}})), ...paper.missing.map((one) => ({...one, name: one.experiment}))];
  return h('section', null, h('h2', null, 'How it was measured, and again'), error.element, h('ul', {class: 'plain'}, rows.map((one) => h('li', {class: 'row'},
    h('a', {href: `#/lab/${encodeURIComponent(one.name)}`}, capital(one.summary)),
    h('span', {class: 'note'}, one.scale ? `${sourceText(one)}, ${duration(one.seconds)} on ${one.processor?.replace(/\(R\)|\(TM\)/g, '') ?? 'a machine of ours'}, ${one.started?.slice(0, 10) ?? ''}` : 'not measured yet'),
    measureButton(one, error)))),
  paper.runs.length ? forProgrammers(...paper.runs.map((run) => [capital(run.summary), run.command])) : null);
}

export async function showPaper(place, system) {
  const error = errorLine(), body = h('div', {class: 'stack'});
  let figures = [], shown = null;
  const draw = (one) => {
    const made = paperFigure(one, system);
    figures.push(made);
    return made.element ?? made;
  };
  /** A figure is drawn when its details are opened: maps are large. */
  const folded = (one) => {
    const details = h('details', null, h('summary', null, one.title));
    details.addEventListener('toggle', () => { if (details.open && details.children.length === 1) details.append(draw(one)); });
    return details;
  };
  async function refresh() {
    try {
      const paper = await get(`/api/papers/${encodeURIComponent(system)}`);
      error.clear();
      // What is the same stays as it is, with whatever the reader has opened.
      if (JSON.stringify(paper) === shown) return;
      shown = JSON.stringify(paper);
      figures.forEach((one) => one.close?.());
      figures = [];
      set(body, h('h1', null, paper.name), h('p', {class: 'note'}, `${paper.author}: ${paper.title}, ${paper.where}, ${paper.year}.`),
        h('p', {class: 'lead'}, `${paper.says} ${paper.found} ${paper.sure}`),
        h('section', null, h('h2', null, 'Claims'), claimsList(paper)),
        paper.figure ? draw(paper.figure) : null,
        paper.tables.map((one) => foldedTable(one, true, paper.tables.length > MANY)), paper.figures.map(folded),
        paper.interpretations.length ? h('details', null, h('summary', null, `How we interpret the paper (${paper.interpretations.length})`),
          h('dl', {class: 'readings'}, paper.interpretations.map((one) => [h('dt', null, one.open), h('dd', null, one.chosen,
            one.others ? h('p', {class: 'note'}, `Alternatives: ${one.others}`) : null)])), paper.variants.map((one) => foldedTable(one))) : null,
        paper.extensions.length ? h('section', null, h('h2', null, 'Beyond the paper'), paper.extensions.map((one) => h('details', null,
          h('summary', null, capital(one.summary)), one.figures.map(folded), one.tables.map((own) => foldedTable(own, false))))) : null,
        experiments(paper, error));
    } catch (problem) { error.show(problem); set(body, error.element); shown = null; }
  }
  place.append(h('div', {class: 'page'}, h('p', null, h('a', {href: '#/lab'}, '← All papers')), body));
  await refresh();
  const offs = [live.on('lab', (process) => { if (process.state !== 'running') refresh(); }), live.on('open', refresh),
    keys('Lab', [['Backspace', 'All papers', () => { location.hash = '#/lab'; }]])];
  live.listen({lab: true});
  return {close() { offs.forEach((off) => off()); figures.forEach((one) => one.close?.()); }};
}
