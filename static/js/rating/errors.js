// Error messages of criteria: shown after the server refused an answer, hidden once the criterion is answered.
import { answered, criteria } from "./criteria.js";

// Shows the server's errors at the criteria that they concern.
export function showRefused(form, page) {
  for (const wrong of page.querySelectorAll('fieldset.criterion[aria-invalid="true"]')) {
    const here = form.querySelector(`fieldset.criterion[data-key="${CSS.escape(wrong.dataset.key)}"]`);
    here?.setAttribute("aria-invalid", "true");
    here?.querySelector(".criterion__error").replaceWith(wrong.querySelector(".criterion__error"));
  }
}

export function clearCured(form) {
  const excused = form.elements.cannot_rate?.checked;
  for (const criterion of criteria(form)) {
    if (!excused && !answered(criterion)) continue;
    criterion.removeAttribute("aria-invalid");
    criterion.querySelector(".criterion__error").hidden = true;
  }
}
