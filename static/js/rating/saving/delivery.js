// Sends the answers that wait on this device, and says on the page that follows what came of them.
import * as outbox from "./outbox.js";
import {
  codeIn, isOwnPage, OFFLINE, reasonIn, reasonToWait, sayDelivered, sayLate, sayUndelivered,
} from "./save-status.js";
import { read, write, tab } from "./storage.js";

// What waits is sent again after so many milliseconds, or after the seconds that the server asks for, up to the most.
export const RETRY = 5000;
export const LONGEST_PAUSE = 600;

const OUTCOME = "delivered";
// These may pass with a new log-in or link: a browser whose session has ended is answered 404.
const MAY_PASS = new Set([401, 403, 404]);

// What these say of an answer is final, where Groundwork itself says it.
const FINAL = new Set([400, 409, 422]);
const AGREE_FIRST = "consent_changed";

// One answer is sent. What came of it is one of: `unreached` (why it waits on, and for how many seconds at least, `pause`),
// `lost` (the session), `saved` (the server's answer, with its text `html`), `agreeFirst` (it waits until its rater has
// agreed to the consent form of now), `refused` (the page that says why, with its `status`). An answer that breaks off is
// none: what waits is sent again, with the same key. So is what something on the way answered: a proxy, a login of a network.
export async function deliver(sender, waiting, held = []) {
  let answer, html;
  try {
    answer = await outbox.send(waiting, sender.token, held);
    html = await answer.text();
  } catch {
    return { unreached: OFFLINE };
  }
  const { status } = answer;
  if (MAY_PASS.has(status)) return { lost: true };
  // A redirect follows what was stored, also where the page behind it is refused: a study that was paused.
  const isSaved = answer.ok || answer.redirected;
  const isOurs = status === 204 || isOwnPage(html);
  if (status >= 500 || !isOurs || !(isSaved || FINAL.has(status))) {
    return { unreached: reasonToWait(status), pause: Number(answer.headers.get("Retry-After")) || 0 };
  }
  if (!isSaved && codeIn(html) === AGREE_FIRST) return { agreeFirst: true, refused: html, status };
  outbox.drop(sender, waiting.fields);
  if (!isSaved) return { refused: html, status };
  forgetDraft(waiting.action);
  return { saved: answer, html };
}

// The item whose answer was stored after its reservation had ended, in a list; empty where it came in time.
export function lateIn(answer) {
  const item = answer.headers.get("Late-Item");
  return item ? [Number(item)] : [];
}

// `sent` is how many were saved, `late` which of them too late for their reservation, `carried` what has to be looked at
// again, `halted` why the others still wait, as `deliver` gives it.
export async function deliverWaiting(sender) {
  const outcome = { sent: 0, late: [], why: "", carried: null, halted: null };
  for (const waiting of outbox.waiting(sender)) {
    const came = await deliver(sender, waiting);
    const { unreached, lost, saved, agreeFirst, refused, status } = came;
    if (unreached || lost || agreeFirst) {
      outcome.halted = came;
      break;
    }
    if (saved) {
      outcome.sent += 1;
      outcome.late.push(...lateIn(saved));
    }
    if (refused !== undefined) outcome.why = reasonIn(refused);
    if (status === 422) outcome.carried = waiting;
  }
  return outcome;
}

export function note({ sent, late, why, carried }) {
  const before = read(tab, OUTCOME);
  const refused = Boolean(why || carried);
  if (!sent && !late.length && !refused) return;
  write(tab, OUTCOME, { sent: sent + (before?.sent ?? 0), late: [...(before?.late ?? []), ...late], refused, why });
}

export function announce() {
  const outcome = read(tab, OUTCOME);
  if (!outcome) return;
  write(tab, OUTCOME, null);
  if (outcome.sent) sayDelivered(outcome.sent);
  if (outcome.late?.length) sayLate(outcome.late);
  if (outcome.refused) sayUndelivered(outcome.why);
}

function forgetDraft(action) {
  write(tab, `draft:${action}`, null);
  write(tab, `presence:${action}`, null);
}
