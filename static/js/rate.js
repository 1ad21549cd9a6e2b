// The rating page: keyboard, rubric in the margin, and answers that survive a lost connection.
import "./rating/characters-left.js";
import { showChosen } from "./menu.js";
import { announce, joined, replacePage } from "./rating/page-change/announcer.js";
import { watchCount } from "./rating/phone/answered-count.js";
import { watchKeyboard } from "./rating/keyboard.js";
import { watchRubric } from "./rating/rubric.js";
import { keepDraft } from "./rating/saving/draft.js";
import { watchClock } from "./rating/clock.js";
import { watchAsked } from "./rating/display-logic.js";
import { watchGap } from "./rating/gap.js";
import { ignoreSecondClick } from "./rating/page-change/second-click.js";
import { watchJump } from "./rating/own-settings/jump.js";
import { watchKinds } from "./rating/kinds/registry.js";
import { markNewQuestions } from "./rating/page-change/new-question.js";
import { watchSeat } from "./rating/seat.js";
import { watchMedia } from "./rating/media/media.js";
import { watchPresence } from "./rating/page-activity.js";
import { watchStory } from "./rating/story.js";
import * as ahead from "./rating/saving/ahead.js";
import { watchLeaving } from "./rating/saving/leaving.js";
import { senderOf } from "./rating/saving/outbox.js";
import { cameBackTo } from "./rating/saving/queue.js";
import "./rating/phone/whole-notice.js";
import { read, tab, write } from "./rating/saving/storage.js";
import { watchReplaced } from "./rating/own-settings/replaced-answer.js";
import { watchSubmission } from "./rating/saving/submission.js";
import { watchSwitches } from "./rating/own-settings/switches.js";

// The script that only pages with a rare kind of question link.
const ALL_KINDS = "script[data-all-kinds]";

let page = new AbortController();

// Returns the text that screen readers announce in addition to the heading.
function start() {
  showChosen();
  watchSwitches();
  const form = document.querySelector("form.criteria");
  if (!form) return "";
  const { signal } = page;
  document.documentElement.classList.add("has-script");
  const presence = watchPresence(form, signal);
  const draft = keepDraft(form);
  watchAsked(form);
  watchKinds(form, signal);
  watchGap(form);
  const clear = () => [presence, draft].forEach((record) => record.clear());
  watchRubric(form);
  watchStory(form);
  watchMedia(form, signal);
  watchKeyboard(form, signal);
  watchCount(form);
  watchJump(form, signal);
  watchReplaced(form);
  watchSeat(form, signal);
  watchSubmission(form, { ...draft, clear }, watchClock(form), show, signal);
  return markNewQuestions(form);
}

// Replaces this page with the next one, which is the response to a saved item or was fetched ahead.
function show(html, address, prepare = () => {}) {
  const fresh = new DOMParser().parseFromString(html, "text/html");
  if (fresh.querySelector(ALL_KINDS) && !document.querySelector(ALL_KINDS)) {
    window.location.assign(address);
    return;
  }
  prepare(fresh);
  page.abort();
  page = new AbortController();
  document.title = fresh.title;
  document.documentElement.lang = fresh.documentElement.lang;
  ahead.speakIn(fresh.documentElement.lang);
  replacePage(fresh.body);
  ignoreSecondClick();
  window.history.pushState(null, "", address);
  shown = window.location.pathname;
  ahead.shown(shown);
  window.scrollTo(0, 0);
  document.querySelector("h1")?.focus();
  const saved = document.querySelector("[data-shown]")?.textContent.trim() ?? "";
  announce(joined([saved, start()]));
}

// A rater who goes back to an item stays on its page, even if its answer is sent only then.
const BACK = "came-back";
const goesBackTo = ({ pathname }) => write(tab, BACK, pathname);

let shown = window.location.pathname;
window.addEventListener("popstate", () => {
  if (window.location.pathname === shown) return;
  goesBackTo(window.location);
  window.location.reload();
});
document.addEventListener("click", ({ target }) => {
  const link = target.closest("a[data-previous]");
  if (link) goesBackTo(link);
});

ahead.tellLanguage(senderOf().rateUrl);
watchLeaving();
cameBackTo(read(tab, BACK));
write(tab, BACK, null);
start();
