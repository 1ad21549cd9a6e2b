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

export function refused(status) {
  say("unsaved");
  const notice = document.getElementById("not-saved");
  if (!notice) return;
  notice.querySelector("[data-status]").textContent = String(status);
  notice.hidden = false;
  notice.focus();
}
