// On a phone the page says one sentence of what is long, and the rest when it is asked for.
document.addEventListener("click", ({ target }) => {
  const notice = target.closest("[data-open-notice]")?.closest(".notice");
  if (!notice) return;
  notice.classList.add("is-whole");
  // The button is gone: the focus stays where the words are.
  notice.tabIndex = -1;
  notice.focus({ preventScroll: true });
});
