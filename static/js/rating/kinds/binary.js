// A yes/no test is one row: a key answers it and moves the focus to the next row.
import { answered, criteria, focusOn } from "../criteria.js";
import { register } from "./registry.js";

const isRow = (criterion) => criterion.matches(".criterion--binary");

register("binary", {
  // Focus on a point would look like a choice, so the row gets it; the same keys work there.
  focus: focusRow,
  afterKey(criterion) {
    const form = criterion.form ?? criterion.closest("form");
    const all = criteria(form);
    const next = all.slice(all.indexOf(criterion) + 1).find((one) => isRow(one) || isOpen(one));
    if (next) focusOn(next);
    else focusRow(criterion);
  },
});

// Optional reasons are skipped.
const isOpen = (criterion) => criterion.dataset.required === "true" && !answered(criterion);

function focusRow(criterion) {
  criterion.tabIndex = -1;
  criterion.focus({ preventScroll: true });
  criterion.scrollIntoView({ block: "nearest" });
  return true;
}
