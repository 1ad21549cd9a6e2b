// Restores unsaved answers after a reload.
import { makeRoom } from "../kinds/registry.js";
import { read, write, tab } from "./storage.js";

export function keepDraft(form) {
  const key = `draft:${form.action}`;
  const answered = form.dataset.refused === "true";
  const stored = form.querySelector("fieldset.bare[disabled]") ? null : read(tab, key);
  if (stored && !answered) restore(form, stored);
  form.addEventListener("input", () => write(tab, key, entries(form)));
  return {
    clear: () => write(tab, key, null),
    // Stores the current answers for the next page if they differ from the sent ones.
    keepChanged: (sent) => {
      const now = entries(form);
      if (JSON.stringify(now) !== JSON.stringify(sent.filter(isAnswer))) write(tab, key, now);
    },
  };
}

// Opens the page of another item with the answers that the server refused.
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

function restore(form, stored) {
  makeRoom(form, stored.map(([name]) => name));
  for (const [name, value] of stored) {
    for (const field of form.querySelectorAll(`[name="${CSS.escape(name)}"]`)) {
      if (field.type === "radio" || field.type === "checkbox") field.checked ||= field.value === value;
      else field.value = value;
    }
  }
}
