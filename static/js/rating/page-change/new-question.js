// Marks the questions of a page that the previous page did not ask.
import { criteria } from "../criteria.js";
import { word } from "../messages.js";
import { read, write, tab } from "../saving/storage.js";

// Returns a sentence that names the new questions, for screen readers.
export function markNewQuestions(form) {
  const key = `questions:${new URL(form.action).pathname.replace(/\d+\/$/, "")}`;
  const language = document.documentElement.lang;
  const stored = read(tab, key);
  // In another language the same questions have other texts.
  const earlier = stored?.language === language ? stored : null;
  // Includes questions hidden by display logic: a question that the previous page hid is not new.
  const before = [...form.querySelectorAll("fieldset.criterion")].map(asked);
  write(tab, key, { language, before, known: [...new Set([...(earlier?.known ?? []), ...before])] });
  const fresh = earlier ? freshQuestions(form, earlier) : [];
  fresh.forEach((criterion) => mark(criterion, form.dataset.newQuestion));
  const names = fresh.map((criterion) => criterion.querySelector(".criterion__name").textContent.trim());
  return names.length ? word(form, "newQuestions", { names: names.join(", ") }) : "";
}

// If several questions changed, those seen before are not new: the form returns, for example after a check.
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
