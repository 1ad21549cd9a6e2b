// Sends the answers stored on this device and reports the outcome on the next page.
import * as outbox from "./outbox.js";
import {
  codeIn, isOwnPage, OFFLINE, reasonIn, reasonToWait, sayDelivered, sayLate, sayUndelivered,
} from "./save-status.js";
import { read, write, tab } from "./storage.js";

// Delay in milliseconds before sending again, and the longest pause in seconds that the server can ask for.
export const RETRY = 5000;
export const LONGEST_PAUSE = 600;

const OUTCOME = "delivered";
// These may succeed after signing in again or with a new link: without a session the server answers 404.
const MAY_PASS = new Set([401, 403, 404]);

// These are final if Groundwork itself sent them.
const FINAL = new Set([400, 409, 422]);
const AGREE_FIRST = "consent_changed";

// Sends one answer. The outcome is one of: `unreached` (the reason why it still waits, and `pause`, the minimum seconds),
// `lost` (the session ended), `saved` (the server's response, with its text `html`), `agreeFirst` (the rater must first
// agree to the current consent form), `refused` (the page that gives the reason, with its `status`). After an interrupted
// response, or one from a proxy or a network login, the answer is sent again with the same key.
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
  // A redirect means that the answer was stored, even if its target is refused, for example in a paused study.
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

// Returns a list with the item whose answer came after its reservation ended; empty if it was in time.
export function lateIn(answer) {
  const item = answer.headers.get("Late-Item");
  return item ? [Number(item)] : [];
}

// `sent` is the number of saved answers, `late` the items saved after their reservation, `carried` the answer that the
// rater must check again, `halted` the outcome of `deliver` that stopped the others.
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
