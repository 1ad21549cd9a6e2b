// A free-text answer: a button copies the words selected in the item's text into the field.
import { register } from "./registry.js";

let selected = "";

register("text", {
  watch(form, signal) {
    selected = "";
    document.addEventListener("selectionchange", note, { signal });
    form.addEventListener("click", (event) => {
      const button = event.target.closest("[data-copy-words]");
      if (button) insert(button);
    });
  },
});

// Remembers the selection, because pressing a button can clear it, especially on touch screens.
function note() {
  const now = window.getSelection();
  const within = now.anchorNode?.parentElement?.closest(".specimen");
  if (within && within.contains(now.focusNode) && String(now).trim()) selected = String(now).trim();
}

function insert(button) {
  const field = button.closest("fieldset.criterion").querySelector("textarea");
  button.nextElementSibling.hidden = selected !== "";
  if (selected) {
    const before = field.value.slice(0, field.selectionStart);
    field.setRangeText(before && !/\s$/u.test(before) ? ` ${selected}` : selected, field.selectionStart, field.selectionEnd, "end");
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
  field.focus();
}
