// Play: a person against a player. On the first visit a game is already set up.
import {h, button} from '../dom.js';
import {brought, post} from '../api.js';
import {confirm, newGame} from '../stage/newgame.js';
import {showGames} from '../stage/mygames.js';
import {menu} from '../stage/tools.js';
import {stageView} from '../stage/view.js';

const share = async (stage) => { if (stage.session?.id) (await import('../later.js')).shareSeats(stage); };

const rules = async (session) => { if (session) (await import('../later.js')).showRules(session); };

function tools(stage) {
  const again = button('New game', () => newGame('play', stage.session, (session) => stage.enter(session)), {key: 'n', kind: 'strong'});
  const undo = button('Undo', () => stage.act('undo', {}), {key: 'u'}), redo = button('Redo', () => stage.act('redo', {}), {key: 'r'});
  const hint = button('Hint', () => stage.takeHint(), {key: 'h'});
  const values = button('Values', async () => values.setAttribute('aria-pressed', String(await stage.toggleValues())), {key: 'v', pressed: false});
  const file = h('input', {type: 'file', class: 'unseen', tabindex: '-1', 'aria-label': 'A game or game description to load',
    accept: '.pdn,.sgf,.ggf,.txt,.kif,.gdl', on: {change: () => { if (file.files[0]) stage.load(file.files[0]); file.value = ''; }}});
  const goOn = button('Go on', () => stage.act('pace', {paused: false}), {kind: 'strong', title: 'Let the engine move'});
  const resign = () => {
    if (stage.session && !stage.session.over) confirm('Resign this game?', 'Resign', () => stage.act('resign', {}));
  };
  const more = menu('More', [
    button('My games', () => showGames(), {key: 'g'}),
    button('Rules', () => rules(stage.session), {key: '.'}),
    button('Swap sides', () => stage.act('swap', {}), {key: 's'}),
    button('Resign', resign, {key: 'x'}),
    button('Set up a position', () => stage.beginSetUp(), {key: 'e'}),
    button('Save', () => stage.save(), {key: 'd'}),
    button('Load…', () => file.click(), {key: 'o', title: 'PDN, SGF, GGF, or a game description (.kif); or drop the file on the board'}),
    ...brought.worker ? [] : [button('Share the seats', () => share(stage), {title: 'A link for each side'})],
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
    ['g', 'My games', () => showGames()],
    ['.', 'Rules of this game', () => rules(stage.session)],
    ['x', 'Resign', resign],
    ['e', 'Set up a position', () => stage.beginSetUp()],
    ['d', 'Save the game', () => stage.save()],
    ['o', 'Load a game or a game description', () => file.click()],
  ];
  row.update = (session) => {
    undo.disabled = session.ply === 0 && !session.over;
    redo.disabled = session.ply >= session.plies;
    values.hidden = session.game.board?.kind === 'table'; // both choose at once: a search has no values to tell
    hint.disabled = !stage.legal().length;
    goOn.hidden = !session.paused || session.over || stage.legal().length > 0;
  };
  return row;
}

export default stageView('Play', 'play', {tools, first: () => post('/api/sessions', brought.first), brought: brought.session});
