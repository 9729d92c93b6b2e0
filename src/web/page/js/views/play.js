// Play: a person against a player. On the first visit a game is already set up.
import {h, button} from '../dom.js';
import {brought, post} from '../api.js';
import {newGame} from '../stage/newgame.js';
import {menu} from '../stage/tools.js';
import {stageView} from '../stage/view.js';

function tools(stage) {
  const again = button('New game', () => newGame('play', stage.contest, (contest) => stage.enter(contest)), {key: 'n', kind: 'strong'});
  const undo = button('Undo', () => stage.act('undo', {}), {key: 'u'}), redo = button('Redo', () => stage.act('redo', {}), {key: 'r'});
  const hint = button('Hint', () => stage.takeHint(), {key: 'h'});
  const values = button('Values', async () => values.setAttribute('aria-pressed', String(await stage.toggleValues())), {key: 'v', pressed: false});
  const file = h('input', {type: 'file', class: 'unseen', tabindex: '-1', 'aria-label': 'A game or rule sheet to load',
    accept: '.pdn,.sgf,.ggf,.txt,.kif,.gdl', on: {change: () => { if (file.files[0]) stage.load(file.files[0]); file.value = ''; }}});
  const goOn = button('Go on', () => stage.act('pace', {paused: false}), {kind: 'strong', title: 'The engine waits'});
  const more = menu('More', [
    button('Swap sides', () => stage.act('swap', {}), {key: 's'}),
    button('Resign', () => stage.act('resign', {}), {key: 'x'}),
    button('Set up a position', () => stage.beginSetUp(), {key: 'e'}),
    button('Save', () => stage.save(), {key: 'd'}),
    button('Load…', () => file.click(), {key: 'o', title: 'PDN, SGF, GGF, or a rule sheet (.kif); or drop the file on the board'}),
    button('Board as text', () => stage.toggleText(), {key: 't'}),
    button('Turn the board', () => { stage.turned = !stage.turned; stage.render(); }, {key: 'f'}),
  ]);
  const row = h('div', {class: 'row tight actions'}, again, undo, redo, hint, values, goOn, more, file);
  row.keys = [
    ['n', 'New game', () => again.click()],
    ['u', 'Undo', () => undo.click()],
    ['r', 'Redo', () => redo.click()],
    ['h', 'Hint', () => hint.click()],
    ['v', 'Values of all moves', () => values.click()],
    ['s', 'Swap sides', () => stage.act('swap', {})],
    ['x', 'Resign', () => stage.act('resign', {})],
    ['e', 'Set up a position', () => stage.beginSetUp()],
    ['d', 'Save the game', () => stage.save()],
    ['o', 'Load a game or a rule sheet', () => file.click()],
  ];
  row.update = (contest) => {
    undo.disabled = contest.ply === 0 && !contest.over;
    redo.disabled = contest.ply >= contest.plies;
    hint.disabled = !stage.legal().length;
    goOn.hidden = !contest.paused || contest.over || stage.legal().length > 0;
  };
  return row;
}

export default stageView('Play', 'play', {tools, first: () => post('/api/contests', brought.first), brought: brought.contest});
