// A question answered by typing a number into one field.
import { watchNumber } from "../number-field.js";
import { register } from "./registry.js";

const fieldOf = (criterion) => criterion.querySelector("[data-typed] input");
const isOfNumber = (key) => /^[0-9]$/.test(key);
const OWN_KEYS = new Set(["ArrowLeft", "ArrowRight", "Home", "End", "Delete", "Backspace", ".", ",", "-"]);

register("typed-number", {
  watch(form) {
    for (const number of form.querySelectorAll("[data-typed] input")) watchNumber(number, number.title);
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
  ownsKey: ({ target, key }) => Boolean(target.closest("[data-typed]")) && (OWN_KEYS.has(key) || isOfNumber(key)),
});
