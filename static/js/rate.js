// The rating page: keyboard, rubric in the margin, and answers that survive a lost connection.
import { watchKeyboard } from "./rating/keyboard.js";
import { watchRubric } from "./rating/rubric.js";
import { keepDraft } from "./rating/draft.js";
import { watchSubmission } from "./rating/submission.js";

const form = document.querySelector("form.criteria");

if (form) {
  document.documentElement.classList.add("has-script");
  const draft = keepDraft(form);
  watchRubric(form);
  watchKeyboard(form);
  watchSubmission(form, draft);
  form.elements.cannot_rate?.addEventListener("change", () => {
    form.elements.remark?.scrollIntoView({ block: "nearest" });
  });
}
