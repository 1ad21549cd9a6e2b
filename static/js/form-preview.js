// Makes the preview of a form work like the rating page, including display logic and marking in the text.
import { watchAsked } from "./rating/display-logic.js";
import { watchKinds } from "./rating/kinds/registry.js";

let page = new AbortController();
let started = null;

// htmx reports each part that it has put into the page.
function start() {
  const criteria = document.querySelector("#preview .criteria");
  if (criteria === started) return;
  started = criteria;
  page.abort();
  page = new AbortController();
  if (!criteria) return;
  watchAsked(criteria);
  watchKinds(criteria, page.signal);
}

document.documentElement.classList.add("has-script");
document.addEventListener("htmx:afterSettle", start);
start();
