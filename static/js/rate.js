// The rating page: keyboard, rubric in the margin, and answers that survive a lost connection.
import { watchKeyboard } from "./rating/keyboard.js";
import { watchRubric } from "./rating/rubric.js";
import { keepDraft } from "./rating/saving/draft.js";
import { watchClock } from "./rating/clock.js";
import { watchAsked } from "./rating/display-logic.js";
import { watchGap } from "./rating/gap.js";
import { watchKinds } from "./rating/kinds/registry.js";
import { watchPresence } from "./rating/page-activity.js";
import { watchSubmission } from "./rating/saving/submission.js";

let page = new AbortController();

function start() {
  const form = document.querySelector("form.criteria");
  if (!form) return;
  const { signal } = page;
  document.documentElement.classList.add("has-script");
  const presence = watchPresence(form, signal);
  const draft = keepDraft(form);
  watchAsked(form);
  watchKinds(form, signal);
  watchGap(form);
  const clear = () => [presence, draft].forEach((kept) => kept.clear());
  watchRubric(form);
  watchKeyboard(form, signal);
  watchSubmission(form, { ...draft, clear }, watchClock(form), show, signal);
  form.elements.cannot_rate?.addEventListener("change", () => {
    form.elements.remark?.scrollIntoView({ block: "nearest" });
  });
}

// The answer to a saved item is the page of the next one, put in the place of this one.
function show(html, address) {
  const fresh = new DOMParser().parseFromString(html, "text/html");
  page.abort();
  page = new AbortController();
  document.title = fresh.title;
  document.body.replaceWith(document.adoptNode(fresh.body));
  window.history.pushState(null, "", address);
  shown = window.location.pathname;
  window.scrollTo(0, 0);
  document.querySelector("h1")?.focus();
  start();
}

let shown = window.location.pathname;
window.addEventListener("popstate", () => {
  if (window.location.pathname !== shown) window.location.reload();
});

start();
