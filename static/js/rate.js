// The rating page: keyboard, rubric in the margin, and answers that survive a lost connection.
import { watchKeyboard } from "./rating/keyboard.js";
import { watchRubric } from "./rating/rubric.js";
import { keepDraft } from "./rating/draft.js";
import { watchClock } from "./rating/clock.js";
import { watchAsked } from "./rating/asked.js";
import { watchGap } from "./rating/gap.js";
import { watchTuples } from "./rating/tuples.js";
import { watchPresence } from "./rating/presence.js";
import { watchSubmission } from "./rating/submission.js";

const form = document.querySelector("form.criteria");

if (form) {
  document.documentElement.classList.add("has-script");
  const presence = watchPresence(form);
  const draft = keepDraft(form);
  watchTuples(form);
  watchAsked(form);
  watchGap(form);
  const clear = () => [presence, draft].forEach((kept) => kept.clear());
  watchRubric(form);
  watchKeyboard(form);
  watchSubmission(form, { ...draft, clear }, watchClock(form));
  form.elements.cannot_rate?.addEventListener("change", () => {
    form.elements.remark?.scrollIntoView({ block: "nearest" });
  });
}
