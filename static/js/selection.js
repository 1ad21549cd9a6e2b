// The bar of a list with check boxes shows how many rows of the page are selected; a box in the head selects all.
const bar = document.querySelector("[data-selection]");
const count = bar?.querySelector("[data-word-count]");
const whole = bar?.closest("form").querySelector("[data-select-all]");
const boxes = () =>
  [...bar.closest("form").querySelectorAll('input[type="checkbox"]')].filter((box) => box !== whole);

function say() {
  const all = boxes();
  const n = all.filter((box) => box.checked).length;
  count.textContent = count.dataset.wordCount.replace("{n}", n).replace("{all}", all.length);
  count.hidden = false;
  if (whole) {
    whole.hidden = false;
    whole.checked = n === all.length;
    whole.indeterminate = n > 0 && n < all.length;
  }
}

if (bar) {
  whole?.addEventListener("change", () => boxes().forEach((box) => (box.checked = whole.checked)));
  bar.closest("form").addEventListener("change", say);
  say();
}
