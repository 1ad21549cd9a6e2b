// The behaviour of each kind of question that differs from a list of options or a text field.
const kinds = new Map();

export const COMMON = {
  isAnswered(criterion) {
    const text = criterion.querySelector("textarea");
    return text ? text.value.trim() !== "" : Boolean(criterion.querySelector("input:checked"));
  },
  values: (criterion) => [...criterion.querySelectorAll("input:checked")].map((point) => point.value),
  // Whether the kind has set the focus itself.
  focus: () => false,
  // Starts an answer with a key that belongs to no option, while the focus is elsewhere; returns whether it did.
  typeInto: () => false,
  // Called after a key has chosen a point.
  afterKey: () => {},
  // Whether a key pressed in the criterion is handled by its field and not by the page.
  ownsKey: () => false,
  // Handle Enter, and keys that the page does not use, wherever the focus is; they return whether they did anything.
  enter: () => false,
  act: () => false,
};

// The key is the name of the file, which several kinds may share.
// A kind may have `watch`, which is called for each page, `makeRoom` for the fields of a draft, and any of COMMON.
export function register(key, kind) {
  kinds.set(key, kind);
}

export const kindOf = (criterion) => ({ ...COMMON, ...kinds.get(criterion.dataset.script) });

export function watchKinds(form, signal) {
  for (const kind of kinds.values()) kind.watch?.(form, signal);
}

export function makeRoom(form, names) {
  for (const kind of kinds.values()) kind.makeRoom?.(form, names);
}
