// The option that is chosen is tried in the gap of the sentence: one gap, one question with options.
export function watchGap(form) {
  const gaps = document.querySelectorAll("[data-gap]");
  const questions = form.querySelectorAll("fieldset.criterion:has(.options input[type=radio])");
  if (gaps.length !== 1 || questions.length !== 1) return;
  const [gap] = gaps;
  const empty = gap.textContent;
  const update = () => {
    const word = questions[0].querySelector("input:checked:not([data-unsure]) + span")?.firstChild.textContent.trim();
    gap.textContent = word || empty;
    gap.classList.toggle("is-filled", Boolean(word));
  };
  form.addEventListener("change", update);
  update();
}
