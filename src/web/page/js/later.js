// The views that are loaded on demand, in one file. It imports app.js so that esbuild puts all that the first view needs into one chunk, main.js,
// and the rest here (cmake/embed.cmake): a request costs a browser more than a kilobyte does.
import './app.js';
export {default as start} from './views/start.js';
export {default as learn} from './views/learn.js';
export {default as arena} from './views/arena.js';
export {default as lab} from './views/lab.js';
export {default as class} from './views/class.js';
export {default as exercises} from './views/exercises.js';
export {showExplore} from './views/explore.js';
export {Ending} from './stage/ending.js';
export {showRules} from './stage/rules.js';
export {shareSeats} from './stage/share.js';
