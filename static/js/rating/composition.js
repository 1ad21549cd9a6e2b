// Whether a key belongs to an input method. Safari ends a composition before its Enter key event, which has code 229.
export function isComposing(event) {
  return event.isComposing || event.keyCode === 229;
}
