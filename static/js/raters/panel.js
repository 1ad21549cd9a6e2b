// Beside the list of raters: the evidence about one, which the link of its row loads (hx-get). In a narrow window, and
// with a key that opens a link elsewhere, the link leads to the page of the rater, as it does without scripts.
const panel = document.getElementById("rater-panel");
const links = [...document.querySelectorAll("a[hx-get]")];
const isWide = matchMedia("(min-width: 60rem)");
let shown = null;

function mark(link) {
  shown?.removeAttribute("aria-current");
  shown?.closest("tr").classList.remove("is-selected");
  shown = link;
  shown?.setAttribute("aria-current", "true");
  shown?.closest("tr").classList.add("is-selected");
}

function close() {
  const link = shown;
  mark(null);
  panel.replaceChildren();
  link?.focus();
}

document.addEventListener(
  "click",
  (event) => {
    const elsewhere = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
    if (event.target.closest("a[hx-get]") && (elsewhere || !isWide.matches)) event.stopPropagation();
  },
  true,
);

panel.addEventListener("click", (event) => {
  if (event.target.closest("[data-panel-close]")) close();
  if (event.target.closest("[data-panel-next]")) links[links.indexOf(shown) + 1].click();
});

panel.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && event.target.tagName !== "INPUT") close();
});

// Whoever is signed out meanwhile gets another page as the answer: the link then leads there.
panel.addEventListener("htmx:beforeSwap", (event) => {
  if (event.detail.xhr.responseText.includes('id="rater-evidence"')) return;
  event.detail.shouldSwap = false;
  location.assign(event.detail.requestConfig.elt.href);
});

panel.addEventListener("htmx:afterSwap", (event) => {
  mark(event.detail.requestConfig.elt);
  panel.querySelector("[data-panel-next]").hidden = shown === links.at(-1);
  panel.scrollTop = 0;
  panel.querySelector("h2").focus();
});
