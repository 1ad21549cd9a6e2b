// Ignores the second click of a double click on the page that the first click opened.
const DOUBLE_CLICK = 500;

export function ignoreSecondClick() {
  const over = new AbortController();
  for (const kind of ["mousedown", "click"]) document.addEventListener(kind, ignore, { capture: true, signal: over.signal });
  window.setTimeout(() => over.abort(), DOUBLE_CLICK);
}

function ignore(event) {
  if (event.detail < 2) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}
