// Offers tuples that other raters found: a press copies one into the rater's own answer, and its offer disappears.
import { pairsOf } from "./tuple-list.js";
import { filledWordings, tuplesFrom } from "./tuple-state.js";

export function offers(root, parts, text, takeOver) {
  const list = root.querySelector("[data-offers]");
  const model = root.querySelector("[data-offer]");
  const names = parts.map(({ name }) => name);
  const all = JSON.parse(text || "[]").map((marks) => tuplesFrom(JSON.stringify(marks))[0]);
  const wordings = (one, name) => filledWordings(one, name).map(({ text: words, spans }) => JSON.stringify([words.trim(), spans]));
  // A rater's own tuple contains the offered wordings, and often more, such as the ground in a second stage.
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
