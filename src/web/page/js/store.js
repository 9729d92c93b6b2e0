// What this browser remembers; the page works without it. Its last state (theme, games of Play and Watch) is sent as
// cookies, named after the port, so that the page comes back that way: reading the browser's storage would delay the first board.
import {brought} from './api.js';

const {remembered} = brought, YEAR = 31536000;

export function recall(key, otherwise = null) {
  if (key in remembered) return remembered[key] ?? otherwise;
  try {
    const text = localStorage.getItem(`knack.${key}`);
    return text === null ? otherwise : JSON.parse(text);
  } catch { return otherwise; }
}

export function remember(key, value) {
  if (key in remembered) {
    if (remembered[key] === value) return;
    remembered[key] = value;
    document.cookie = `knack-${location.port}-${key}=${value ?? ''}; path=/; samesite=lax; max-age=${value ? YEAR : 0}`;
    return;
  }
  try {
    if (value === null || value === undefined) localStorage.removeItem(`knack.${key}`);
    else localStorage.setItem(`knack.${key}`, JSON.stringify(value));
  } catch { /* a private window */ }
}
