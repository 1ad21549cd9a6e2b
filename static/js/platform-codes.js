// The codes open as soon as a crowd platform is chosen: its links need a completion code. The parameters open for
// another platform, which needs the name of one.
const WITHOUT_CODES = new Set(["none", "personal"]);
const kind = document.querySelector("#new-link select[name=kind]");

kind?.addEventListener("change", () => {
  if (!WITHOUT_CODES.has(kind.value)) document.getElementById("platform-codes").open = true;
  if (kind.value === "other") document.getElementById("platform-addresses").open = true;
});
