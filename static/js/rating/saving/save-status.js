// What the page says about saving: prepared sentences, shown when they are true.
export function say(state) {
  for (const one of document.querySelectorAll("[data-saying]")) one.hidden = one.dataset.saying !== state;
}

export function offline(count) {
  say("unsaved");
  const notice = document.getElementById("offline");
  if (!notice) return;
  notice.querySelector("[data-count]").textContent = String(count);
  notice.hidden = false;
}

export const online = () => hide("offline");

// The page that came instead says why; without such a page the notice's own words remain.
export function refused(html) {
  say("unsaved");
  const notice = document.getElementById("not-saved");
  if (!notice) return;
  const why = reasonIn(html);
  if (why) notice.querySelector("[data-why]").textContent = why;
  reveal(notice);
}

export const reasonIn = (html) => reasonOn(new DOMParser().parseFromString(html, "text/html"));

export function reasonOn(page) {
  return page.querySelector("[data-reason], .notices .notice--error:not([hidden])")?.textContent.trim() ?? "";
}

// The answer waits on this device for the rater of a box, who may have a link here to come back by.
export function sayWaiting({ code, link }, notice = document.getElementById("waiting")) {
  notice.querySelector("[data-with-link]").hidden = !link;
  notice.querySelector("[data-without-link]").hidden = Boolean(link);
  if (link) notice.querySelector("[data-continue]").href = link;
  for (const shown of notice.querySelectorAll("[data-code]")) shown.textContent = code;
  reveal(notice);
}

export function sayDelivered(count) {
  const notice = document.getElementById("delivered");
  if (!notice) return;
  notice.querySelector("[data-count]").textContent = String(count);
  notice.hidden = false;
}

export function sayUndelivered(why) {
  const notice = document.getElementById("undelivered");
  if (!notice) return;
  notice.querySelector("[data-why]").textContent = why;
  reveal(notice);
}

function reveal(notice) {
  notice.hidden = false;
  notice.focus();
}

function hide(id) {
  const notice = document.getElementById(id);
  if (notice) notice.hidden = true;
}
