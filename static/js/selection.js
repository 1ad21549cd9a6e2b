// The bar of a list with check boxes says how many rows of the page are selected.
const bar = document.querySelector("[data-selection]");
const count = bar?.querySelector("[data-word-count]");
const boxes = () => [...bar.closest("form").querySelectorAll('input[type="checkbox"]')];

function say() {
  const all = boxes();
  const n = all.filter((box) => box.checked).length;
  count.textContent = count.dataset.wordCount.replace("{n}", n).replace("{all}", all.length);
  count.hidden = false;
}

if (bar) {
  bar.closest("form").addEventListener("change", say);
  say();
}
