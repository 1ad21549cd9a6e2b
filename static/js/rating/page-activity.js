// Measures how long the page is visible, how often and for how long the rater leaves it, and how often they paste.
import { read, write, tab } from "./saving/storage.js";

const TEXTS = "textarea, input[type=text]";

export function watchPresence(form, signal) {
  const key = `presence:${form.action}`;
  const seen = read(tab, key) ?? { active: 0, away: 0, timesAway: 0, pastes: 0 };
  let inFront = document.visibilityState === "visible";
  let since = performance.now();
  let done = false;

  function note() {
    const now = performance.now();
    seen[inFront ? "active" : "away"] += (now - since) / 1000;
    since = now;
  }

  function keep() {
    note();
    if (!done) write(tab, key, seen);
  }

  // Unloading also hides the page, but does not count as leaving it.
  let unloading = false;
  window.addEventListener("pagehide", () => {
    keep();
    unloading = true;
  }, { signal });
  window.addEventListener("pageshow", ({ persisted }) => {
    if (!persisted) return;
    unloading = false;
    since = performance.now();
  }, { signal });
  document.addEventListener("visibilitychange", () => {
    if (unloading) return;
    keep();
    inFront = document.visibilityState === "visible";
    if (!inFront) seen.timesAway += 1;
  }, { signal });
  form.addEventListener("paste", (event) => {
    if (event.target.closest(TEXTS)) seen.pastes += 1;
  });
  form.addEventListener("formdata", ({ formData }) => {
    note();
    formData.set("active_seconds", seen.active.toFixed(1));
    formData.set("away_seconds", seen.away.toFixed(1));
    formData.set("times_away", String(seen.timesAway));
    formData.set("pastes", String(seen.pastes));
  });
  return {
    clear() {
      done = true;
      write(tab, key, null);
    },
  };
}
