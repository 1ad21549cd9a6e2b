// How many characters a long text still takes, said when few are left: nothing is cut without a word.
const FEW = 200;

function show({ target }) {
  const told = target.id && document.querySelector(`[data-characters-of="${CSS.escape(target.id)}"]`);
  if (!told) return;
  const left = Number(told.dataset.most) - [...target.value].length;
  told.textContent = left < FEW ? words(told.dataset, left) : "";
  told.classList.toggle("is-over", left <= 0);
}

function words({ left: few, none, over }, left) {
  if (left < 0) return over.replace("{n}", -left);
  return left ? few.replace("{n}", left) : none;
}

document.addEventListener("input", show);
