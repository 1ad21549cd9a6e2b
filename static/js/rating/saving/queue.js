// Answers are sent one after the other, in the order in which they were saved, while the rater goes on.
import { announceLater } from "../page-change/announcer.js";
import * as ahead from "./ahead.js";
import { announce, deliver, lateIn, LONGEST_PAUSE, note, RETRY } from "./delivery.js";
import * as outbox from "./outbox.js";
import {
  carrySayings, kept, online, OFFLINE, reasonIn, refused, say, sayItems, sayUndelivered, sayWaiting, sentence,
} from "./save-status.js";
import { offerUndo } from "./undo.js";

let page = null;
let timer = null;
// Before this moment, as the server asked, nothing is sent; and why.
let resumes = 0;
let paused = OFFLINE;
let busy = false;
// What was saved on pages of this tab, with what is said of it, and the last of these, of which the page speaks; and
// what has waited since an attempt failed.
const savedHere = new Map();
let last = "";
const waited = new Set();
// The page that the rater went back to, before its answer was sent.
let cameBack = null;

// The page that is shown now: its form and sender, and what it does with an answer of the server.
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

// Says how far the last answer of this tab is. Those before it are sent first.
export function speak(action, state) {
  if (path(action) !== last) return;
  carrySayings(savedHere.get(last));
  say(state);
  if (state !== "saved") return;
  offerUndo(action);
  announceLater(sentence("saved"));
}

export const isOwn = ({ action }) => path(action) === path(page.form.action);

// `unkept` is an answer that this device cannot store.
export async function send(unkept) {
  if (busy || (!unkept && !outbox.waiting(page.sender).length)) return;
  if (Date.now() < resumes) return wait({ unreached: paused, pause: (resumes - Date.now()) / 1000 }, unkept);
  busy = true;
  const after = { delivered: 0, late: [], back: null, onward: null, stays: false, isOwn: false, agreeFirst: false, isFull: true };
  const tried = [];
  let waiting = unkept ?? next(tried);
  while (waiting) {
    tried.push(keyOf(waiting));
    const unreached = await sendOne(waiting, after, unkept);
    waiting = unreached || after.agreeFirst || unkept ? null : next(tried);
  }
  busy = false;
  finish(after);
}

const next = (tried) => outbox.waiting(page.sender).find((one) => !tried.includes(keyOf(one)));

async function sendOne(waiting, after, unkept) {
  speak(waiting.action, "saving");
  const outcome = await deliver(page.sender, waiting, heldAfter(waiting));
  if (!outcome.saved) speak(waiting.action, "unsaved");
  if (outcome.unreached) wait(outcome, unkept);
  else if (outcome.lost) lost(unkept);
  else if (outcome.saved) saved(waiting, outcome, after);
  else if (outcome.agreeFirst && !unkept) after.agreeFirst = true;
  else refuse(waiting, outcome, after);
  return outcome.unreached;
}

// The pages of this browser after an answer: others that were answered, the one that is shown, those fetched ahead.
function heldAfter(waiting) {
  const others = outbox.waiting(page.sender);
  const place = others.findIndex((one) => keyOf(one) === keyOf(waiting));
  const answered = others.slice(place + 1).map(({ action }) => path(action));
  const shown = [waiting, ...others].some(isOwn) ? [] : [path(page.form.action)];
  return savedHere.has(path(waiting.action)) ? [...answered, ...shown, ...ahead.addresses()] : [];
}

function wait({ unreached: reason, pause = 0 }, unkept) {
  const seconds = Math.min(pause, LONGEST_PAUSE);
  resumes = Date.now() + 1000 * seconds;
  paused = reason;
  if (unkept) return refused("");
  const all = outbox.waiting(page.sender);
  for (const one of all) {
    waited.add(keyOf(one));
    speak(one.action, "unsaved");
  }
  kept(all.length, reason, all.some(isOwn));
  window.clearTimeout(timer);
  timer = window.setTimeout(sendAgain, Math.max(RETRY, 1000 * seconds));
}

function sendAgain() {
  resumes = 0;
  send();
}

function lost(unkept) {
  if (unkept) return refused("");
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
  // With the last answer the server has said whether there is one more.
  after.isFull = answer.status === 204;
  speak(waiting.action, "saved");
  const here = forLater || answer.status === 204 || addressOf(answer) === path(page.form.action);
  if (isOwn(waiting)) {
    after.isOwn = true;
    page.saved();
  }
  if (isOwn(waiting) && cameBack === path(waiting.action) && !savedHere.has(cameBack)) {
    // The page itself says then that its item is answered; a correction that was begun here stays.
    page.keepChanged(waiting.fields);
    after.stays = true;
    after.delivered -= 1;
    return;
  }
  // What was saved before this page was loaded leads nowhere, but from a page that would be shown now.
  const isNext = after.onward && addressOf(after.onward.answer) === path(waiting.action);
  if (isOwn(waiting) || isNext || (savedHere.has(path(waiting.action)) && !here)) after.onward = { answer, html, here };
}

function refuse(waiting, { refused: html, status }, after) {
  if (isOwn(waiting)) {
    // Also where an answer of another tab to this page was saved a moment before.
    after.onward = null;
    page.refused(html, status);
    return;
  }
  ahead.forget();
  if (status === 422) after.back = { html, action: waiting.action };
  else sayUndelivered(reasonIn(html));
}

// Back to what has to be looked at again, or on to where the last answer leads.
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
  // There the consent form of now is asked about; what waits is sent from the page after it.
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

// A page that was fetched, and shown before the answer to the one before it came, may be another's by now; one whose
// own answer was saved is not.
function goOn(html, address, own) {
  const { action, dataset } = page.form;
  const gone = own || savedHere.has(path(action)) ? "" : dataset.position;
  page.show(html, address);
  if (gone) sayItems("gone", [gone]);
}

const addressOf = (answer) => path(answer.headers.get("Content-Location") ?? answer.url);

const path = (address) => new URL(address, window.location).pathname;

const keyOf = ({ fields }) => fields.find(([name]) => name === "submission_key")?.[1];
