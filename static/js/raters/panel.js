// Beside the list of raters: the evidence about one, which the link of its row loads (hx-get). In a narrow window, and
// with a key that opens a link elsewhere, the link leads to the page of the rater, as it does without scripts.
const panel = document.getElementById("rater-panel");
const links = [...document.querySelectorAll("a[hx-get]")];
const isWide = matchMedia("(min-width: 60rem)");
let shown = null;
const scrolled = { before: 0, after: 0 };

// Rows get lower and higher with the width of the list: the row of the link stays where it is in the window.
function keepPlace(link, top) {
  scrollBy(0, link.getBoundingClientRect().top - top);
}

function mark(link) {
  shown?.removeAttribute("aria-current");
  shown?.closest("tr").classList.remove("is-selected");
  shown = link;
  shown?.setAttribute("aria-current", "true");
  shown?.closest("tr").classList.add("is-selected");
}

function close() {
  const link = shown;
  if (link === null) return;
  const top = link.getBoundingClientRect().top;
  const isSamePlace = scrollY === scrolled.after;
  mark(null);
  panel.replaceChildren();
  link.focus({ preventScroll: true });
  if (isSamePlace) scrollTo(0, scrolled.before);
  else keepPlace(link, top);
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
  const link = event.detail.requestConfig.elt;
  if (event.detail.xhr.responseText.includes('id="rater-evidence"')) {
    if (shown === null) scrolled.before = scrollY;
    link.dataset.top = link.getBoundingClientRect().top;
    return;
  }
  event.detail.shouldSwap = false;
  location.assign(link.href);
});

panel.addEventListener("htmx:afterSwap", (event) => {
  const link = event.detail.requestConfig.elt;
  mark(link);
  keepPlace(link, Number(link.dataset.top));
  panel.querySelector("[data-panel-next]").hidden = shown === links.at(-1);
  panel.scrollTop = 0;
  const heading = panel.querySelector("h2");
  heading.focus({ preventScroll: true });
  heading.scrollIntoView({ block: "nearest" });
  scrolled.after = scrollY;
});
