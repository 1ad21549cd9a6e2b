// For some seconds after a save, one press or the key Z leads back to that item, with its answer.
import { isComposing } from "../composition.js";
import { isTyping } from "../keyboard.js";
import { isOn } from "../own-settings/switches.js";

const SECONDS = 8;

let offered = "";
let timer = null;

export function watchUndo(show, signal) {
  if (button()) button().disabled = !offered;
  button()?.addEventListener("click", () => undo(show));
  document.addEventListener("keydown", (event) => {
    if (event.key.toLowerCase() !== "z" || event.ctrlKey || event.metaKey || event.altKey || isComposing(event)) return;
    if (!isOn("keys") || isTyping(event) || event.target.closest("dialog")) return;
    undo(show);
  }, { signal });
}

export function offerUndo(action) {
  withdrawUndo();
  if (!button()) return;
  offered = action;
  button().disabled = false;
  timer = window.setTimeout(withdrawUndo, 1000 * SECONDS);
}

export function withdrawUndo() {
  window.clearTimeout(timer);
  offered = "";
  if (button()) button().disabled = true;
}

async function undo(show) {
  const action = offered;
  if (!action) return;
  withdrawUndo();
  try {
    const answer = await fetch(`${action}?undo`, { headers: { Accept: "text/html" }, credentials: "same-origin" });
    if (answer.ok && !answer.redirected) show(await answer.text(), action);
    else window.location.assign(action);
  } catch {
    window.location.assign(action);
  }
}

const button = () => document.querySelector("[data-undo]");
