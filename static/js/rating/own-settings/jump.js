// Moves to the next open criterion after a choice, if the rater has switched this on.
import { announce } from "../page-change/announcer.js";
import { answered, criteria, pointTo } from "../criteria.js";
import { isOn } from "./switches.js";

// Delay after a press, so that the second press of a double click does not choose a point of the next criterion.
const AFTER_PRESS = 400;

export function watchJump(form, signal) {
  let by = "";
  let timer = null;
  document.addEventListener("pointerdown", () => by = "press", { capture: true, signal });
  document.addEventListener("keydown", ({ key }) => by = key.startsWith("Arrow") ? "arrow" : "key", { capture: true, signal });
  signal.addEventListener("abort", () => window.clearTimeout(timer));
  form.addEventListener("change", ({ target }) => {
    window.clearTimeout(timer);
    // With arrow keys the rater may only be passing this point.
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
