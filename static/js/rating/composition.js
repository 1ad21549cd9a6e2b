// Whether a key belongs to an input method. Safari ends a composition before the Enter that ends it: 229 tells it.
export function isComposing(event) {
  return event.isComposing || event.keyCode === 229;
}
