// Beside a long text one criterion shows at a time; the page goes through them before it saves.
import { answered, criteria, missing, pointTo } from "./criteria.js";
import { kindOf } from "./kinds/registry.js";

export const isStory = (form) => Boolean(form.querySelector(".steps"));

export function watchStory(form) {
  if (!isStory(form)) return;
  const update = () => draw(form);
  form.addEventListener("click", (event) => {
    const step = event.target.closest("[data-step]");
    if (step) show(form, form.querySelector(`fieldset.criterion[data-key="${CSS.escape(step.dataset.step)}"]`));
    if (event.target.closest("[data-fold]")) fold();
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

// What the server refused is in view.
export function showCriterion(criterion) {
  if (criterion && isStory(criterion.form)) show(criterion.form, criterion, false);
}

// To the criterion before or after the one that shows.
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

// What is still to be answered, after the criterion that shows or else before it; that one alone is no way on.
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
  const onward = form.querySelector("[data-onward]");
  if (!onward) return;
  const next = nextOpen(form);
  const name = next?.querySelector(".criterion__name").textContent;
  onward.textContent = next ? onward.dataset.next.replace("{name}", name) : onward.dataset.save;
}

function mark(criterion) {
  if (!answered(criterion)) return "–";
  return kindOf(criterion).values(criterion).join(" ") || "✓";
}

// On a phone the criteria are a sheet over the end of the window.
function fold() {
  const page = document.documentElement;
  page.dataset.sheet = page.dataset.sheet === "shut" ? "open" : "shut";
}
