// Sends answers one at a time, in the order in which they were saved, while the rater continues.
import { announceLater } from "../page-change/announcer.js";
import * as ahead from "./ahead.js";
import { announce, deliver, lateIn, LONGEST_PAUSE, note, RETRY } from "./delivery.js";
import * as outbox from "./outbox.js";
import {
  carrySayings, online, OFFLINE, reasonIn, refused, say, sayItems, sayUndelivered, sayUnsent, sayWaiting, sentence,
} from "./save-status.js";
import { offerUndo } from "./undo.js";

let page = null;
let timer = null;
// The time before which nothing is sent, as the server asked, and the reason for the pause.
let resumes = 0;
let paused = OFFLINE;
let busy = false;
// Addresses of pages saved in this tab, with their status sentences; the last of them, whose status the page shows;
// and the keys of answers that wait since a failed attempt.
const savedHere = new Map();
let last = "";
const waited = new Set();
// The page that the rater went back to before its answer was sent.
let cameBack = null;

// Sets the current page: its form, its sender, and its handlers for the server's responses.
export function show(current) {
  page = current;
}

export function cameBackTo(address) {
  cameBack = address;
}

export const isSending = () => busy;

export function noteSaved(action, sayings) {
  last = path(action);
  savedHere.set(last, sayings);
}

// Shows the status of the last answer of this tab. Earlier answers are sent first.
export function speak(action, state) {
  if (path(action) !== last) return;
  carrySayings(savedHere.get(last));
  say(state);
  if (state !== "saved") return;
  offerUndo(action);
  announceLater(sentence("saved"));
}

export const isOwn = ({ action }) => path(action) === path(page.form.action);

// `unstored` is an answer that this device cannot store.
export async function send(unstored) {
  if (busy || (!unstored && !outbox.waiting(page.sender).length)) return;
  if (Date.now() < resumes) return wait({ unreached: paused, pause: (resumes - Date.now()) / 1000 }, unstored);
  busy = true;
  const after = { delivered: 0, late: [], back: null, onward: null, stays: false, isOwn: false, agreeFirst: false, isFull: true };
  const tried = [];
  let waiting = unstored ?? next(tried);
  while (waiting) {
    tried.push(keyOf(waiting));
    const unreached = await sendOne(waiting, after, unstored);
    waiting = unreached || after.agreeFirst || unstored ? null : next(tried);
  }
  busy = false;
  finish(after);
}

const next = (tried) => outbox.waiting(page.sender).find((one) => !tried.includes(keyOf(one)));

async function sendOne(waiting, after, unstored) {
  speak(waiting.action, "saving");
  const outcome = await deliver(page.sender, waiting, heldAfter(waiting));
  if (!outcome.saved) speak(waiting.action, "unsaved");
  if (outcome.unreached) wait(outcome, unstored);
  else if (outcome.lost) lost(unstored);
  else if (outcome.saved) saved(waiting, outcome, after);
  else if (outcome.agreeFirst && !unstored) after.agreeFirst = true;
  else refuse(waiting, outcome, after);
  return outcome.unreached;
}

// Returns the pages that this browser has after an answer: answered ones, the shown one, those fetched ahead.
function heldAfter(waiting) {
  const others = outbox.waiting(page.sender);
  const place = others.findIndex((one) => keyOf(one) === keyOf(waiting));
  const answered = others.slice(place + 1).map(({ action }) => path(action));
  const shown = [waiting, ...others].some(isOwn) ? [] : [path(page.form.action)];
  return savedHere.has(path(waiting.action)) ? [...answered, ...shown, ...ahead.addresses()] : [];
}

function wait({ unreached: reason, pause = 0 }, unstored) {
  const seconds = Math.min(pause, LONGEST_PAUSE);
  resumes = Date.now() + 1000 * seconds;
  paused = reason;
  if (unstored) return refused("");
  const all = outbox.waiting(page.sender);
  for (const one of all) {
    waited.add(keyOf(one));
    speak(one.action, "unsaved");
  }
  sayUnsent(all.length, reason, all.some(isOwn));
  window.clearTimeout(timer);
  timer = window.setTimeout(sendAgain, Math.max(RETRY, 1000 * seconds));
}

function sendAgain() {
  resumes = 0;
  send();
}

function lost(unstored) {
  if (unstored) return refused("");
  online();
  sayWaiting(page.sender);
}

function saved(waiting, { saved: answer, html }, after) {
  online();
  if (waited.delete(keyOf(waiting)) || !savedHere.has(path(waiting.action))) after.delivered += 1;
  after.late.push(...lateIn(answer));
  const address = answer.headers.get("Content-Location");
  const forLater = answer.headers.get("Preference-Applied") === "ahead";
  if (forLater) ahead.keep(html, address);
  // The response to the last answer states whether another page follows.
  after.isFull = answer.status === 204;
  speak(waiting.action, "saved");
  const here = forLater || answer.status === 204 || addressOf(answer) === path(page.form.action);
  if (isOwn(waiting)) {
    after.isOwn = true;
    page.saved();
  }
  if (isOwn(waiting) && cameBack === path(waiting.action) && !savedHere.has(cameBack)) {
    // The reloaded page shows that its item is answered; a correction that was started here is retained.
    page.keepChanged(waiting.fields);
    after.stays = true;
    after.delivered -= 1;
    return;
  }
  // An answer saved before this page was loaded does not change the page, unless its page would be shown now.
  const isNext = after.onward && addressOf(after.onward.answer) === path(waiting.action);
  if (isOwn(waiting) || isNext || (savedHere.has(path(waiting.action)) && !here)) after.onward = { answer, html, here };
}

function refuse(waiting, { refused: html, status }, after) {
  if (isOwn(waiting)) {
    // Also if another tab saved an answer to this page a moment before.
    after.onward = null;
    page.refused(html, status);
    return;
  }
  ahead.forget();
  if (status === 422) after.back = { html, action: waiting.action };
  else sayUndelivered(reasonIn(html));
}

// Returns to an answer that must be checked again, or continues to the page after the last answer.
function finish({ delivered, late, back, onward, stays, isOwn: own, agreeFirst, isFull }) {
  const seen = back && savedHere.has(path(back.action));
  note({ sent: delivered, late, why: back && !seen ? reasonIn(back.html) : "" });
  if (back) {
    page.show(back.html, back.action);
    say("unsaved");
    const alert = "#tell [role=alert]:not([hidden])";
    if (seen) (document.querySelector("[data-keep]") ?? document.querySelector(alert))?.focus();
    return;
  }
  // That page asks for consent to the current form; the waiting answers are sent from the page after it.
  if (agreeFirst) return window.location.assign(page.sender.rateUrl);
  if (stays) return window.location.reload();
  if (!onward) {
    announce();
    if (!isFull) page.fill();
    return;
  }
  const address = onward.answer.headers.get("Content-Location");
  if (!onward.here && address) return goOn(onward.html, address, own);
  const fetched = onward.here ? ahead.next() : null;
  if (fetched) {
    page.showFetched(fetched);
    speak(last, "saved");
  } else window.location.assign(onward.here ? page.sender.rateUrl : onward.answer.url);
}

// The item of a page shown before the previous answer was confirmed may now belong to another rater, unless its own
// answer was saved.
function goOn(html, address, own) {
  const { action, dataset } = page.form;
  const gone = own || savedHere.has(path(action)) ? "" : dataset.position;
  page.show(html, address);
  if (gone) sayItems("gone", [gone]);
}

const addressOf = (answer) => path(answer.headers.get("Content-Location") ?? answer.url);

const path = (address) => new URL(address, window.location).pathname;

const keyOf = ({ fields }) => fields.find(([name]) => name === "submission_key")?.[1];
