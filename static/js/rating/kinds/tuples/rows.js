// Plain rows of fields for tuples, with buttons to add and remove rows. Empty rows after the first are removed at the start.
import { isComplete, isMarked } from "./marking.js";

export function watchTuples(form) {
  for (const criterion of form.querySelectorAll("fieldset.criterion:has([data-add-row])")) {
    for (const row of rows(criterion).slice(1)) if (isEmpty(row)) row.remove();
    criterion.querySelector("[data-add-row]").hidden = false;
    criterion.addEventListener("click", (event) => act(criterion, event));
    number(criterion);
  }
}

// Adds the rows of a draft that has more rows than the page.
export function makeRoom(form, names) {
  for (const name of names) {
    const found = /^(answer-[^.]+)\.(\d+)\./.exec(name);
    const first = found && form.querySelector(`[name^="${CSS.escape(found[1])}."]`);
    if (!first || form.querySelector(`[name="${CSS.escape(name)}"]`)) continue;
    add(first.closest("fieldset"), Number(found[2]));
  }
}

export function complete(criterion) {
  if (isMarked(criterion)) return isComplete(criterion);
  const begun = rows(criterion).filter((row) => !isEmpty(row));
  return begun.length > 0 && begun.every((row) => fields(row).every((field) => field.value.trim() !== ""));
}

function act(criterion, event) {
  if (event.target.closest("[data-add-row]")) {
    const highest = Math.max(...rows(criterion).map((row) => Number(row.dataset.row)));
    fields(add(criterion, highest + 1))[0].focus();
  }
  const row = event.target.closest("[data-remove-row]")?.closest("li");
  if (row) remove(criterion, row);
}

function add(criterion, place) {
  const model = rows(criterion)[0];
  const row = model.cloneNode(true);
  row.dataset.row = String(place);
  for (const field of fields(row)) {
    field.name = field.name.replace(/\.\d+\./, `.${place}.`);
    field.value = "";
  }
  criterion.querySelector("ol").append(row);
  number(criterion);
  return row;
}

function remove(criterion, row) {
  const next = row.nextElementSibling ?? row.previousElementSibling;
  row.remove();
  number(criterion);
  fields(next)[0].focus();
  criterion.dispatchEvent(new Event("input", { bubbles: true }));
}

function number(criterion) {
  const all = rows(criterion);
  all.forEach((row, place) => {
    row.querySelector(".tuple__number").textContent = String(place + 1);
    for (const one of row.querySelectorAll("[data-number]")) one.textContent = String(place + 1);
    row.querySelector("[data-remove-row]").hidden = all.length === 1;
  });
}

const rows = (criterion) => [...criterion.querySelectorAll("li.tuple")];
const fields = (row) => [...row.querySelectorAll("input")];
const isEmpty = (row) => fields(row).every((field) => field.value.trim() === "");
