// Tuples are marked in the text if the page contains it; otherwise they are typed into rows.
import { enter, focusText, isMarked, press, watchMarking } from "./tuples/marking.js";
import { complete, makeRoom, watchTuples } from "./tuples/rows.js";
import { register } from "./registry.js";

register("tuples", {
  watch(form, signal) {
    watchMarking(form, signal);
    watchTuples(form);
  },
  makeRoom,
  isAnswered: complete,
  enter: (criterion, event) => isMarked(criterion) && enter(criterion, event),
  act: (criterion, event) => isMarked(criterion) && press(criterion, event),
  focus(criterion) {
    const marked = isMarked(criterion);
    if (marked) focusText(criterion);
    return marked;
  },
});
