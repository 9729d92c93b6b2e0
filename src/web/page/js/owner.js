// Seats with owners (docs/classroom.md): the keys that this browser holds, by session.
import {recall, remember} from './store.js';

const MOST = 200;

/** {key, name} of the seat that is ours on a board; undefined if none is. */
export const ownedOf = (id) => recall('owned', {})[id];

export function own(id, key, name) {
  const {[id]: before, ...others} = recall('owned', {});
  remember('owned', Object.fromEntries([...Object.entries(others).slice(1 - MOST), [id, {...before, key, name}]]));
}

/** The roles that this browser moves for. */
export const ownRoles = (session) => {
  const mine = ownedOf(session.id)?.name, owned = session.seats.some((seat) => seat.owner);
  return session.seats.filter((seat) => seat.kind === 'human' && (owned ? seat.owner === mine && mine !== undefined : true)).map((seat) => seat.role);
};
