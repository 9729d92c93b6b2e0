// A link for each side: who opens one owns that seat, and nobody moves for another.
import {h, set, button, capital, errorLine} from '../dom.js';
import {post, sessionPath} from '../api.js';
import {own} from '../owner.js';

const linkOf = (id, key, name) => `${location.href.split('#')[0]}#/play/${id}/${key}/${encodeURIComponent(name)}`;

export async function shareSeats(stage) {
  const dialog = document.getElementById('dialog'), error = errorLine(), place = h('div', {class: 'stack'});
  const {session} = stage;
  const make = button('Make the links', async () => {
    try {
      const {seats} = await post(sessionPath(session.id, '/share'));
      set(place, h('p', null, 'Each link is for one side. Who opens it owns that seat; keep one, and give the other away.'),
        Object.entries(seats).map(([name, key]) => {
          const field = h('input', {type: 'text', readonly: true, value: linkOf(session.id, key, name), 'aria-label': `Link for ${name}`, on: {focus: () => field.select()}});
          return h('div', {class: 'field'}, h('p', null, capital(name)), h('div', {class: 'row'}, field,
            button('Take this side', () => { own(session.id, key, name); dialog.close(); stage.refresh(); })));
        }));
      stage.refresh();
    } catch (problem) { error.show(problem); }
  }, {kind: 'strong'});
  set(place, h('p', null, 'Two people on two machines: a link for each side. After this, only their owners move.'), make);
  set(dialog, h('div', {class: 'stack'}, h('h2', null, 'Share the seats'), place, error.element, h('div', {class: 'row'}, button('Close', () => dialog.close()))));
  dialog.setAttribute('aria-label', 'Share the seats');
  dialog.showModal();
}
