// A comment or problem report: its text is stored until the server has it, even if the connection drops.
import "../rating/characters-left.js";
import { read, tab, write } from "../rating/saving/storage.js";

const form = () => document.querySelector("form[data-report]");
const key = `report:${window.location.pathname}${window.location.search}`;
let isSending = false;

function restore() {
  const stored = read(tab, key);
  const { text, report_key } = form()?.elements ?? {};
  if (!stored || !text || text.value) return;
  [text.value, report_key.value] = [stored.text, stored.reportKey];
  text.dispatchEvent(new Event("input", { bubbles: true }));
}

// The key is stored with the text, so that a report sent twice is saved once.
function keep({ elements: { text, report_key } }) {
  write(tab, key, text.value ? { text: text.value, reportKey: report_key.value } : null);
}

async function send(sent) {
  isSending = true;
  hideNotSent();
  try {
    const answer = await fetch(sent.action, { method: "POST", body: new URLSearchParams(new FormData(sent)), redirect: "manual" });
    if (answer.type === "opaqueredirect") arrive(sent);
    else if (answer.status >= 500) sayNotSent("not-stored");
    else showAnswer(await answer.text());
  } catch {
    sayNotSent("not-sent");
  }
  isSending = false;
}

function arrive(sent) {
  write(tab, key, null);
  window.location.assign(sent.dataset.report);
}

// Shows the same page with its errors, or a page that explains why nothing can be sent.
function showAnswer(html) {
  const page = new DOMParser().parseFromString(html, "text/html");
  if (!page.querySelector("main")) return sayNotSent("not-stored");
  document.title = page.title;
  document.querySelector("main").replaceWith(page.querySelector("main"));
  document.querySelector("[autofocus], main h1")?.focus();
}

function sayNotSent(id) {
  const notice = document.getElementById(id);
  notice.hidden = false;
  notice.focus();
}

function hideNotSent() {
  for (const notice of document.querySelectorAll("#not-sent, #not-stored")) notice.hidden = true;
}

document.addEventListener("input", () => form() && keep(form()));
document.addEventListener("submit", (event) => {
  if (event.target !== form()) return;
  event.preventDefault();
  if (!isSending) send(event.target);
});
restore();
