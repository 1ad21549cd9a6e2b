// What the page says about saving: prepared sentences, shown when they are true.
export function say(state) {
  for (const one of document.querySelectorAll("[data-saying]")) one.hidden = one.dataset.saying !== state;
}

export function offline(count, kept) {
  say("unsaved");
  const notice = document.getElementById("offline");
  if (!notice) return;
  notice.querySelector("[data-count]").textContent = String(kept ? count : 1);
  notice.hidden = false;
}

// The page that came instead says why; without such a page the notice's own guess stands.
export function refused(html) {
  say("unsaved");
  const notice = document.getElementById("not-saved");
  if (!notice) return;
  const why = new DOMParser().parseFromString(html, "text/html").querySelector("[data-reason]");
  if (why) notice.querySelector("[data-guess]").textContent = why.textContent;
  notice.hidden = false;
  notice.focus();
}
