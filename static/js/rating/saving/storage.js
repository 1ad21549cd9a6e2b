// Storage may be unavailable, for example in private windows; rating works without it.
export function read(store, key) {
  try {
    return JSON.parse(store().getItem(key));
  } catch {
    return null;
  }
}

export function write(store, key, value) {
  try {
    if (value === null) store().removeItem(key);
    else store().setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

export const tab = () => window.sessionStorage;
export const device = () => window.localStorage;
