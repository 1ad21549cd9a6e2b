// How many characters a long text still takes, said when few are left: nothing is cut without a word.
const FEW = 200;

function show({ target }) {
  const told = target.id && document.querySelector(`[data-characters-of="${CSS.escape(target.id)}"]`);
  if (!told) return;
  const left = leftIn(target, told);
  told.textContent = left < FEW ? words(told.dataset, left) : "";
  told.classList.toggle("is-over", left <= 0);
}

const leftIn = (field, told) => Number(told.dataset.most) - [...field.value].length;

function words({ left: few, none, over }, left) {
  if (left < 0) return over.replace("{n}", -left);
  return left ? few.replace("{n}", left) : none;
}

// The first field in sight that holds more than can be saved.
export function tooLongField(form) {
  return [...form.querySelectorAll("[data-characters-of]")]
    .map((told) => ({ told, field: document.getElementById(told.dataset.charactersOf) }))
    .find(({ told, field }) => field.checkVisibility() && leftIn(field, told) < 0)?.field;
}

document.addEventListener("input", show);
