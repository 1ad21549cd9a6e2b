// Saving: once per press, acknowledged only by the server, kept on the device while there is no connection.
import { focusOn, missing } from "./criteria.js";
import { clearCured, showRefused } from "./errors.js";
import * as outbox from "./outbox.js";
import { say, offline, refused } from "./saying.js";

const RETRY = 5000;
// These may pass with a new log-in or link: a browser whose session has ended is answered 404.
const MAY_PASS = new Set([401, 403, 404]);

export function watchSubmission(form, draft, clock, show, signal) {
  let sending = false;
  const token = () => form.elements.csrfmiddlewaretoken.value;

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

  async function deliver(action, fields, again = false) {
    let answer;
    try {
      answer = await outbox.send(action, fields, token());
    } catch {
      wait(action, fields);
      return;
    }
    // A redirect follows what was stored, also where the page behind it is refused: a study that was paused.
    if (answer.ok || answer.redirected) {
      outbox.drop(fields);
      draft.clear();
      await go(answer);
    } else if (answer.status === 422) {
      outbox.drop(fields);
      if (action === form.action) replace(await answer.text(), clock);
      else draft.carry(action, fields);
    } else if (answer.status >= 500) {
      wait(action, fields);
    } else {
      if (MAY_PASS.has(answer.status)) {
        outbox.put(action, fields);
        if (again) return;
      } else {
        outbox.drop(fields);
        draft.clear();
      }
      refused(await answer.text());
    }
  }

  async function go(answer) {
    const address = answer.headers.get("Content-Location");
    if (address) show(await answer.text(), address);
    else window.location.assign(answer.url);
  }

  function wait(action, fields) {
    const kept = outbox.put(action, fields);
    offline(outbox.waiting().length, kept);
    window.setTimeout(resend, RETRY);
  }

  async function resend() {
    if (sending || signal.aborted) return;
    sending = true;
    for (const { action, fields } of outbox.waiting()) await deliver(action, fields, true);
    sending = false;
  }

  window.addEventListener("online", resend, { signal });
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
