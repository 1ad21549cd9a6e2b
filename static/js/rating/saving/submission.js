// Saving: once per press, acknowledged only by the server, kept on the device while there is no connection.
import { focusOn, missing } from "../criteria.js";
import { clearCured, showRefused } from "../errors.js";
import { announce, deliverWaiting, isSaved, MAY_PASS, note } from "./delivery.js";
import { carry } from "./draft.js";
import * as outbox from "./outbox.js";
import { say, offline, online, refused, sayWaiting } from "./save-status.js";

const RETRY = 5000;

export function watchSubmission(form, draft, clock, show, signal) {
  let sending = false;
  const sender = outbox.senderOf();

  form.addEventListener("input", () => clearCured(form));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (sending) return;
    if (markMissing(form)) return;
    sending = true;
    const fields = [...new FormData(form)];
    say("saving");
    await deliver(form.action, fields);
    sending = false;
  });

  async function deliver(action, fields) {
    let answer;
    try {
      answer = await outbox.send(action, fields, sender.token);
    } catch {
      wait(action, fields);
      return;
    }
    // A redirect follows what was stored, also where the page behind it is refused: a study that was paused.
    if (isSaved(answer)) {
      outbox.drop(sender, fields);
      draft.clear();
      await go(answer);
    } else if (answer.status === 422) {
      outbox.drop(sender, fields);
      replace(await answer.text(), clock);
    } else if (answer.status >= 500) {
      wait(action, fields);
    } else if (MAY_PASS.has(answer.status) && outbox.put(sender, action, fields)) {
      say("unsaved");
      online();
      sayWaiting(sender);
    } else {
      outbox.drop(sender, fields);
      draft.clear();
      refused(await answer.text());
    }
  }

  async function go(answer) {
    const address = answer.headers.get("Content-Location");
    if (address) show(await answer.text(), address);
    else window.location.assign(answer.url);
  }

  function wait(action, fields) {
    if (outbox.put(sender, action, fields)) offline(outbox.waiting(sender).length);
    else refused("");
    window.setTimeout(resend, RETRY);
  }

  async function resend() {
    if (sending || signal.aborted || !outbox.waiting(sender).length) return;
    sending = true;
    const outcome = await deliverWaiting(sender);
    sending = false;
    if (signal.aborted) return;
    if (outcome.unreached) {
      offline(outbox.waiting(sender).length);
      window.setTimeout(resend, RETRY);
    } else {
      online();
    }
    note(outcome);
    if (outcome.carried) carry(outcome.carried.action, outcome.carried.fields);
    else if (outcome.last) await go(outcome.last);
    else announce();
  }

  window.addEventListener("online", resend, { signal });
  announce();
  resend();
}

function markMissing(form) {
  const open = missing(form);
  for (const criterion of form.querySelectorAll("fieldset.criterion")) {
    criterion.querySelector(".criterion__error").hidden = !open.includes(criterion);
  }
  if (open.length) focusOn(open[0]);
  return open.length > 0;
}

function replace(html, clock) {
  const page = new DOMParser().parseFromString(html, "text/html");
  const fresh = page.querySelector(".notices");
  document.querySelector(".notices")?.replaceWith(fresh);
  showRefused(document, page);
  const seen = page.querySelector("[name=seen_revision]");
  if (seen) document.querySelector("[name=seen_revision]").value = seen.value;
  clock.follow(page);
  fresh?.querySelector("[role=alert]")?.focus();
  say("unsaved");
}
