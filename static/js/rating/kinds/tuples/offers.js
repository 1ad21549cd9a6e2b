// Tuples that others found: each becomes one of the rater's own by a press, and is then no longer offered.
import { pairsOf } from "./tuple-list.js";
import { told, tuplesFrom } from "./tuple-state.js";

export function offers(root, parts, text, takeOver) {
  const list = root.querySelector("[data-offers]");
  const model = root.querySelector("[data-offer]");
  const names = parts.map(({ name }) => name);
  const all = JSON.parse(text || "[]").map((marks) => tuplesFrom(JSON.stringify(marks))[0]);
  const wordings = (one, name) => told(one, name).map(({ text: words, spans }) => JSON.stringify([words.trim(), spans]));
  // A tuple of the rater’s own holds what was found, and often more: the ground, in a second stage.
  const holds = (own, one) => names.every((name) => {
    const had = wordings(own, name);
    return wordings(one, name).every((wording) => had.includes(wording));
  });
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
      left = all.filter((one) => !tuples.some((own) => holds(own, one)));
      list.replaceChildren(...left.map(row));
      list.hidden = left.length === 0;
    },
    first: () => structuredClone(left[0]),
  };
}
