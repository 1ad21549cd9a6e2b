// Shows the rubric of the current criterion in the margin, with its chosen point marked.
import { criteria, inHand } from "./criteria.js";
import { kindOf } from "./kinds/registry.js";

export function watchRubric(form) {
  const update = () => show(form);
  form.addEventListener("focusin", update);
  form.addEventListener("change", update);
  // Not "pointerover": that is also sent where the page moves under a mouse at rest.
  form.addEventListener("pointermove", (event) => {
    const criterion = event.target.closest("fieldset.criterion");
    if (criterion && event.pointerType === "mouse") show(form, criterion);
  });
  update();
}

function show(form, criterion = inHand(form)) {
  for (const one of criteria(form)) {
    const rubric = document.getElementById(`rubric-${one.dataset.key}`);
    if (!rubric) continue;
    rubric.classList.toggle("is-current", one === criterion);
    const [value] = kindOf(one).values(one);
    for (const point of rubric.querySelectorAll("li")) {
      point.classList.toggle("is-chosen", point.dataset.value === value);
    }
  }
}
