// Tuples: marked in the text where the page has it, else written in rows.
import { focusText, isMarked, watchMarking } from "./tuples/marking.js";
import { complete, makeRoom, watchTuples } from "./tuples/rows.js";
import { register } from "./registry.js";

register("tuples", {
  watch(form, signal) {
    watchMarking(form, signal);
    watchTuples(form);
  },
  makeRoom,
  isAnswered: complete,
  focus(criterion) {
    const marked = isMarked(criterion);
    if (marked) focusText(criterion);
    return marked;
  },
});
