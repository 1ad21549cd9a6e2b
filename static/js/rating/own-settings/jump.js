// On to the next open criterion after a choice, where the rater has switched that on.
import { announce } from "../page-change/announcer.js";
import { answered, criteria, pointTo } from "../criteria.js";
import { isOn } from "./switches.js";

// A second press of a double click must not choose a point of the next criterion.
const AFTER_PRESS = 400;

export function watchJump(form, signal) {
  let by = "";
  let timer = null;
  document.addEventListener("pointerdown", () => by = "press", { capture: true, signal });
  document.addEventListener("keydown", ({ key }) => by = key.startsWith("Arrow") ? "arrow" : "key", { capture: true, signal });
  signal.addEventListener("abort", () => window.clearTimeout(timer));
  form.addEventListener("change", ({ target }) => {
    window.clearTimeout(timer);
    // An arrow key passes over points on its way to the one that is meant.
    if (target.type !== "radio" || by === "arrow" || !isOn("jump")) return;
    const from = target.closest("fieldset.criterion");
    if (by === "press") timer = window.setTimeout(() => jump(form, from), AFTER_PRESS);
    else jump(form, from);
  });
}

function jump(form, from) {
  const all = criteria(form);
  const next = all.find((one, place) => place > all.indexOf(from) && !answered(one));
  if (!next) return;
  pointTo(next);
  announce(form.dataset.nextCriterion.replace("{name}", next.querySelector(".criterion__name").textContent.trim()));
}
