// A typed number: errors are shown at the question, in the language of the page, until the number changes.
import { showCriterion } from "./story.js";

// `impossible` states the allowed numbers, if the error line initially has another text.
export function watchNumber(number, impossible = "") {
  // A wheel scrolls the page; in a field with the focus it would change the number.
  number.addEventListener("wheel", () => number.blur(), { passive: true });
  number.addEventListener("invalid", (event) => refuse(event, number, impossible));
}

// The browser's own message would be in the browser's language and disappear after seconds.
function refuse(event, number, impossible) {
  event.preventDefault();
  const criterion = number.closest("fieldset.criterion");
  const error = criterion.querySelector(".criterion__error");
  error.hidden = false;
  if (!number.hasAttribute("aria-invalid")) point(number, error, impossible);
  showCriterion(criterion);
  if (criterion.form.querySelector(".criterion__error:not([hidden])") === error) number.focus();
}

// Shows the error until the number is changed.
function point(number, error, impossible) {
  const words = error.querySelector("span");
  const before = words.textContent;
  if (impossible) words.textContent = impossible;
  const described = number.getAttribute("aria-describedby");
  error.id ||= `${number.name}-error`;
  number.setAttribute("aria-invalid", "true");
  number.setAttribute("aria-describedby", error.id);
  number.addEventListener("input", () => {
    words.textContent = before;
    number.removeAttribute("aria-invalid");
    if (described) number.setAttribute("aria-describedby", described);
    else number.removeAttribute("aria-describedby");
  }, { once: true });
}
