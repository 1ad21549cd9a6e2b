// The page of a case: letters choose an annotation, E writes, N and P go on and back, digits answer.
import { watchAsked } from "./rating/display-logic.js";
import { criteria, focusOn } from "./rating/criteria.js";
import { choose, isTyping } from "./rating/keyboard.js";
import { watchKinds } from "./rating/kinds/registry.js";

const form = document.getElementById("decide");
const writing = document.getElementById("write");

if (form && writing) {
  document.documentElement.classList.add("has-script");
  watchAsked(form);
  watchKinds(form);
}
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.repeat) return;
  if (isTyping(event) || event.target.closest("[role=textbox]")) return;
  if (act(event.key.toLowerCase())) event.preventDefault();
});

function act(key) {
  if (key === "e" && writing) return write();
  if (/^\d$/.test(key)) return Boolean(writing?.open) && choose(form, key);
  const target = /^[a-z]$/.test(key) && document.querySelector(`[data-key="${key}"]`);
  if (!target) return false;
  target.click();
  return true;
}

function write() {
  writing.open = true;
  writing.scrollIntoView({ block: "start" });
  focusOn(criteria(form)[0]);
  return true;
}
