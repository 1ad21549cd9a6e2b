// A new check shows the fields of its kind alone; without this script all are there, with the kinds in their labels.
const kind = document.querySelector("select[name=kind]");
const parts = document.querySelectorAll("[data-check-kinds]");

function show() {
  for (const part of parts) part.hidden = !part.dataset.checkKinds.split(" ").includes(kind.value);
}

if (kind) {
  kind.addEventListener("change", show);
  show();
}
