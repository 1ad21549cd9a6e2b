// Keys stay in one criterion. If a key replaces an answer while another question is open, a notice says how to get there.
import { announce } from "../page-change/announcer.js";
import { answered, criteria } from "../criteria.js";
import { word } from "../messages.js";

const notice = () => document.getElementById("replaced");

export function watchReplaced(form) {
  for (const kind of ["change", "focusin", "submit"]) form.addEventListener(kind, hide);
}

export function sayReplaced(form, criterion) {
  const direction = directionFrom(form, criterion);
  if (!notice() || !direction || !criterion.contains(document.activeElement)) return;
  const line = notice().querySelector("[data-told]");
  line.textContent = word(line, direction, { name: criterion.querySelector(".criterion__name").textContent.trim() });
  notice().hidden = false;
  announce(line.textContent);
}

// Returns the direction of the next question without an answer; empty if there is none.
function directionFrom(form, criterion) {
  const all = criteria(form);
  const open = all.filter((one) => !answered(one)).map((one) => all.indexOf(one));
  if (open.some((place) => place > all.indexOf(criterion))) return "down";
  return open.length ? "up" : "";
}

function hide() {
  if (notice()) notice().hidden = true;
}
