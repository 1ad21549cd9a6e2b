// Shows how many characters a long text may still have, once few are left: no text is cut without notice.
const FEW = 200;

function show({ target }) {
  const counter = target.id && document.querySelector(`[data-characters-of="${CSS.escape(target.id)}"]`);
  if (!counter) return;
  const left = leftIn(target, counter);
  counter.textContent = left < FEW ? words(counter.dataset, left) : "";
  counter.classList.toggle("is-over", left <= 0);
}

const leftIn = (field, counter) => Number(counter.dataset.most) - [...field.value].length;

function words({ left: few, none, over }, left) {
  if (left < 0) return over.replace("{n}", -left);
  return left ? few.replace("{n}", left) : none;
}

// Returns the first visible field whose text is too long to be saved.
export function tooLongField(form) {
  return [...form.querySelectorAll("[data-characters-of]")]
    .map((counter) => ({ counter, field: document.getElementById(counter.dataset.charactersOf) }))
    .find(({ counter, field }) => field.checkVisibility() && leftIn(field, counter) < 0)?.field;
}

document.addEventListener("input", show);
