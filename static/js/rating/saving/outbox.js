// Stores unsent answers on this device, in a separate box for each rater. Each answer has a key that makes sending
// it twice harmless. The rater's personal link is stored with them until the last one is sent.
import { device, read, write } from "./storage.js";

const PREFIX = "outbox:";
// Version 0.2 stored the answers of all raters in one box: the server refuses those of other raters, which remain.
const SHARED = "outbox";
const HIDDEN = "csrfmiddlewaretoken";

// Returns the rater who sends from this page.
export function senderOf(root = document) {
  const { owner = "", rateUrl = "", code = "", link = "", token = "", over, held } = root.querySelector("#outbox")?.dataset ?? {};
  return { owner, rateUrl, code, link, token, over: over !== undefined, held: held !== undefined };
}

export function waiting(sender) {
  return sender.owner ? [...own(sender), ...shared().filter(({ action }) => rateUrlOf(action) === sender.rateUrl)] : [];
}

export const own = ({ owner }) => box(owner)?.answers ?? [];

export function put(sender, action, fields) {
  const others = without(own(sender), fields);
  const { rateUrl, code, link } = sender;
  const answers = [...others, { action, fields: fields.filter(([name]) => name !== HIDDEN), savedAt: Date.now() }];
  return write(device, PREFIX + sender.owner, { rateUrl, code, link, answers });
}

export function drop(sender, fields) {
  const answers = without(own(sender), fields);
  if (box(sender.owner)) write(device, PREFIX + sender.owner, answers.length ? { ...box(sender.owner), answers } : null);
  const left = without(shared(), fields);
  if (left.length < shared().length) write(device, SHARED, left.length ? left : null);
}

export const isOf = ({ owner }, key) => key === PREFIX + owner;

export const discard = ({ owner }) => write(device, PREFIX + owner, null);

// Removes the personal link from this device; the answers remain, and their rater can return by the link from elsewhere.
export const forgetLink = ({ owner }) => write(device, PREFIX + owner, { ...box(owner), code: "", link: "" });

// Returns the boxes of the study that an address belongs to.
export function boxesAt(address) {
  const owners = keys().filter((name) => name.startsWith(PREFIX)).map((name) => name.slice(PREFIX.length));
  const boxes = owners.map((owner) => ({ owner, ...box(owner) }));
  const found = boxes.filter(({ rateUrl }) => rateUrl && address.startsWith(rateUrl));
  const unnamed = shared().some(({ action }) => address.startsWith(rateUrlOf(action)));
  return unnamed ? [...found, { owner: "", code: "", link: "" }] : found;
}

// `held` are the addresses of the following pages that this browser already has.
export async function send({ action, fields, savedAt }, token, held) {
  const body = new URLSearchParams(fields.filter(([name]) => name !== HIDDEN));
  if (savedAt) body.set("waited_seconds", Math.max(0, (Date.now() - savedAt) / 1000).toFixed(1));
  if (held.length) body.set("held", held.map(numberIn).join(" "));
  return fetch(action, {
    method: "POST",
    body,
    headers: { "X-CSRFToken": token, Accept: "text/html", Prefer: "return=representation" },
    credentials: "same-origin",
  });
}

const box = (owner) => read(device, PREFIX + owner);

const shared = () => read(device, SHARED) ?? [];

const numberIn = (address) => new URL(address, window.location).pathname.match(/(\d+)\/$/)[1];

const rateUrlOf = (action) => new URL(action, window.location).pathname.replace(/\d+\/$/, "");

const without = (answers, fields) => answers.filter((answer) => key(answer.fields) !== key(fields));

function keys() {
  try {
    return Object.keys(device());
  } catch {
    return [];
  }
}

function key(fields) {
  return fields.find(([name]) => name === "submission_key")?.[1];
}
