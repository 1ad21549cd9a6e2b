// What is chosen but not yet saved comes back after a reload.
import { makeRoom } from "../kinds/registry.js";
import { read, write, tab } from "./storage.js";

export function keepDraft(form) {
  const key = `draft:${form.action}`;
  const answered = form.dataset.refused === "true";
  const kept = form.querySelector("fieldset.bare[disabled]") ? null : read(tab, key);
  if (kept && !answered) restore(form, kept);
  form.addEventListener("input", () => write(tab, key, entries(form)));
  return {
    clear: () => write(tab, key, null),
    // Keeps other answers than those that were sent, for the page that comes.
    keepChanged: (sent) => {
      const now = entries(form);
      if (JSON.stringify(now) !== JSON.stringify(sent.filter(isAnswer))) write(tab, key, now);
    },
  };
}

// What was chosen for another item, and refused there, is shown on that item's own page.
export function carry(action, fields) {
  write(tab, `draft:${action}`, fields.filter(isAnswer));
  window.location.assign(action);
}

function entries(form) {
  return [...new FormData(form)].filter(isAnswer);
}

function isAnswer([name]) {
  return name.startsWith("answer-") || name.startsWith("first-") || name === "cannot_rate" || name === "remark";
}

function restore(form, kept) {
  makeRoom(form, kept.map(([name]) => name));
  for (const [name, value] of kept) {
    for (const field of form.querySelectorAll(`[name="${CSS.escape(name)}"]`)) {
      if (field.type === "radio" || field.type === "checkbox") field.checked ||= field.value === value;
      else field.value = value;
    }
  }
}
