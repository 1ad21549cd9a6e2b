// Lists the tuples in words, with buttons to edit and remove each; an incomplete tuple shows which parts it lacks.
import { filledWordings, isEmpty, lacking } from "./tuple-state.js";
import { word } from "../../messages.js";

// The parts of a tuple with their wordings, as terms and descriptions.
export function pairsOf(root, one, parts) {
  return parts.map((part) => [part, filledWordings(one, part.name)]).filter(([, wordings]) => wordings.length).map(([part, wordings]) => pairOf(root, part, wordings));
}

function pairOf(root, part, wordings) {
  const pair = document.createElement("div");
  const name = document.createElement("dt");
  const words = document.createElement("dd");
  name.textContent = part.label;
  wordings.forEach(({ text, spans }, place) => {
    if (place) words.append(" · ");
    const shown = document.createElement("span");
    shown.textContent = text.trim();
    words.append(shown);
    if (spans.length) shown.className = `mk mk--${part.css}`;
    else if (part.marked) {
      shown.className = "implied";
      const note = document.createElement("span");
      note.className = "vh";
      note.textContent = ` (${word(root, "out", {})})`;
      words.append(note);
    }
  });
  pair.append(name, words);
  return pair;
}

export function tupleList(root, parts, { edit, remove }) {
  const list = root.querySelector("[data-told-list]");
  const model = root.querySelector("[data-told]");

  function row(one, place, number, inHand) {
    const item = model.content.firstElementChild.cloneNode(true);
    item.dataset.place = String(place);
    item.classList.toggle("is-in-hand", inHand);
    item.querySelector(".num").textContent = String(number);
    for (const shown of item.querySelectorAll("[data-number]")) shown.textContent = String(number);
    item.querySelector("dl").append(...pairsOf(root, one, parts));
    // The missing parts of the current tuple are shown at its fields.
    const lacks = lacking(one, parts).map((name) => parts.find((part) => part.name === name).label.toLowerCase());
    item.querySelector("[data-lacks]").hidden = inHand || lacks.length === 0;
    item.querySelector("[data-lacks]").textContent = word(root, "needs", { n: number, parts: lacks.join(", ") });
    return item;
  }

  list.addEventListener("click", ({ target }) => {
    const item = target.closest("li");
    if (target.closest("[data-edit]")) edit(Number(item.dataset.place));
    if (target.closest("[data-remove]")) remove(Number(item.dataset.place));
  });

  return {
    show({ tuples, hand, edits }, number) {
      const rows = [];
      tuples.forEach((one, place) => {
        const begun = place === hand && !edits;
        if (!isEmpty(one) && !begun) rows.push(row(one, place, number(place), place === hand));
      });
      list.replaceChildren(...rows);
      root.querySelector("[data-none]").hidden = rows.length > 0;
    },
  };
}
