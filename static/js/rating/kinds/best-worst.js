// Best–worst scaling: each option has one radio button for best and one for worst, and no option can be both.
import { inHand } from "../criteria.js";
import { word } from "../messages.js";
import { register } from "./registry.js";

const OTHER = { best: "worst", worst: "best" };
const rootOf = (criterion) => criterion.querySelector("[data-best-worst]");
const options = (root) => [...root.querySelectorAll("[data-number]")];
const radio = (option, choice) => option.querySelector(`[data-choice=${choice}]`);
const chosen = (root, choice) => options(root).find((option) => radio(option, choice).checked);

register("best-worst", {
  watch(form) {
    for (const root of form.querySelectorAll("[data-best-worst]")) watch(root, form);
  },
  isAnswered: (criterion) => Boolean(chosen(rootOf(criterion), "best") && chosen(rootOf(criterion), "worst")),
  values: (criterion) => [...criterion.querySelectorAll("[data-choice=best]:checked")].map((point) => point.value),
  act: (criterion, event) => criterion === inHand(criterion.form) && press(rootOf(criterion), event),
});

// Uses the position of the key: with Shift, digit keys produce different characters on different keyboards.
function press(root, { code, shiftKey }) {
  const [, number] = /^(?:Digit|Numpad)([1-9])$/.exec(code) ?? [];
  const option = number && options(root)[number - 1];
  if (!option) return false;
  const point = radio(option, shiftKey ? "worst" : "best");
  point.focus({ preventScroll: false });
  point.checked = true;
  point.dispatchEvent(new Event("input", { bubbles: true }));
  point.dispatchEvent(new Event("change", { bubbles: true }));
  return true;
}

function watch(root, form) {
  root.addEventListener("input", ({ target }) => {
    const choice = target.dataset.choice;
    if (choice && target.checked) radio(target.closest("[data-number]"), OTHER[choice]).checked = false;
    show(root);
  });
  show(root);
  // A draft is restored after this script has started.
  queueMicrotask(() => show(root));
  form.addEventListener("focusin", () => show(root));
}

function show(root) {
  const [best, worst] = ["best", "worst"].map((choice) => chosen(root, choice)?.dataset.number);
  const state = best && worst ? "both" : best ? "best" : worst ? "worst" : "nothing";
  const says = root.querySelector("[data-says]");
  const words = word(root, state, { best, worst });
  if (says.textContent !== words) says.textContent = words;
  sayMissing(root, state, words);
}

// If only one of the two is chosen, the error after "Save" names the missing one.
function sayMissing(root, state, words) {
  const error = root.closest("fieldset")?.querySelector(".criterion__error span");
  if (!error) return;
  error.dataset.whole ??= error.textContent;
  error.textContent = state === "best" || state === "worst" ? words : error.dataset.whole;
}
