// A view that is a stage: the contest that the address names, else the one remembered, else a first game.
import {keys} from '../keys.js';
import {recall, remember} from '../store.js';
import {Stage} from './stage.js';

/** name: of the view, in addresses; tools(stage): its row of buttons with their keys; first(): makes a contest, which looks like `preview`
 * where there is one; arrange(stage): once, before anything is shown. */
export const stageView = (title, name, {tools, first, preview, arrange = () => {}}) => ({
  title,
  async show(place, [id]) {
    const stage = new Stage({tools, opened(contest) {
      remember(name, contest.id);
      history.replaceState(null, '', `#/${name}/${contest.id}`);
    }});
    arrange(stage);
    place.append(stage.element);
    const off = keys(title, stage.toolRow.keys);
    const wanted = id ?? recall(name);
    // Nobody waits for the server to see a first board.
    const begin = async () => { if (preview) stage.enter(preview, first); else stage.enter(await first()); };
    try {
      if (wanted) await stage.open(wanted);
      else await begin();
    } catch (problem) {
      if (problem.status === 404 && !id) await begin(); // what was remembered is gone
      else if (problem.status === 404) stage.gone();
      else stage.error.show(problem);
    }
    return {close() { off(); stage.close(); }, refresh: async () => {
      if (stage.contest) return;
      try { stage.enter(await first()); } catch { /* the notice says it */ }
    }};
  },
});
