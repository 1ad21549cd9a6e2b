// The criteria of the page and the current one: the focused one, otherwise the first without an answer, otherwise the
// last that had the focus.
import { kindOf } from "./kinds/registry.js";

const lastFocused = new WeakMap();

export function followFocus(form) {
  form.addEventListener("focusin", ({ target }) => {
    const criterion = target.closest("fieldset.criterion");
    if (criterion) lastFocused.set(form, criterion);
  });
}

export function criteria(form) {
  return [...form.querySelectorAll("fieldset.criterion:not([hidden])")];
}

function chosen(criterion) {
  return criterion.querySelector("input:checked");
}

export function inHand(form) {
  const all = criteria(form);
  const focused = document.activeElement?.closest?.("fieldset.criterion");
  const shown = form.querySelector("fieldset.criterion.is-shown");
  const last = all.find((criterion) => criterion === lastFocused.get(form));
  return focused ?? shown ?? all.find((criterion) => !answered(criterion)) ?? last ?? all[0];
}

export function focusOn(criterion) {
  if (kindOf(criterion).focus(criterion)) {
    // The focused element may be far above the error message.
    criterion.querySelector(".criterion__error:not([hidden])")?.scrollIntoView({ block: "nearest" });
    return;
  }
  const target = chosen(criterion) ?? criterion.querySelector("input, textarea");
  target?.focus();
}

// Focus on a point would look like a choice, so the criterion gets it; the same keys work there.
export function pointTo(criterion) {
  if (!criterion.querySelector(".scale, .options, .pair, .best-worst")) return focusOn(criterion);
  criterion.tabIndex = -1;
  criterion.focus({ preventScroll: true });
  criterion.scrollIntoView({ block: "nearest" });
}

export function missing(form) {
  if (form.elements.cannot_rate?.checked) return [];
  return criteria(form).filter((criterion) => criterion.dataset.required === "true" && !answered(criterion));
}

export function answered(criterion) {
  return kindOf(criterion).isAnswered(criterion);
}
