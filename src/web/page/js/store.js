// What this browser remembers; a browser that remembers nothing works too.
export function recall(key, otherwise = null) {
  try {
    const text = localStorage.getItem(`knack.${key}`);
    return text === null ? otherwise : JSON.parse(text);
  } catch { return otherwise; }
}

export function remember(key, value) {
  try {
    if (value === null || value === undefined) localStorage.removeItem(`knack.${key}`);
    else localStorage.setItem(`knack.${key}`, JSON.stringify(value));
  } catch { /* a private window */ }
}
