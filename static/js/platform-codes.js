// The codes and return addresses open as soon as a crowd platform is chosen: its links need a completion code.
const WITHOUT_CODES = new Set(["none", "personal"]);
const kind = document.querySelector("#new-link select[name=kind]");

kind?.addEventListener("change", () => {
  if (!WITHOUT_CODES.has(kind.value)) document.getElementById("platform-codes").open = true;
});
