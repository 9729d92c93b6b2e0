// A view that is a stage: the session that the address names, else the one remembered, else a first game.
import {keys} from '../keys.js';
import {recall, remember} from '../store.js';
import {own} from '../owner.js';
import {keepGame} from './mygames.js';
import {Stage} from './stage.js';

/** name: of the view, in addresses; tools(stage): its row of buttons with their keys; first(): makes a session; brought: the one that came with the page,
 * or a picture of the first, shown before anything is asked for; arrange(stage): once, before anything is shown. */
export const stageView = (title, name, {tools, first, brought = null, arrange = () => {}}) => ({
  title,
  async show(place, [id, key, owner], address) {
    if (key && owner) { // a link for one side
      own(id, key, owner);
      address.move(`#/${name}/${id}`);
    }
    // A new game gets an address of its own: Back leads to the game before it.
    const stage = new Stage({tools, opened(session) {
      remember(name, session.id);
      keepGame(session.id);
      address.move(`#/${name}/${session.id}`, {push: address.names});
    }});
    arrange(stage);
    place.append(stage.element);
    const off = keys(title, stage.toolRow.keys);
    const wanted = id ?? recall(name), begin = async () => stage.enter(await first());
    const fresh = brought?.id === (wanted ?? '') ? brought : null;
    brought = null; // it ages
    try {
      if (fresh) stage.enter(fresh, wanted ? null : first);
      else if (wanted) await stage.open(wanted);
      else await begin();
    } catch (problem) {
      if (problem.status === 404 && !id) await begin(); // what was remembered is gone
      else if (problem.status === 404) stage.gone();
      else stage.error.show(problem);
    }
    return {close() { off(); stage.close(); }, refresh: async () => {
      if (stage.session) return;
      try { stage.enter(await first()); } catch { /* the notice says it */ }
    }};
  },
});
