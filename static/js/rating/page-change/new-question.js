// A study may ask one question a page: a page marks what the page before it did not ask.
import { criteria } from "../criteria.js";
import { word } from "../messages.js";
import { read, write, tab } from "../saving/storage.js";

// Returns the words of what is new here, for those who do not see the mark.
export function markNewQuestions(form) {
  const key = `asked:${new URL(form.action).pathname.replace(/\d+\/$/, "")}`;
  const before = read(tab, key);
  // With those that wait for an answer: what was hidden on the page before is not new on one that shows it.
  write(tab, key, [...form.querySelectorAll("fieldset.criterion")].map(asked));
  const fresh = before ? criteria(form).filter((criterion) => !before.includes(asked(criterion))) : [];
  fresh.forEach((criterion) => mark(criterion, form.dataset.newQuestion));
  const names = fresh.map((criterion) => criterion.querySelector(".criterion__name").textContent.trim());
  return names.length ? word(form, "newQuestions", { names: names.join(", ") }) : "";
}

const asked = (criterion) => criterion.querySelector(".criterion__head").textContent.trim();

function mark(criterion, words) {
  const shown = document.createElement("span");
  shown.className = "criterion__new";
  shown.textContent = words;
  criterion.querySelector(".criterion__head").prepend(shown, " ");
}
