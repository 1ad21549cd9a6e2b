// A number of the rater's own, typed into one field.
import { watchNumber } from "../number-field.js";
import { register } from "./registry.js";

const fieldOf = (criterion) => criterion.querySelector("[data-magnitude] input");
const isOfNumber = (key) => /^[0-9]$/.test(key);
const OWN_KEYS = new Set(["ArrowLeft", "ArrowRight", "Home", "End", "Delete", "Backspace", ".", ",", "-"]);

register("magnitude", {
  watch(form) {
    for (const number of form.querySelectorAll("[data-magnitude] input")) watchNumber(number, number.title);
  },
  isAnswered: (criterion) => fieldOf(criterion).value.trim() !== "",
  values: (criterion) => [fieldOf(criterion).value.trim()].filter(Boolean),
  focus(criterion) {
    fieldOf(criterion).focus();
    return true;
  },
  typeInto(criterion, key) {
    if (!isOfNumber(key)) return false;
    fieldOf(criterion).focus();
    fieldOf(criterion).select();
    return true;
  },
  ownsKey: ({ target, key }) => Boolean(target.closest("[data-magnitude]")) && (OWN_KEYS.has(key) || isOfNumber(key)),
});
