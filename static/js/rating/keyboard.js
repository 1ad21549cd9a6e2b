// Keys: digits choose, up and down move between criteria, X can't rate, Enter saves, B goes back.
import { criteria, focusOn, inHand } from "./criteria.js";
import { kindOf } from "./kinds/registry.js";

export function watchKeyboard(form, signal) {
  const dialog = document.getElementById("all-keys");
  document.querySelector("[data-open-keys]")?.addEventListener("click", () => dialog?.showModal());
  document.addEventListener("keydown", (event) => {
    if (dialog?.open || event.isComposing) return;
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) return save(form, event);
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest("textarea, input[type=text]")) return leave(form, event);
    if (event.target.closest("summary, a, button, select")) return;
    const criterion = event.target.closest("fieldset.criterion");
    if (criterion && kindOf(criterion).ownsKey(event)) return;
    if (act(form, dialog, event)) event.preventDefault();
  }, { signal });
}

function act(form, dialog, event) {
  const key = event.key;
  if (key === "ArrowDown") return move(form, 1);
  if (key === "ArrowUp") return move(form, -1);
  if (key === "Enter") return save(form, event);
  if (key === "?") return open(dialog);
  if (key === "x" || key === "X") return toggleCannotRate(form);
  if (key === "b" || key === "B") return back();
  return choose(form, key);
}

export function choose(form, key) {
  const criterion = inHand(form);
  const point = criterion?.querySelector(`input[data-keyboard="${CSS.escape(key)}"]`);
  if (criterion && !point) kindOf(criterion).typeInto(criterion, key);
  if (!point) return false;
  point.focus({ preventScroll: false });
  point.checked = point.type === "radio" || !point.checked;
  point.dispatchEvent(new Event("input", { bubbles: true }));
  point.dispatchEvent(new Event("change", { bubbles: true }));
  return true;
}

function move(form, step) {
  const all = criteria(form);
  const next = all[all.indexOf(inHand(form)) + (document.activeElement?.closest("fieldset.criterion") ? step : 0)];
  if (next) focusOn(next);
  return true;
}

function save(form, event) {
  if (!event.repeat) form.requestSubmit();
  return true;
}

function open(dialog) {
  dialog?.showModal();
  return true;
}

// Out of a text field, so that the keys are the page's again.
function leave(form, event) {
  if (event.key !== "Escape") return;
  event.target.blur();
  form.querySelector("button[type=submit]")?.focus({ preventScroll: true });
}

function toggleCannotRate(form) {
  const box = form.elements.cannot_rate;
  if (!box) return false;
  box.focus({ preventScroll: true });
  box.click();
  return true;
}

function back() {
  const link = document.querySelector("[data-previous]");
  link?.click();
  return Boolean(link);
}
