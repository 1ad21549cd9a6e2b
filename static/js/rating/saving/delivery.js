// Sends the answers that wait on this device, and says on the page that follows what came of them.
import * as outbox from "./outbox.js";
import { reasonIn, sayDelivered, sayUndelivered } from "./save-status.js";
import { read, write, tab } from "./storage.js";

const OUTCOME = "delivered";
// These may pass with a new log-in or link: a browser whose session has ended is answered 404.
export const MAY_PASS = new Set([401, 403, 404]);

export const isSaved = (answer) => answer.ok || answer.redirected;

// `last` is the answer of the server to what was saved last, `carried` what has to be looked at again.
export async function deliverWaiting(sender) {
  const outcome = { sent: 0, why: "", last: null, carried: null, unreached: false };
  for (const { action, fields } of outbox.waiting(sender)) {
    let answer;
    try {
      answer = await outbox.send(action, fields, sender.token);
    } catch {
      outcome.unreached = true;
      break;
    }
    if (answer.status >= 500) outcome.unreached = true;
    if (answer.status >= 500 || MAY_PASS.has(answer.status)) continue;
    outbox.drop(sender, fields);
    if (isSaved(answer)) {
      outcome.sent += 1;
      outcome.last = answer;
      forgetDraft(action);
    } else {
      outcome.why = reasonIn(await answer.text());
      if (answer.status === 422) outcome.carried = { action, fields };
    }
  }
  return outcome;
}

export function note({ sent, why, last, carried }) {
  const before = read(tab, OUTCOME);
  const refused = Boolean(why || carried);
  if (sent || refused || last) write(tab, OUTCOME, { sent: sent + (before?.sent ?? 0), refused, why });
}

export function announce() {
  const outcome = read(tab, OUTCOME);
  if (!outcome) return;
  write(tab, OUTCOME, null);
  if (outcome.sent) sayDelivered(outcome.sent);
  if (outcome.refused) sayUndelivered(outcome.why);
}

function forgetDraft(action) {
  write(tab, `draft:${action}`, null);
  write(tab, `presence:${action}`, null);
}
