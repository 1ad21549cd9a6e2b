// The preview of a form acts as the rating page will: what is asked after an answer, tuples marked in the text.
import { watchAsked } from "./rating/display-logic.js";
import { watchKinds } from "./rating/kinds/registry.js";

const preview = document.getElementById("preview");
let page = new AbortController();

function start() {
  page.abort();
  page = new AbortController();
  const criteria = preview.querySelector(".criteria");
  if (!criteria) return;
  watchAsked(criteria);
  watchKinds(criteria, page.signal);
}

document.documentElement.classList.add("has-script");
document.addEventListener("htmx:afterSwap", start);
start();
