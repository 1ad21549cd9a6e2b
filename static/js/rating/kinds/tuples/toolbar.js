// The toolbar for the selected words: below their end, above them if there is no room, and at the foot of the window,
// over the keyboard, on touch screens.
import { word } from "../../messages.js";

const GAP = 12;

export function toolbar(root, element, { mark, drop, takeWord, signal }) {
  const bar = root.querySelector("[data-bar]");
  const place = element.parentElement;
  // The toolbar follows the text visually and in the Tab order.
  place.classList.add("has-bar");
  place.append(bar);
  const docked = window.matchMedia("(hover: none)");
  let pressed = false;
  let shown = null;

  function put() {
    const selected = element.querySelectorAll(".u.is-selected");
    const last = selected[selected.length - 1]?.getClientRects();
    if (docked.matches || !last?.length) return dock();
    const end = last[last.length - 1];
    const [around, own] = [place.getBoundingClientRect(), bar.getBoundingClientRect()];
    const below = end.bottom + GAP + own.height <= window.innerHeight;
    const top = below ? end.bottom + GAP : selected[0].getClientRects()[0].top - GAP - own.height;
    const left = Math.min(Math.max(end.left, around.left), Math.max(around.right - own.width, around.left));
    bar.style.setProperty("--top", `${top - around.top}px`);
    bar.style.setProperty("--left", `${left - around.left}px`);
  }

  function dock() {
    const seen = window.visualViewport;
    if (seen) bar.style.setProperty("--keyboard", `${Math.max(0, window.innerHeight - seen.height - seen.offsetTop)}px`);
  }

  function show() {
    bar.hidden = !shown || pressed;
    if (bar.hidden) return;
    bar.querySelector("[data-bar-words]").textContent = shown.words;
    bar.querySelector("[data-bar-tuple]").textContent = word(root, "tuple", { n: shown.number });
    const take = bar.querySelector("[data-take]");
    take.hidden = !shown.around;
    take.textContent = word(root, "take", { words: shown.around });
    put();
  }

  // Hides the toolbar while the rater is still dragging the selection.
  const press = (now) => {
    pressed = now;
    show();
  };
  element.addEventListener("pointerdown", () => press(true), { signal });
  for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, () => pressed && press(false), { signal });
  window.addEventListener("resize", () => show(), { signal });
  window.visualViewport?.addEventListener("resize", () => show(), { signal });
  bar.addEventListener("click", ({ target }) => {
    const part = target.closest("[data-mark]");
    if (part) mark(part.dataset.mark);
    else if (target.closest("[data-take]")) takeWord();
    else if (target.closest("[data-drop]")) drop();
    if (target.closest("button")) element.focus({ preventScroll: true });
  });
  bar.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    drop();
    element.focus({ preventScroll: true });
    event.stopPropagation();
  });

  return {
    // `selected` has the words, the number of the current tuple, and the whole word around them if they are part of one.
    show: (selected) => {
      shown = selected;
      show();
    },
  };
}
