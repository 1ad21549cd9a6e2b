// Tuples that others found: each becomes one of the rater's own by a press, and is then no longer offered.
import { pairsOf } from "./tuple-list.js";
import { stored, tuplesFrom } from "./tuple-state.js";

export function offers(root, parts, text, takeOver) {
  const list = root.querySelector("[data-offers]");
  const model = root.querySelector("[data-offer]");
  const names = parts.map(({ name }) => name);
  const all = JSON.parse(text || "[]").map((marks) => tuplesFrom(JSON.stringify(marks))[0]);
  const told = (one) => stored([one], names);
  let left = all;
  root.classList.toggle("has-offers", all.length > 0);

  function row(one, place) {
    const item = model.content.firstElementChild.cloneNode(true);
    item.querySelector("dl").append(...pairsOf(root, one, parts));
    item.querySelector("button").addEventListener("click", () => takeOver(structuredClone(left[place])));
    return item;
  }

  return {
    show({ tuples }) {
      const own = new Set(tuples.map(told));
      left = all.filter((one) => !own.has(told(one)));
      list.replaceChildren(...left.map(row));
      list.hidden = left.length === 0;
    },
    first: () => structuredClone(left[0]),
  };
}
