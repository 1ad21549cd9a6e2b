// A scale with radio buttons, or with a number field if it is long.
import { watchNumber } from "../number-field.js";
import { COMMON, register } from "./registry.js";

const OWN_KEYS = new Set(["ArrowLeft", "ArrowRight", "Home", "End", "Delete", "Backspace", "."]);
const isOfNumber = (key) => /^[0-9-]$/.test(key);
const numberOf = (criterion) => criterion.querySelector(".number input");

register("likert", {
  watch(form) {
    for (const number of form.querySelectorAll(".number input")) watchNumber(number);
  },
  isAnswered: (criterion) => COMMON.values(criterion).length > 0 || Boolean(numberOf(criterion)?.value),
  values: (criterion) => [numberOf(criterion)?.value, ...COMMON.values(criterion)].filter(Boolean),
  // The browser then types the key into the focused field.
  typeInto(criterion, key) {
    const number = numberOf(criterion);
    if (!number || !isOfNumber(key)) return false;
    number.focus();
    number.select();
    return true;
  },
  ownsKey: (event) => event.target.matches(".number input") && (OWN_KEYS.has(event.key) || isOfNumber(event.key)),
});
