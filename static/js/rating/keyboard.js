// Shortcuts: digits choose, up and down move between criteria, X is can't rate, Enter saves, B goes back; kinds of
// questions add their own.
import { isComposing } from "./composition.js";
import { answered, criteria, focusOn, followFocus, inHand, pointTo } from "./criteria.js";
import { kindOf } from "./kinds/registry.js";
import { isStory, step } from "./story.js";
import { sayReplaced } from "./own-settings/replaced-answer.js";
import { isOn } from "./own-settings/switches.js";

// Keys that press a button or follow a link; on those elements all other keys are still shortcuts.
const PRESSES = new Set(["Enter", " "]);
const TEXT = "textarea, input[type=text]";
const NUMBER = "input[type=number]";

// Keys typed into a field are never shortcuts.
export const isTyping = ({ target }) => Boolean(target.closest(`${TEXT}, ${NUMBER}, select`));

export function watchKeyboard(form, signal) {
  followFocus(form);
  const dialog = document.getElementById("all-keys");
  const opener = document.querySelector("[data-open-keys]");
  opener?.toggleAttribute("hidden", !dialog);
  opener?.addEventListener("click", () => dialog?.showModal());
  document.addEventListener("keydown", (event) => {
    if (dialog?.open || isComposing(event)) return;
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) return save(form, event);
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest(TEXT) || isTyping(event) && (event.key.length === 1 || event.key === "Escape")) return leave(form, event);
    if (event.target.closest(".menu[open], select")) return;
    if (event.target.closest("summary, a, button") && PRESSES.has(event.key)) return;
    const criterion = event.target.closest("fieldset.criterion");
    if (criterion && kindOf(criterion).ownsKey(event)) return;
    if (event.key.length === 1 && !isOn("keys")) return;
    if (act(form, dialog, event)) event.preventDefault();
  }, { signal });
}

function act(form, dialog, event) {
  const key = event.key;
  if (isStory(form) && key.startsWith("Arrow")) return stepBy(form, key);
  if (key === "ArrowDown") return move(form, 1);
  if (key === "ArrowUp") return move(form, -1);
  if (key === "Enter") return enter(form, event) || save(form, event);
  if (key === "?") return open(dialog);
  if (key === "x" || key === "X") return toggleCannotRate(form);
  if (key === "b" || key === "B") return back();
  return choose(form, key) || asked(form).some((one) => kindOf(one).act(one, event));
}

const asked = (form) => (form.elements.cannot_rate?.checked ? [] : criteria(form));

// If an answer consists of parts, Enter adds a part, and only Ctrl+Enter saves.
const enter = (form, event) => asked(form).some((one) => kindOf(one).enter(one, event));

// A digit does not replace an answer unless the page shows that its criterion is the current one: the rater may be
// typing a comment without having focused its field.
export function choose(form, key) {
  if (form.elements.cannot_rate?.checked) return false;
  const criterion = inHand(form);
  if (!criterion || criterion.disabled) return false;
  if (pointOf(criterion, key) && answered(criterion) && !isMarked(criterion)) {
    pointTo(criterion);
    return true;
  }
  const begun = !pointOf(criterion, key) && kindOf(criterion).typeInto(criterion, key);
  const point = begun ? null : pointOf(criterion, key) ?? onlyPoint(form, criterion, key);
  if (!point) return false;
  const chosenIn = point.closest("fieldset.criterion");
  const replaces = point.type === "radio" && !point.checked && answered(chosenIn);
  point.focus({ preventScroll: false });
  point.checked = point.type === "radio" || !point.checked;
  point.dispatchEvent(new Event("input", { bubbles: true }));
  point.dispatchEvent(new Event("change", { bubbles: true }));
  kindOf(chosenIn).afterKey(chosenIn);
  if (replaces) sayReplaced(form, chosenIn);
  return true;
}

// Whether the page visibly marks this criterion as the one that keys answer; only then may a key replace an answer.
function isMarked(criterion) {
  if (criterion.matches(".is-shown")) return true;
  const { top, bottom } = criterion.getBoundingClientRect();
  const covered = criterion.form.querySelector(".rate__foot")?.offsetHeight ?? 0;
  return criterion.contains(document.activeElement) && bottom > 0 && top < window.innerHeight - covered;
}

// Also matches capital letters, for Caps Lock.
export const pointOf = (criterion, key) => criterion.querySelector(
  `input[data-keyboard="${CSS.escape(key)}"], input[data-keyboard="${CSS.escape(key.toLowerCase())}"]`,
);

// If the current criterion has no shortcuts, such as tuples, a key applies to the only criterion that shows it.
function onlyPoint(form, criterion, key) {
  if (isStory(form) || criterion.querySelector("input[data-keyboard]")) return null;
  const found = criteria(form).map((one) => pointOf(one, key)).filter(Boolean);
  return found.length === 1 ? found[0] : null;
}

function move(form, step) {
  const all = criteria(form);
  const next = all[all.indexOf(inHand(form)) + (document.activeElement?.closest("fieldset.criterion") ? step : 0)];
  if (next) focusOn(next);
  return true;
}

// Next to a long text, left and right change the criterion; up and down move among the points, by the browser.
function stepBy(form, key) {
  if (key === "ArrowLeft" || key === "ArrowRight") return step(form, key === "ArrowRight" ? 1 : -1);
  return false;
}

function save(form, event) {
  if (!event.repeat) form.requestSubmit();
  return true;
}

function open(dialog) {
  dialog?.showModal();
  return true;
}

// Escape leaves a text field, so that the shortcuts work again.
function leave(form, event) {
  if (event.key !== "Escape") return;
  event.target.blur();
  form.querySelector("button[type=submit]")?.focus({ preventScroll: true });
}

function toggleCannotRate(form) {
  const box = form.elements.cannot_rate;
  if (!box) return false;
  box.focus();
  box.click();
  return true;
}

function back() {
  const link = document.querySelector("[data-previous]");
  link?.click();
  return Boolean(link);
}
