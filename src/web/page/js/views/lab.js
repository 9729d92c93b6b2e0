// Lab: what the papers published beside what is measured here. Verdicts first, and what differs before what agrees.
import {h, set, button, capital, errorLine, fixed} from '../dom.js';
import {get, post} from '../api.js';
import * as live from '../live.js';
import {keys} from '../keys.js';
import {processOf, Progress} from './runs.js';
import {cellsTable, chip, figure, foldedTable, isRunning, labPath, measureButton, ORDER, sourceText} from './labparts.js';
import {showPaper, showPapers} from './papers.js';

const countsOf = (item) => ORDER.map((verdict) => [verdict, item.verdicts?.[verdict] ?? 0]);

function chips(item) {
  if (!item.verdicts) return h('p', {class: 'note'}, 'Not measured yet.');
  return h('p', {class: 'row tight'}, countsOf(item).filter(([, number]) => number).map(([verdict, number]) => chip(verdict, number)));
}

const stopLab = (name) => post(labPath(name, '/stop'));
const resumeLab = (item) => post(labPath(item.name, '/run'), {scale: item.run?.about?.scale ?? 'quick'});

/** News of a measurement: of this experiment, or of all of them. */
const concerns = (process, name) => process.about?.experiment === name || process.about?.experiment === '*';

/** Shows the process that measures an experiment, as long as it has something to say of it: one that measures all of them speaks of one at a time. */
function showProcess(progress, item) {
  const {run} = item, all = run?.about?.experiment === '*';
  progress.element.hidden = !run || run.state === 'done' || all && run.progress?.label !== item.name;
  if (run) progress.show({...processOf(run), unit: ''});
}

/** Cells that have come while it is being measured. */
function arriving(item) {
  const {so_far: sofar} = item.run ?? {};
  if (!isRunning(item) || sofar?.experiment !== item.name) return null;
  return h('p', {class: 'row tight'}, h('span', {class: 'note'}, 'So far:'),
    ORDER.filter((verdict) => sofar.verdicts[verdict]).map((verdict) => chip(verdict, sofar.verdicts[verdict])));
}

/* ---- all experiments ---- */

async function showList(place) {
  const rows = h('div', {class: 'run-list'}), error = errorLine(), total = h('p', {class: 'row tight'});
  let list = [], whole = null;
  const measureAll = async () => {
    try {
      whole = await post('/api/lab', {scale: 'quick'});
      error.clear();
      draw();
    } catch (problem) { error.show(problem); }
  };
  const all = button('Measure all (quick)', measureAll, {key: 'm', kind: 'strong'});
  const progress = new Progress({stop: () => post('/api/lab/stop'), resume: measureAll});
  const parts = new Map();
  function draw() {
    const worst = (item) => item.verdicts ? -(item.verdicts.differs ?? 0) : 1;
    const sum = {};
    for (const item of list) for (const [verdict, number] of countsOf(item)) sum[verdict] = (sum[verdict] ?? 0) + number;
    set(total, ORDER.filter((verdict) => sum[verdict]).map((verdict) => chip(verdict, sum[verdict])));
    all.disabled = isRunning({run: whole});
    progress.element.hidden = !whole || whole.state === 'done';
    if (whole) progress.show({...processOf(whole), unit: ''});
    set(rows, [...list].sort((a, b) => worst(a) - worst(b)).map((item) => {
      if (!parts.has(item.name)) parts.set(item.name, {error: errorLine(), progress: new Progress({stop: () => stopLab(item.name), resume: () => resumeLab(item)})});
      const {error: own, progress: mine} = parts.get(item.name);
      showProcess(mine, item);
      if (item.run?.about?.experiment === '*') mine.element.hidden = true; // said above, once for all
      return h('article', {class: 'run'}, h('h2', null, h('a', {href: `#/lab/${encodeURIComponent(item.name)}`, title: item.name}, capital(item.summary))), chips(item), arriving(item), mine.element, measureButton(item, own), own.element);
    }));
  }
  async function refresh() {
    try {
      const answer = await get('/api/lab');
      list = answer.experiments;
      whole = answer.run;
      error.clear();
      draw();
      if (!list.length) set(rows, h('p', {class: 'lead'}, 'There is no experiment in this build.'));
    } catch (problem) { error.show(problem); }
  }
  place.append(h('div', {class: 'page'}, h('p', null, h('a', {href: '#/lab'}, '← All papers')), h('h1', null, 'Experiments'),
    h('p', {class: 'lead'}, 'Published tables and figures, measured again here.'), total, h('div', {class: 'row'}, all), progress.element, error.element, rows));
  await refresh();
  const offs = [live.on('lab', (process) => {
    list = list.map((item) => concerns(process, item.name) ? {...item, run: process} : item);
    if (process.about?.experiment === '*') whole = process;
    if (process.state === 'running') draw();
    else refresh();
  }), live.on('open', refresh), keys('Lab', [['m', 'Measure all experiments', () => { if (!all.disabled) all.click(); }]])];
  live.listen({lab: true});
  return {close() { offs.forEach((off) => off()); }};
}

/* ---- one experiment ---- */

async function showExperiment(place, name) {
  const error = errorLine(), head = h('div', {class: 'stack tight'}), body = h('div', {class: 'stack'});
  let item = {name}, figures = [], seen = 0;
  const progress = new Progress({stop: () => stopLab(name), resume: () => resumeLab(item)});
  place.append(h('div', {class: 'page'}, h('p', null, h('a', {href: '#/lab/experiments'}, '← All experiments')), h('h1', null, 'An experiment'), head, progress.element, error.element, body));
  function drawHead() {
    const paper = item.result?.paper;
    if (item.summary) place.querySelector('h1').textContent = capital(item.summary);
    set(head, paper?.cite ? h('p', {class: 'note'}, `${paper.cite}: ${paper.title}`) : null,
      chips(item), arriving(item), measureButton(item, error));
    showProcess(progress, item);
  }
  function drawBody() {
    const {result, so_far: arrived} = item;
    for (const one of figures) one.close?.();
    figures = (result?.figures ?? []).map(figure);
    const tables = result?.tables ?? [];
    set(body, arrived ? h('section', {class: 'arriving', 'aria-label': 'New results'}, h('h2', null, 'New results'), arrived.tables.filter((one) => one.cells.length).map((one) => cellsTable(one))) : null,
      arrived && !tables.length ? null : tables.length ? tables.map((one) => tables.length > 1 ? foldedTable(one) : cellsTable(one)) : h('p', null, 'There are no results yet. Press Measure to start.'),
      figures.map((one) => one.element ?? one),
      result?.readings?.length ? h('details', null, h('summary', null, `How we interpret the paper (${result.readings.length})`),
        h('dl', {class: 'readings'}, result.readings.map((reading) => [h('dt', null, reading.open),
          h('dd', null, reading.chosen, reading.others ? h('p', {class: 'note'}, `Alternatives: ${reading.others}`) : null)]))) : null,
      result?.record ? h('p', {class: 'note'}, `${capital(sourceText(result))}, ${result.record.started?.slice(0, 10) ?? ''}, in ${fixed(result.record.seconds, 0)} s by version ${result.record.version}.`) : null);
  }
  async function refresh() {
    try {
      item = await get(labPath(name));
      error.clear();
      drawHead();
      drawBody();
    } catch (problem) { error.show(problem); }
  }
  await refresh();
  const offs = [live.on('lab', (process) => {
    if (!concerns(process, name)) return;
    item = {...item, run: process};
    drawHead();
    // Cells come one by one: they are asked for when there are more of them.
    const cells = process.so_far?.experiment === name ? Object.values(process.so_far.verdicts).reduce((sum, number) => sum + number, 0) : 0;
    if (process.state !== 'running' || cells !== seen) refresh();
    seen = cells;
  }), live.on('open', refresh), keys('Lab', [['Backspace', 'All experiments', () => { location.hash = '#/lab/experiments'; }]])];
  live.listen({lab: true});
  return {close() { offs.forEach((off) => off()); figures.forEach((one) => one.close?.()); }};
}

export default {
  title: 'Lab',
  async show(place, [name, system]) {
    if (name === 'explore') return (await import('../later.js')).showExplore(place);
    if (name === 'experiments') return showList(place);
    if (name === 'paper') return showPaper(place, system);
    return name ? showExperiment(place, name) : showPapers(place);
  },
};
