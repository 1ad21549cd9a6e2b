// Next to a long text, one criterion is shown at a time; the button leads through them before it saves.
import { answered, criteria, missing, pointTo } from "./criteria.js";
import { kindOf } from "./kinds/registry.js";
import { word } from "./messages.js";

export const isStory = (form) => Boolean(form.querySelector(".steps"));

export function watchStory(form) {
  if (!isStory(form)) return;
  const update = () => draw(form);
  form.addEventListener("click", (event) => {
    const step = event.target.closest("[data-step]");
    if (step) show(form, form.querySelector(`fieldset.criterion[data-key="${CSS.escape(step.dataset.step)}"]`));
    if (event.target.closest("[data-fold]")) foldBy(form);
  });
  form.addEventListener("change", update);
  form.addEventListener("focusin", (event) => {
    const criterion = event.target.closest("fieldset.criterion");
    if (criterion && criterion !== shown(form)) show(form, criterion, false);
  });
  form.addEventListener("submit", (event) => {
    const next = nextOpen(form);
    if (!next) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    show(form, next);
  });
  show(form, criteria(form).find((one) => !answered(one)) ?? criteria(form)[0], false);
}

// Shows a criterion, for example one that the server refused.
export function showCriterion(criterion) {
  if (criterion && isStory(criterion.form)) show(criterion.form, criterion, false);
}

// Shows the previous or next criterion.
export function step(form, by) {
  const all = criteria(form);
  const next = all[all.indexOf(shown(form)) + by];
  if (next) show(form, next);
  return true;
}

function show(form, criterion, focused = true) {
  if (!criterion) return;
  for (const one of criteria(form)) one.classList.toggle("is-shown", one === criterion);
  if (document.documentElement.dataset.sheet === "shut") fold();
  if (focused) pointTo(criterion);
  draw(form);
}

const shown = (form) => form.querySelector("fieldset.criterion.is-shown");

// Returns the next open criterion after the shown one, otherwise the first before it; never the shown one itself.
function nextOpen(form) {
  const open = missing(form);
  const all = criteria(form);
  const after = open.filter((one) => all.indexOf(one) > all.indexOf(shown(form)));
  return after[0] ?? open.find((one) => one !== shown(form));
}

function draw(form) {
  for (const step of form.querySelectorAll("[data-step]")) {
    const criterion = form.querySelector(`fieldset.criterion[data-key="${CSS.escape(step.dataset.step)}"]`);
    step.hidden = criterion.hidden;
    step.querySelector("[data-chosen]").textContent = mark(criterion);
    if (criterion === shown(form)) step.setAttribute("aria-current", "step");
    else step.removeAttribute("aria-current");
  }
  sayWhere(form);
  const onward = form.querySelector("[data-onward]");
  if (!onward) return;
  const next = nextOpen(form);
  onward.textContent = next ? onward.dataset.next.replace("{name}", nameOf(next)) : onward.dataset.save;
  // It does not save yet, so the minimum time does not apply to it.
  onward.toggleAttribute("data-leads", Boolean(next));
}

const nameOf = (criterion) => criterion.querySelector(".criterion__name").textContent;

// A folded sheet shows at which criterion it opens.
function sayWhere(form) {
  const [sheet, all] = [form.querySelector(".fold"), criteria(form)];
  const values = { name: nameOf(shown(form)), n: all.indexOf(shown(form)) + 1, total: all.length };
  sheet.querySelector("[data-fold-now]").textContent = word(sheet, "now", values);
}

function mark(criterion) {
  if (!answered(criterion)) return "–";
  return kindOf(criterion).values(criterion).join(" ") || "✓";
}

// The pressed button is now hidden, so the visible one gets the focus.
function foldBy(form) {
  fold();
  [...form.querySelectorAll("[data-fold]")].find((one) => one.checkVisibility())?.focus({ preventScroll: true });
}

// On a phone the criteria are a sheet at the bottom of the window.
function fold() {
  const page = document.documentElement;
  page.dataset.sheet = page.dataset.sheet === "shut" ? "open" : "shut";
}
