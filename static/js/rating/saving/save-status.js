// Shows the status of saving by prepared sentences of the page.
export function say(state) {
  document.querySelector("[data-shown]")?.remove();
  for (const one of document.querySelectorAll("[data-saying]")) one.hidden = one.dataset.saying !== state;
}

export const sentence = (state) => document.querySelector(`[data-saying=${state}]`)?.textContent.trim() ?? "";

// Returns the status sentences of a page, for the next page to show while the answer is being sent.
export function sayings() {
  return [...document.querySelectorAll("[data-saying]")].map((one) => [...one.cloneNode(true).childNodes]);
}

export function carrySayings(words) {
  [...document.querySelectorAll("[data-saying]")].forEach((one, place) => {
    one.replaceChildren(...words[place].map((node) => node.cloneNode(true)));
  });
}

// The reasons why answers wait on this device; each is the id of a notice.
export const OFFLINE = "offline";
export const NO_SPACE = "no-space";
export const BUSY = "busy";
const REASONS = [OFFLINE, NO_SPACE, BUSY];
const NOT_NOW = "not-now";
const TOO_MANY_REQUESTS = 429;
const INSUFFICIENT_STORAGE = 507;

export function reasonToWait(status) {
  if (status === INSUFFICIENT_STORAGE) return NO_SPACE;
  return status === TOO_MANY_REQUESTS || status >= 500 ? BUSY : OFFLINE;
}

// Shows how many answers wait on this device, and why. `usedUp` is true if no other fetched page can be answered meanwhile.
export function sayUnsent(count, reason, usedUp) {
  REASONS.filter((one) => one !== reason).forEach(hide);
  const notice = document.getElementById(reason);
  if (!notice) return;
  notice.querySelector("[data-used-up]").hidden = !usedUp;
  sayCount(notice, count);
}

export const online = () => [...REASONS, NOT_NOW].forEach(hide);

export const forgetNotNow = () => hide(NOT_NOW);

// Shows that a page cannot be opened without a connection.
export function sayNotNow() {
  document.querySelector(".menu[open]")?.removeAttribute("open");
  const notice = document.getElementById(NOT_NOW);
  if (notice) reveal(notice);
}

export function sayCount(notice, count) {
  notice.querySelector("[data-count]").textContent = String(count);
  notice.hidden = false;
}

// Shows the reason from the server's page; without such a page the notice keeps its own text.
export function refused(html) {
  say("unsaved");
  // An answer stored by another tab can no longer be replaced from here.
  document.querySelector("[data-keep]")?.closest(".notice").remove();
  const notice = document.getElementById("not-saved");
  if (!notice) return;
  const why = reasonIn(html);
  if (why) notice.querySelector("[data-why]").textContent = why;
  reveal(notice);
}

export const reasonIn = (html) => reasonOn(parsed(html));

// Returns the server's code for the reason.
export const codeIn = (html) => parsed(html).querySelector("[data-reason]")?.dataset.reason ?? "";

// Responses of a proxy or a network login do not have this mark.
export const isOwnPage = (html) => parsed(html).querySelector("meta[name=application-name]")?.content === "Groundwork";

export function reasonOn(page) {
  return page.querySelector("[data-reason], #tell .notice--error:not([hidden])")?.textContent.trim() ?? "";
}

// Shows that answers of a rater wait on this device, with the rater's personal link if it is stored here.
export function sayWaiting({ code, link }, notice = document.getElementById("waiting")) {
  notice.querySelector("[data-with-link]").hidden = !link;
  notice.querySelector("[data-without-link]").hidden = Boolean(link);
  if (link) notice.querySelector("[data-continue]").href = link;
  for (const shown of notice.querySelectorAll("[data-code]")) shown.textContent = code;
  reveal(notice);
}

export function sayDelivered(count) {
  const notice = document.getElementById("delivered");
  if (notice) sayCount(notice, count);
}

// Lists the items answered after their reservation; replaces the page's own notice about the last of them.
export function sayLate(items) {
  document.getElementById("late")?.remove();
  sayItems("late-items", items);
}

export function sayItems(id, items) {
  const notice = document.getElementById(id);
  if (!notice) return;
  notice.querySelector("[data-items]").textContent = items.join(", ");
  notice.hidden = false;
}

export function sayUndelivered(why) {
  const notice = document.getElementById("undelivered");
  if (!notice) return;
  notice.querySelector("[data-why]").textContent = why;
  reveal(notice);
}

const parsed = (html) => new DOMParser().parseFromString(html, "text/html");

function reveal(notice) {
  notice.hidden = false;
  notice.focus();
}

function hide(id) {
  const notice = document.getElementById(id);
  if (notice) notice.hidden = true;
}
