// The panel next to the list of raters shows the evidence about one rater, which the link of its row loads (hx-get). In a
// narrow window, or with a key that opens links elsewhere, the link leads to the rater's page, as without scripts.
const panel = document.getElementById("rater-panel");
const links = [...document.querySelectorAll("a[hx-get]")];
const isWide = matchMedia("(min-width: 60rem)");
let shown = null;
const scrolled = { before: 0, after: 0 };

// The height of rows changes with the width of the list; scrolls so that the row of the link stays where it was.
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

// After the user is signed out, the response is another page; the browser then follows the link.
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
