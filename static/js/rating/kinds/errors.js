// Errors are marked in the text with a severity and a category; the answer can also be that there are none.
import { watchErrors, pageOf } from "./errors/marking.js";
import { register } from "./registry.js";

register("errors", {
  watch: watchErrors,
  isAnswered: (criterion) => pageOf(criterion)?.isAnswered() ?? false,
  values: (criterion) => pageOf(criterion)?.values() ?? [],
  act: (criterion, event) => pageOf(criterion)?.act(event) ?? false,
  focus(criterion) {
    const page = pageOf(criterion);
    page?.focus();
    return Boolean(page);
  },
});
