// A study may ask one question a page: a page marks what the page before it did not ask.
import { criteria } from "../criteria.js";
import { word } from "../messages.js";
import { read, write, tab } from "../saving/storage.js";

// Returns the words of what is new here, for those who do not see the mark.
export function markNewQuestions(form) {
  const key = `questions:${new URL(form.action).pathname.replace(/\d+\/$/, "")}`;
  const language = document.documentElement.lang;
  const stored = read(tab, key);
  // Another language writes the same questions in other words.
  const earlier = stored?.language === language ? stored : null;
  // With those that wait for an answer: what was hidden on the page before is not new on one that shows it.
  const before = [...form.querySelectorAll("fieldset.criterion")].map(asked);
  write(tab, key, { language, before, known: [...new Set([...(earlier?.known ?? []), ...before])] });
  const fresh = earlier ? freshQuestions(form, earlier) : [];
  fresh.forEach((criterion) => mark(criterion, form.dataset.newQuestion));
  const names = fresh.map((criterion) => criterion.querySelector(".criterion__name").textContent.trim());
  return names.length ? word(form, "newQuestions", { names: names.join(", ") }) : "";
}

// Several known questions are a page that comes back, for example after a check with a question of its own.
function freshQuestions(form, { before, known }) {
  const changed = criteria(form).filter((criterion) => !before.includes(asked(criterion)));
  return changed.length > 1 ? changed.filter((criterion) => !known.includes(asked(criterion))) : changed;
}

const asked = (criterion) => criterion.querySelector(".criterion__head").textContent.trim();

function mark(criterion, words) {
  const shown = document.createElement("span");
  shown.className = "criterion__new";
  shown.textContent = words;
  criterion.querySelector(".criterion__head").prepend(shown, " ");
}
