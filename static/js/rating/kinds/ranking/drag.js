// Rows of a ranking can be dragged anywhere with the mouse, but only at the handle by touch, where scrolling needs the rest.
import { placed } from "./order.js";

const FAR = 4;
const rows = (root) => [...root.querySelectorAll("[data-option]")];

export function watchDrag(root, { lift, place, drop, cancel }) {
  let drag = null;
  root.addEventListener("pointerdown", (event) => {
    const row = event.target.closest("[data-option]");
    const onHandle = Boolean(event.target.closest("[data-handle]"));
    const others = event.target.closest("button, select") && !onHandle;
    if (!row || others || event.button || event.pointerType === "touch" && !onHandle) return;
    if (row.closest("fieldset[disabled]")) return;
    drag = { row, from: event.clientY, id: event.pointerId, isLifted: false };
  });
  root.addEventListener("pointermove", (event) => {
    if (drag?.id !== event.pointerId) return;
    if (!drag.isLifted && Math.abs(event.clientY - drag.from) < FAR) return;
    if (!drag.isLifted) {
      drag.isLifted = true;
      root.setPointerCapture(event.pointerId);
      lift(root, drag.row);
    }
    event.preventDefault();
    const all = rows(root);
    const others = all.filter((row) => row !== drag.row);
    const to = others.filter((row) => middle(row) < event.clientY).length;
    if (to !== all.indexOf(drag.row)) place(drag.row, placed(groupsOf(root), drag.row, to));
  });
  const end = (then) => (event) => {
    if (drag?.id !== event.pointerId) return;
    const { isLifted } = drag;
    drag = null;
    if (isLifted) then();
  };
  root.addEventListener("pointerup", end(drop));
  root.addEventListener("pointercancel", end(cancel));
  root.addEventListener("dragstart", (event) => event.preventDefault());

  // Reads the groups of tied rows from the page.
  function groupsOf() {
    const groups = [];
    for (const row of rows(root)) {
      if (row.classList.contains("is-tied-above")) groups.at(-1).push(row);
      else groups.push([row]);
    }
    return groups;
  }
}

function middle(row) {
  const { top, height } = row.getBoundingClientRect();
  return top + height / 2;
}
