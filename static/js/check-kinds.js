// A new check shows only the fields of its kind; without this script all are shown, with the kinds in their labels.
const INSTRUCTED = "instructed";
const kind = document.querySelector("select[name=kind]");
const parts = document.querySelectorAll("[data-check-kinds]");
const proposed = [...document.querySelectorAll("[data-proposed]")];

function show() {
  for (const part of parts) part.hidden = !part.dataset.checkKinds.split(" ").includes(kind.value);
}

// Removes the text proposed for an instructed response when another kind is chosen.
function propose() {
  const instructed = kind.value === INSTRUCTED;
  for (const field of proposed) {
    const { proposed: text } = field.dataset;
    if (field.value === (instructed ? "" : text)) field.value = instructed ? text : "";
  }
}

if (kind) {
  kind.addEventListener("change", show);
  kind.addEventListener("change", propose);
  show();
}
