// Selects units of a text by keys, by dragging, or by tapping the first and the last unit.
import { isComposing } from "../../composition.js";

export function selecting(element, units, { changed, act, wordAt, signal }) {
  const selection = { anchor: 0, cursor: 0, on: false };
  let half = false;
  let fresh = true;

  const span = () => {
    if (!selection.on) return null;
    const [first, last] = [selection.anchor, selection.cursor].sort((a, b) => a - b);
    return [units[first].start, units[last].end];
  };

  function show() {
    const now = span();
    const cursor = units[selection.cursor];
    for (const one of element.querySelectorAll(".u")) {
      const [start, end] = [Number(one.dataset.start), Number(one.dataset.end)];
      one.classList.toggle("is-selected", Boolean(now) && start >= now[0] && end <= now[1]);
      one.classList.toggle("is-cursor", Boolean(cursor) && start >= cursor.start && end <= cursor.end);
    }
  }

  function set(anchor, cursor, on = true) {
    Object.assign(selection, { anchor, cursor, on });
    show();
    changed(span(), units[cursor]);
  }

  function take(start, end) {
    const first = units.findIndex((unit) => unit.end > start);
    const last = units.findLastIndex((unit) => unit.start < end);
    if (first >= 0 && first <= last) set(first, last);
  }

  function drop() {
    half = false;
    window.getSelection()?.removeAllRanges();
    set(selection.cursor, selection.cursor, false);
  }

  function move(to, extend) {
    const cursor = Math.min(Math.max(to, 0), units.length - 1);
    half = false;
    fresh = false;
    set(extend ? selection.anchor : cursor, cursor);
    element.querySelector(".is-cursor")?.scrollIntoView({ block: "nearest" });
  }

  const isEnabled = () => element.tabIndex === 0;

  function unitAt(target) {
    const start = Number(target.closest?.(".u")?.dataset.start ?? -1);
    return units.findIndex((unit) => unit.start <= start && start < unit.end);
  }

  element.addEventListener("keydown", (event) => {
    if (!isEnabled() || isComposing(event)) return;
    const forward = (event.key === "ArrowRight") === (getComputedStyle(element).direction !== "rtl");
    if (event.key === "ArrowRight" || event.key === "ArrowLeft") {
      move(next(event, forward ? 1 : -1), event.shiftKey);
    } else if (event.key === "Home" && !event.ctrlKey) move(0, event.shiftKey);
    else if (event.key === "End" && !event.ctrlKey) move(units.length - 1, event.shiftKey);
    else if (event.key === "Escape" && selection.on) drop();
    else if (!act(event)) return;
    event.preventDefault();
    event.stopPropagation();
  }, { signal });

  // The first key press selects the unit at the cursor; so does an extension if nothing is selected.
  function next(event, step) {
    if (!selection.on && (fresh || event.shiftKey)) return selection.cursor;
    let at = selection.cursor + step;
    const word = event.ctrlKey || event.altKey ? wordAt(units[selection.cursor]) : null;
    while (word && units[at] && units[at].start >= word[0] && units[at].end <= word[1]) at += step;
    return at;
  }

  element.addEventListener("click", (event) => {
    const unit = unitAt(event.target);
    if (!isEnabled() || unit < 0 || dragged()) return;
    if (event.shiftKey && selection.on) set(selection.anchor, unit);
    else if (half && selection.on && unit !== selection.anchor) set(selection.anchor, unit);
    else {
      set(unit, unit);
      half = true;
      return;
    }
    half = false;
  }, { signal });

  // Returns the browser's own selection in code points; null if it is empty or outside the text.
  function dragged() {
    const own = window.getSelection();
    if (!own || own.isCollapsed || !element.contains(own.anchorNode) || !element.contains(own.focusNode)) return null;
    const range = own.getRangeAt(0);
    const pieces = [...element.querySelectorAll(".u")].filter((one) => range.intersectsNode(one));
    if (!pieces.length) return null;
    return [place(pieces[0], range.startContainer, range.startOffset, "start"), place(pieces[pieces.length - 1], range.endContainer, range.endOffset, "end")];
  }

  function place(unit, container, offset, side) {
    if (container.nodeType !== Node.TEXT_NODE || !unit.contains(container)) return Number(unit.dataset[side]);
    return Number(unit.dataset.start) + [...container.data.slice(0, offset)].length;
  }

  document.addEventListener("selectionchange", () => {
    const found = isEnabled() ? dragged() : null;
    if (!found || found[0] >= found[1]) return;
    half = false;
    take(...found);
  }, { signal });
  element.addEventListener("mouseup", () => {
    // The page shows the selection itself; the click after a drag must not start a new one.
    if (dragged()) window.setTimeout(() => window.getSelection()?.removeAllRanges());
  }, { signal });
  element.addEventListener("focus", () => {
    show();
  }, { signal });

  return { span, take, drop, show, cursor: () => units[selection.cursor] };
}
