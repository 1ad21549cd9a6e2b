// Fetches the next pages before they are needed. They are stored only in the memory of this tab: a reloaded page
// requests them again.
import { preloadMedia } from "../media/preload.js";

const MOST = 2;

// The language applies to all tabs: pages fetched in another language are discarded.
const LANGUAGE = /<html lang="([^"]+)"/;
const loaded = "BroadcastChannel" in window ? new BroadcastChannel("groundwork-language") : null;

let pages = [];
let filling = false;
let language = document.documentElement.lang;

export const addresses = () => pages.map(({ address }) => address);

export const next = () => pages[0];

export function keep(html, address) {
  const spoken = LANGUAGE.exec(html)?.[1] ?? "";
  // A page in another language means that the language changed: all pages are fetched again.
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

// Sends the language of this page to the other tabs of the study.
export const tellLanguage = (study) => loaded?.postMessage({ study, now: document.documentElement.lang });

export function watchLanguage(study, signal, after) {
  loaded?.addEventListener("message", ({ data }) => {
    if (data.study !== study || data.now === language) return;
    speakIn(data.now);
    after();
  }, { signal });
}

export const forget = () => { pages = []; };

// Drops the fetched pages up to the shown one, and all of them if the shown page was not fetched ahead.
export function shown(address) {
  const place = addresses().indexOf(address);
  pages = place < 0 ? [] : pages.slice(place + 1);
}

// `data-ahead` states whether a next page is possible. The address of a page plus "ahead/" returns the page after it.
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
    // Without a connection, or after the page was replaced, nothing is fetched.
  }
  filling = false;
}

// Updates a page that was fetched earlier: the time left of the reservation and the number of saved items.
export function upToDate(page, fetched, saved) {
  page.querySelector("[data-shown]")?.remove();
  const seat = page.querySelector("[data-seat-seconds]");
  if (seat) seat.dataset.seatSeconds = Math.max(0, Number(seat.dataset.seatSeconds) - (Date.now() - fetched) / 1000);
  const thread = page.querySelector("progress.thread");
  if (!thread) return;
  thread.value = Math.max(thread.value, saved);
  thread.setAttribute("aria-label", thread.dataset.label.replace("{done}", thread.value));
}
