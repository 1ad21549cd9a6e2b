// A slider: the number field holds the answer, and the line sets it. It has no value until the rater acts.
import { watchNumber } from "../number-field.js";
import { register } from "./registry.js";

// The up and down arrows move to another criterion, as everywhere on the page.
const OWN_KEYS = new Set(["ArrowLeft", "ArrowRight", "PageUp", "PageDown", "Home", "End", "Delete", "Backspace",
  ".", ",", "-"]);
const FROM_LOW = new Set(["ArrowRight", "PageUp", "Home"]);
const FROM_HIGH = new Set(["ArrowLeft", "PageDown", "End"]);

register("slider", {
  watch(form) {
    for (const slider of form.querySelectorAll("[data-slider]")) watch(partsOf(slider));
  },
  isAnswered: (criterion) => partsOf(criterion.querySelector("[data-slider]")).number.value !== "",
  values: (criterion) => [partsOf(criterion.querySelector("[data-slider]")).number.value].filter(Boolean),
  focus(criterion) {
    partsOf(criterion.querySelector("[data-slider]")).line.focus();
    return true;
  },
  typeInto: (criterion, key) => isOfNumber(key) && startNumber(partsOf(criterion.querySelector("[data-slider]"))),
  ownsKey: (event) => Boolean(event.target.closest("[data-slider]")) && isOwn(event.key),
});

function partsOf(slider) {
  return {
    slider,
    line: slider.querySelector("input[type=range]"),
    number: slider.querySelector("input[type=number]"),
    state: slider.querySelector(".slider__state"),
    first: slider.querySelector("input[type=hidden]"),
  };
}

const isOwn = (key) => OWN_KEYS.has(key) || isOfNumber(key);
const isOfNumber = (key) => /^[0-9.-]$/.test(key);

// The browser then types the key into the focused field.
function startNumber({ number }) {
  number.focus();
  number.select();
  return true;
}

function watch(parts) {
  const { slider, line, number } = parts;
  line.parentElement.hidden = false;
  line.addEventListener("input", () => place(parts, line.value));
  // A press exactly at the hidden mark moves nothing and sends no input event.
  line.addEventListener("pointerup", () => {
    if (number.value === "") put(parts, line.value);
    noteFirst(parts);
  });
  slider.addEventListener("focusout", ({ relatedTarget }) => {
    if (!slider.contains(relatedTarget)) noteFirst(parts);
  });
  // In the capture phase, before the form data are collected.
  slider.closest("form")?.addEventListener("submit", () => noteFirst(parts), { capture: true });
  line.addEventListener("keydown", (event) => {
    if (!event.ctrlKey && !event.metaKey && !event.altKey) act(parts, event);
  });
  number.addEventListener("input", () => show(parts));
  watchNumber(number, slider.dataset.impossible);
  // A draft is restored after this script has started.
  slider.closest("form")?.addEventListener("focusin", () => show(parts));
  show(parts);
  queueMicrotask(() => show(parts));
}

// Records the first value: after the first press or drag, or, with keys, when the focus leaves the slider.
// A page that already has an answer has no field for it.
function noteFirst({ first, number }) {
  if (first && !first.value && number.value !== "" && number.validity.valid) first.value = number.value;
}

function act(parts, event) {
  const { line, number } = parts;
  const { key } = event;
  if (isOfNumber(key)) return startNumber(parts);
  if (key === "Delete" || key === "Backspace") put(parts, "");
  else if (number.value === "" && FROM_LOW.has(key)) put(parts, line.min);
  else if (number.value === "" && FROM_HIGH.has(key)) put(parts, line.max);
  else if (key === "PageUp" || key === "PageDown") jump(parts, key === "PageUp" ? 1 : -1);
  else return;
  event.preventDefault();
}

// Moves by a tenth of the line, in whole steps.
function jump(parts, direction) {
  const { line } = parts;
  const steps = Math.max(1, Math.round((line.max - line.min) / line.step / 10));
  if (direction > 0) line.stepUp(steps);
  else line.stepDown(steps);
  put(parts, line.value);
}

function put(parts, value) {
  place(parts, value);
  parts.number.dispatchEvent(new Event("input", { bubbles: true }));
}

function place(parts, value) {
  parts.number.value = value;
  show(parts);
}

function show({ slider, line, number, state }) {
  const open = number.value === "";
  if (!open) line.value = number.value;
  slider.classList.toggle("is-open", open);
  line.setAttribute("aria-valuetext", open ? slider.dataset.unplaced : number.value);
  state.textContent = open ? slider.dataset.unplaced : "";
}
