// A criterion that depends on an earlier question is shown and sent only if that answer matches or is within the bounds.
import { kindOf } from "./kinds/registry.js";

export function watchAsked(form) {
  const governed = [...form.querySelectorAll("fieldset[data-asked-after]")];
  const update = () => {
    for (const criterion of governed) {
      const asked = given(form, criterion.dataset.askedAfter).some((answer) => leadsTo(criterion.dataset, answer));
      criterion.hidden = !asked;
      criterion.disabled = !asked;
    }
  };
  form.addEventListener("input", update);
  update();
}

function leadsTo({ askedWhen, askedLeast = "-Infinity", askedMost = "Infinity" }, answer) {
  if (askedWhen !== undefined) return answer === askedWhen;
  return answer.trim() !== "" && Number(answer) >= Number(askedLeast) && Number(answer) <= Number(askedMost);
}

function given(form, key) {
  const earlier = form.querySelector(`fieldset.criterion[data-key="${CSS.escape(key)}"]`);
  if (!earlier || earlier.disabled) return [];
  return kindOf(earlier).values(earlier);
}
