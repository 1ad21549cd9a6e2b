// On a phone a long notice shows its first sentence, and the rest on request.
document.addEventListener("click", ({ target }) => {
  const notice = target.closest("[data-open-notice]")?.closest(".notice");
  if (!notice) return;
  notice.classList.add("is-whole");
  // The button disappears, so the focus moves to the notice.
  notice.tabIndex = -1;
  notice.focus({ preventScroll: true });
});
