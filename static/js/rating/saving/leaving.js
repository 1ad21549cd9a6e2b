// Without a connection a link would lead to the browser's error page; a notice explains what to do instead.
import { forgetNotNow, OFFLINE, sayNotNow } from "./save-status.js";

export function watchLeaving() {
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href]");
    if (!link || !leaves(link, event) || !isOffline()) return;
    event.preventDefault();
    tryToLeave(link.href);
  });
  window.addEventListener("online", forgetNotNow);
}

function leaves(link, event) {
  const isPlain = !event.defaultPrevented && !event.button && !event.ctrlKey && !event.metaKey && !event.shiftKey;
  const { origin, pathname } = new URL(link.href, window.location);
  return isPlain && !link.target && origin === window.location.origin && pathname !== window.location.pathname;
}

// True if the browser reports no network or an answer could not be sent.
function isOffline() {
  return !navigator.onLine || document.getElementById(OFFLINE)?.hidden === false;
}

async function tryToLeave(address) {
  try {
    await fetch(address, { method: "HEAD", credentials: "same-origin" });
  } catch {
    return sayNotNow();
  }
  window.location.assign(address);
}
