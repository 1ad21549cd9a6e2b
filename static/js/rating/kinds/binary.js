// A yes/no test is a row of the page: a key answers it and goes on to the next row.
import { answered, criteria, focusOn } from "../criteria.js";
import { register } from "./registry.js";

const isRow = (criterion) => criterion.matches(".criterion--binary");

register("binary", {
  // The focus on a point would look like a choice: it goes to the row, where the same keys work.
  focus: focusRow,
  afterKey(criterion) {
    const form = criterion.form ?? criterion.closest("form");
    const all = criteria(form);
    const next = all.slice(all.indexOf(criterion) + 1).find((one) => isRow(one) || isOpen(one));
    if (next) focusOn(next);
    else focusRow(criterion);
  },
});

// A reason that may be left out is passed over.
const isOpen = (criterion) => criterion.dataset.required === "true" && !answered(criterion);

function focusRow(criterion) {
  criterion.tabIndex = -1;
  criterion.focus({ preventScroll: true });
  criterion.scrollIntoView({ block: "nearest" });
  return true;
}
