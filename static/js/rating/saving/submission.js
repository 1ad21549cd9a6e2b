// Saves the page once per press, stores the answer on the device until the server has it, and shows the next page at
// once if it was fetched ahead.
import { tooLongField } from "../characters-left.js";
import { missing, pointTo } from "../criteria.js";
import { clearCured, showRefused } from "../errors.js";
import * as ahead from "./ahead.js";
import { announce } from "./delivery.js";
import * as outbox from "./outbox.js";
import * as queue from "./queue.js";
import { refused, say, sayings } from "./save-status.js";
import { showCriterion } from "../story.js";
import { watchUndo, withdrawUndo } from "./undo.js";

// Time in which the second press of a double click, or a key held down, does not submit the next page.
const SECOND_PRESS = 500;
let pressed = -SECOND_PRESS;

export function watchSubmission(form, draft, clock, show, signal) {
  const sender = outbox.senderOf();
  const own = sayings();
  const since = performance.now();
  const fill = () => ahead.fill(form, sender.token, signal);
  queue.show({ form, sender, show, showFetched, fill, saved: draft.clear, keepChanged: draft.keepChanged, refused: giveBack });

  // The page shows errors at the questions; the browser would show its own, in its own language.
  form.noValidate = true;
  form.addEventListener("input", () => clearCured(form));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (queue.isSending() && outbox.waiting(sender).some(queue.isOwn)) return;
    if (missing(form).length && performance.now() - pressed < SECOND_PRESS) return;
    const isOpen = markMissing(form);
    if (!form.checkValidity() || isOpen) return;
    const long = tooLongField(form);
    if (long) return long.focus();
    document.getElementById("errors")?.remove();
    save([...new FormData(form), ["shown_seconds", ((performance.now() - since) / 1000).toFixed(1)]]);
  });

  function save(fields) {
    pressed = performance.now();
    withdrawUndo();
    queue.noteSaved(form.action, own);
    queue.speak(form.action, "saving");
    const isStored = outbox.put(sender, form.action, fields);
    const next = isStored ? ahead.next() : null;
    if (next) showFetched(next);
    queue.send(isStored ? null : { action: form.action, fields });
  }

  // Shows a page that was fetched ahead; it states that this one is being saved.
  function showFetched({ html, address, fetched }) {
    const done = document.querySelector("progress.thread")?.value ?? 0;
    show(html, address, (page) => ahead.upToDate(page, fetched, done + 1));
    queue.speak(form.action, "saving");
  }

  function giveBack(html, status) {
    if (status === 422) return replace(html, clock);
    draft.clear();
    refused(html);
  }

  window.addEventListener("online", () => queue.send(), { signal });
  window.addEventListener("storage", ({ key, newValue }) => {
    if (!outbox.isOf(sender, key) || !newValue?.includes("savedAt")) return;
    // Another tab has saved an answer: the pages fetched here may be answered there.
    ahead.forget();
    fill();
  }, { signal });
  ahead.watchLanguage(sender.rateUrl, signal, fill);
  watchUndo(show, signal);
  announce();
  queue.send();
  if (!ahead.addresses().length) fill();
}

function markMissing(form) {
  const open = missing(form);
  for (const criterion of form.querySelectorAll("fieldset.criterion")) {
    criterion.querySelector(".criterion__error").hidden = !open.includes(criterion);
  }
  if (open.length) pointTo(open[0]);
  return open.length > 0;
}

function replace(html, clock) {
  const page = new DOMParser().parseFromString(html, "text/html");
  const fresh = page.getElementById("tell");
  document.getElementById("tell")?.replaceWith(fresh);
  showRefused(document, page);
  showCriterion(document.querySelector('fieldset.criterion[aria-invalid="true"]'));
  const seen = page.querySelector("[name=seen_revision]");
  if (seen) document.querySelector("[name=seen_revision]").value = seen.value;
  clock.start();
  // If another answer is already stored, a second Enter retains it.
  (fresh?.querySelector("[data-keep]") ?? fresh?.querySelector("[role=alert]"))?.focus();
  say("unsaved");
}
