// An error text goes when what it asks for is there.
import { answered, criteria } from "./criteria.js";

export function clearCured(form) {
  const excused = form.elements.cannot_rate?.checked;
  for (const criterion of criteria(form)) {
    if (!excused && !answered(criterion)) continue;
    criterion.removeAttribute("aria-invalid");
    criterion.querySelector(".criterion__error").hidden = true;
  }
}
