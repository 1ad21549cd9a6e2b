// Shows the chosen option in the gap of the sentence, on pages with one gap and one question with options.
// The gap is as wide as the widest option, so that no choice moves the words after it.
export function watchGap(form) {
  const gaps = document.querySelectorAll("[data-gap]");
  const questions = form.querySelectorAll("fieldset.criterion:has(.options input[type=radio])");
  if (gaps.length !== 1 || questions.length !== 1) return;
  const [gap] = gaps;
  const empty = gap.textContent;
  const fill = (option) => {
    const word = option?.firstChild.textContent.trim();
    gap.textContent = word || empty;
    gap.classList.toggle("is-filled", Boolean(word));
    return gap.getBoundingClientRect().width;
  };
  const options = [...questions[0].querySelectorAll("input:not([data-unsure]) + span")];
  gap.style.minWidth = `${Math.ceil(Math.max(fill(), ...options.map(fill)))}px`;
  const update = () => fill(questions[0].querySelector("input:checked:not([data-unsure]) + span"));
  form.addEventListener("change", update);
  update();
}
