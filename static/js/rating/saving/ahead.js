// The pages after the one that is shown, fetched before they are needed. They are kept in this tab's memory only:
// what is loaded anew asks the server again.
import { preloadMedia } from "../media/preload.js";

const MOST = 2;

// The rater changes the language for all tabs: what was fetched in another one is not shown.
const LANGUAGE = /<html lang="([^"]+)"/;
const loaded = "BroadcastChannel" in window ? new BroadcastChannel("groundwork-language") : null;

let pages = [];
let filling = false;
let language = document.documentElement.lang;

export const addresses = () => pages.map(({ address }) => address);

export const next = () => pages[0];

export function keep(html, address) {
  const spoken = LANGUAGE.exec(html)?.[1] ?? "";
  // What lies between is missing then: all are fetched again.
  if (spoken !== language) speakIn(spoken);
  else if (pages.length < MOST && !addresses().includes(address)) {
    pages.push({ html, address, fetched: Date.now() });
    preloadMedia(html);
  }
}

export function speakIn(now) {
  if (now !== language) pages = [];
  language = now;
}

// Pages of a study say in which language they were loaded, to those that were loaded before.
export const tellLanguage = (study) => loaded?.postMessage({ study, now: document.documentElement.lang });

export function watchLanguage(study, signal, after) {
  loaded?.addEventListener("message", ({ data }) => {
    if (data.study !== study || data.now === language) return;
    speakIn(data.now);
    after();
  }, { signal });
}

export const forget = () => { pages = []; };

// What comes up to a page that is shown is past; one that is not among these comes from elsewhere.
export function shown(address) {
  const place = addresses().indexOf(address);
  pages = place < 0 ? [] : pages.slice(place + 1);
}

// The page says whether there may be any: its address, with "ahead/", gives the one after it.
export async function fill(form, token, signal) {
  if (!form.dataset.ahead || filling) return;
  filling = true;
  try {
    while (pages.length < MOST) {
      const last = pages.at(-1);
      const answer = await fetch(last ? `${last.address}ahead/` : form.dataset.ahead, {
        method: "POST",
        headers: { "X-CSRFToken": token, Accept: "text/html" },
        credentials: "same-origin",
        signal,
      });
      if (answer.status !== 200) break;
      const html = await answer.text();
      if (signal.aborted) break;
      keep(html, answer.headers.get("Content-Location"));
    }
  } catch {
    // Without a connection, or with the page gone, there is no page ahead.
  }
  filling = false;
}

// A page tells how things were when it was fetched: since then the reservation has run on, and items were saved.
export function upToDate(page, fetched, saved) {
  page.querySelector("[data-shown]")?.remove();
  const seat = page.querySelector("[data-seat-seconds]");
  if (seat) seat.dataset.seatSeconds = Math.max(0, Number(seat.dataset.seatSeconds) - (Date.now() - fetched) / 1000);
  const thread = page.querySelector("progress.thread");
  if (!thread) return;
  thread.value = Math.max(thread.value, saved);
  thread.setAttribute("aria-label", thread.dataset.label.replace("{done}", thread.value));
}
