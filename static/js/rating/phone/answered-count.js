// On a phone some questions are below the buttons: the line above them counts the answers and links to the next open one.
import { answered, criteria, pointTo } from "../criteria.js";
import { word } from "../messages.js";

export function watchCount(form) {
  const line = form.querySelector("[data-answered]");
  if (!line) return;
  const [counter, link] = [line.querySelector("[data-told]"), line.querySelector("[data-next-open]")];
  const open = () => criteria(form).filter((criterion) => !answered(criterion));

  function show() {
    const [next] = open();
    const total = criteria(form).length;
    line.hidden = total < 2;
    counter.textContent = word(line, "answered", { n: total - open().length, total });
    link.hidden = !next;
    if (next) link.textContent = form.dataset.nextCriterion.replace("{name}", next.querySelector(".criterion__name").textContent.trim());
  }

  link.addEventListener("click", () => {
    const [next] = open();
    if (next) pointTo(next);
  });
  for (const event of ["input", "change"]) form.addEventListener(event, show);
  show();
  // A draft is restored after this script has started.
  queueMicrotask(show);
}
