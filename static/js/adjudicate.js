// The page of a case: A to J copy a response, digits choose, arrows mark a criterion; commands have the letters from K on.
import { isComposing } from "./rating/composition.js";
import { criteria, inHand } from "./rating/criteria.js";
import { watchAsked } from "./rating/display-logic.js";
import { isTyping, pointOf, watchKeyboard } from "./rating/keyboard.js";
import { watchKinds } from "./rating/kinds/registry.js";
import { isOn, watchSwitches } from "./rating/own-settings/switches.js";
import { watchRubric } from "./rating/rubric.js";

const form = document.getElementById("decide");
const copies = form ? JSON.parse(form.dataset.copies) : [];
const { signal } = new AbortController();

watchSwitches();
// Before the keys of the rating page: B copies a response here.
document.addEventListener("keydown", pressed, { capture: true });
if (form?.elements.note) {
  document.documentElement.classList.add("has-script");
  watchAsked(form);
  watchKinds(form, signal);
  watchKeyboard(form, signal);
  watchRubric(form);
  form.addEventListener("click", copyInPlace);
  form.addEventListener("change", sayChanged);
  for (const type of ["focusin", "change"]) form.addEventListener(type, markCriterion);
  markCriterion();
}

function pressed(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || isComposing(event) || !isOn("keys")) return;
  if (isTyping(event) || event.target.closest("[role=textbox], .menu[open]")) return;
  const key = event.key.toLowerCase();
  const target = /^[a-z]$/.test(key) && document.querySelector(`[data-press="${key}"]`);
  if (!target || isOfQuestion(target, key)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  if (target.matches("textarea")) target.focus();
  else target.click();
}

// A letter that answers the current question, such as N for No, is not a command; letters that copy a response always are.
function isOfQuestion(target, key) {
  if (target.name === "copy" || !form?.elements.note || form.elements.cannot_rate?.checked) return false;
  const criterion = criteria(form).length ? inHand(form) : null;
  return Boolean(criterion && pointOf(criterion, key));
}

// Copies that the page cannot fill in itself, such as marks in a text, are requested from the server.
function copyInPlace(event) {
  const button = event.target.closest("button[name=copy]");
  const copy = button && copies.find((one) => String(one?.response) === button.value);
  if (!copy) return;
  event.preventDefault();
  for (const criterion of form.querySelectorAll("fieldset.criterion")) fill(criterion, copy.answers[criterion.dataset.key] ?? []);
  form.elements.cannot_rate.checked = copy.cannot_rate;
  form.elements.from.value = copy.response;
  for (const one of form.querySelectorAll(".copied")) say(one, one.dataset.copied, copy.letter);
  markCriterion();
}

function fill(criterion, values) {
  for (const field of criterion.querySelectorAll("[name^=answer-]")) {
    if (/^(radio|checkbox)$/.test(field.type)) field.checked = own(field, values).includes(field.value);
    else field.value = own(field, values)[0] ?? "";
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
  criterion.dispatchEvent(new CustomEvent("change", { bubbles: true, detail: "copied" }));
}

// The field of one part, named `answer-KEY:PART`, gets VALUE from `PART:VALUE`.
function own(field, values) {
  const part = field.name.split(":").slice(1).join(":");
  return part ? values.filter((one) => one.startsWith(`${part}:`)).map((one) => one.slice(part.length + 1)) : values;
}

function sayChanged(event) {
  if (event.detail === "copied" || !event.target.name?.startsWith("answer-")) return;
  for (const one of form.querySelectorAll(".copied")) {
    if (one.dataset.letter) say(one, one.dataset.changed, one.dataset.letter);
  }
}

function say(line, words, letter) {
  line.dataset.letter = letter;
  line.textContent = words.replace("{letter}", letter);
  for (const cell of form.querySelectorAll("[data-letter]:not(.copied)")) cell.classList.toggle("is-begun", cell.dataset.letter === letter);
}

function markCriterion() {
  const now = criteria(form).length ? inHand(form)?.closest("tr") : null;
  for (const row of form.querySelectorAll(".case-table tr")) row.classList.toggle("is-now", row === now);
}
