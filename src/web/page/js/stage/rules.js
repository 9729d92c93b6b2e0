// The rules of each game in a few sentences, with pictures: positions that are reached by a few moves on a board like the one in play.
import {h, set, button, errorLine} from '../dom.js';
import {framesOf, viewOf} from '../board/boards.js';
import {sheetOf} from '../board/skins.js';
import {gameTitle} from '../names.js';

/** say: sentences; show: [caption, moves, game if another]. */
const RULES = {
  checkers: {say: ['Black begins. Men step forward diagonally to a free dark square, one at a time.',
    'A man jumps over an opponent beside it to the free square behind, and takes it. Who can take must take, and goes on as long as there is more to take.',
    'A man that reaches the last row becomes a king, which also moves and takes backwards.', 'Who cannot move has lost.'],
  show: [['A step', '11-15'], ['White offers a man…', '11-15 22-18'], ['…and Black has to take it', '11-15 22-18 15x22']]},
  othello: {say: ['Black begins. Place a disc so that it encloses opposing discs in a straight line with another of yours: they turn over.',
    'A move must turn at least one disc. Who cannot do that passes.', 'When nobody can move, the larger number of discs wins. A corner can never be turned.'],
  show: [['The start', ''], ['d3 turns d4', 'd3'], ['White turns it back', 'd3 c3']]},
  go: {say: ['Black begins. Stones are placed on the crossings and do not move.', 'A group of stones without a free crossing beside it is captured and leaves the board.',
    'A position may not be repeated. Pass when no move gains anything; two passes end the game.', 'Stones and enclosed crossings count; White gets the komi because Black began.'],
  show: [['White has one liberty left', 'B1 A1 J9', 'go(size=9)'], ['Black captures', 'B1 A1 A2', 'go(size=9)']]},
  morris: {say: ['White begins. First the men are placed on free points, then they slide along the lines.', 'Three men in a line are a mill: take a man of the other side, not out of a mill if another is there.',
    'With fewer than three men, or without a move, you have lost.'], show: [['Men are placed in turn', '1 4 2 5'], ['A mill takes the man on 4', '1 4 2 5 3x4']]},
  tictactoe: {say: ['Mark a free cell in turn. Three in a row win; in the lose variant they lose.'], show: [['x has won', 'b2 a1 c3 b1 c1 a2 a3']]},
  fives: {say: ['Mark a free cell in turn. Five in a row, in any direction, win.'], show: [['A row grows', 'e5 e6 f5 f6 g5 g6']]},
  phutball: {say: ['Both sides use the same men and the same ball.', 'In a turn you place a man on a free point, or jump with the ball over a row of men as often as you like; men jumped over leave the board.',
    'Bring the ball to the line of your opponent, or beyond it.'], show: [['Men beside the ball', 'h11 h9'], ['It has jumped over the upper one', 'h11 h9 N']]},
  dilemma: {say: ['Both choose at the same time: cooperate or defect.', 'Two who cooperate get more than two who defect. Who defects alone gets the most, and who cooperates alone the least.',
    'The game is repeated; what counts is the sum.'], show: []},
  'gdl:connectfour': {say: ['Red begins. Drop a disc into a column: it falls to the lowest free place.', 'Four discs in a row win, along a row, a column or a diagonal. A full board without such a row is a draw.'],
    show: [['Discs fall', '(drop 4)|wait wait|(drop 4) (drop 3)|wait'], ['Red has four in a row', '(drop 4)|wait wait|(drop 4) (drop 3)|wait wait|(drop 3) (drop 2)|wait wait|(drop 2) (drop 5)|wait']]},
  'gdl:breakthrough': {say: ['White begins, and moves up the board; Black moves down. A man goes one step forwards, straight or diagonally, to a free cell.', 'Men take diagonally forwards, never straight.',
    'Who reaches the last row wins, and so does who takes the last man of the other side.'], show: [['A step', '(move 4 2 4 3)|wait'], ['Men face each other', '(move 4 2 4 3)|wait wait|(move 5 7 5 6) (move 4 3 4 4)|wait wait|(move 5 6 5 5)'],
    ['White takes diagonally', '(move 4 2 4 3)|wait wait|(move 5 7 5 6) (move 4 3 4 4)|wait wait|(move 5 6 5 5) (move 4 4 5 5)|wait']]},
  'gdl:hex5': {say: ['Red begins. Both place stones on free cells, which stay where they are.', 'Red wins by joining the left and the right side with a chain of red stones, Blue by joining top and bottom. One of both always succeeds.'],
    show: [['Stones that touch are joined', '(place 2 3)|wait wait|(place 3 2) (place 3 3)|wait'], ['Red has joined its sides', '(place 2 3)|wait wait|(place 3 2) (place 3 3)|wait wait|(place 2 4) (place 4 3)|wait wait|(place 4 4) (place 1 3)|wait wait|(place 1 5) (place 5 3)|wait']]},
  'gdl:fours': {say: ['Mark a free cell in turn; x begins. Four in a row or more win, along a row, a column or a diagonal. A full board is a draw.'], show: [['A row grows', '(mark b 2)|wait wait|(mark c 2) (mark b 3)|wait wait|(mark c 3) (mark b 4)|wait']]},
  'gdl:othello6': {like: 'othello'},
  'gdl:eightpuzzle': {say: ['Slide a tile into the free square. Put the tiles in order, the free square last, within forty moves. The quicker, the more points.'], show: [['The start', ''], ['6 has moved', '(slide 6)']]},
  'gdl:lightsout': {say: ['A press turns a lamp and its neighbours above, below and beside it, on or off. Put all of them out within twenty presses.'], show: [['All are on', ''], ['After a press in the middle', '(press 3 3)']]},
  'gdl:frogs': {say: ['Two frogs on the left hop to the right, two toads on the right hop to the left: onto the free stone beside them, or over one of the others.', 'Let them change sides.'], show: [['The start', ''], ['A frog has hopped', '(hop 2 3)']]},
};

async function picture([caption, moves, spec], session) {
  const game = spec ?? session.game.spec;
  const {frames, board} = await framesOf(game, null, moves);
  const last = frames.at(-1), view = viewOf({...session.game, spec: game, board: board ?? session.game.board}, {mini: true, label: caption});
  view.show({...last, last: moves ? {path: last.path, text: last.text} : null});
  return h('figure', {class: 'rule'}, view.element, h('figcaption', null, caption));
}

export async function showRules(session) {
  const dialog = document.getElementById('dialog'), error = errorLine(), pictures = h('div', {class: 'rule-pictures'});
  const own = RULES[session.game.spec] ?? RULES[session.game.name], rules = own?.like ? {say: RULES[own.like].say, show: [['The start', '']]} : own, sheet = sheetOf(session.game.spec);
  set(dialog, h('h2', {id: 'dialog-title'}, `${gameTitle(session.game.spec, session.game.name)}: the rules`),
    h('div', {class: 'stack tight'}, (rules?.say ?? [sheet?.[3] ?? 'This game is known by its game description only: the legal moves are those that the page offers.']).map((text) => h('p', null, text))),
    pictures, error.element, h('div', {class: 'row end'}, button('Close', () => dialog.close())));
  dialog.setAttribute('aria-labelledby', 'dialog-title');
  dialog.showModal();
  try { set(pictures, await Promise.all((rules?.show ?? []).map((one) => picture(one, session)))); } catch (problem) { error.show(problem); }
}
