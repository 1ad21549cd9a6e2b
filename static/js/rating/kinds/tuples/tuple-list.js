// The tuples in words, each to be changed or removed; those that are not complete say what they lack.
import { isEmpty, lacking, told } from "./tuple-state.js";
import { word } from "../../messages.js";

// The parts of a tuple with their wordings, as terms and descriptions.
export function pairsOf(root, one, parts) {
  return parts.map((part) => [part, told(one, part.name)]).filter(([, wordings]) => wordings.length).map(([part, wordings]) => said(root, part, wordings));
}

function said(root, part, wordings) {
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
    // What the tuple in hand lacks is said at its fields.
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
