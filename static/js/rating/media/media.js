// Pictures, recordings and videos of an item. Scales are enabled once all required media were played in full.
import { clockTime } from "./clock-time.js";
import { watchPictures } from "./picture.js";
import { watchPlayers } from "./player.js";

export function watchMedia(form, signal) {
  watchPictures(signal);
  watchPlayers(signal);
  const recordings = [...document.querySelectorAll("[data-recording]")];
  if (!recordings.length) return;
  for (const recording of recordings) watchRecording(form, recording);
  form.addEventListener("input", () => open(form));
  form.addEventListener("submit", (event) => {
    // A practice item can be skipped unheard.
    if (!isWaiting(form) || event.submitter?.formNoValidate) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    document.getElementById("unheard")?.scrollIntoView({ block: "nearest" });
    document.querySelector("[data-player]:not([hidden]) [data-play], [data-recording]")?.focus();
  });
  open(form);
}

function watchRecording(form, recording) {
  const label = form.querySelector(`[data-heard="${CSS.escape(recording.dataset.recording)}"]`);
  const box = label?.querySelector("input");
  if (!box) return;
  const words = label.querySelector("[data-read]");
  if (!box.checked) {
    box.value = "read";
    words.textContent = words.dataset.read;
  }
  const note = () => {
    if (isWhole(recording)) {
      box.value = "played";
      box.checked = true;
      label.hidden = true;
    }
    open(form, recording);
  };
  for (const name of ["timeupdate", "ended", "pause"]) recording.addEventListener(name, note);
}

// A recording counts as played if every second was played, at any speed and in any order, with tolerance at the ends.
const SLACK = 0.5;

function isWhole({ played, duration }) {
  if (!Number.isFinite(duration) || duration <= 0) return false;
  let until = 0;
  for (let n = 0; n < played.length; n += 1) {
    if (played.start(n) > until + SLACK) return false;
    until = Math.max(until, played.end(n));
  }
  return until >= duration - SLACK;
}

const isWaiting = (form) => !form.elements.cannot_rate?.checked
  && [...form.querySelectorAll("[data-whole] input")].some((box) => !box.checked);

function open(form, recording) {
  const waits = isWaiting(form);
  form.classList.toggle("is-waiting", waits);
  for (const criterion of form.querySelectorAll("fieldset.criterion")) criterion.disabled = waits;
  const notice = document.getElementById("unheard");
  if (!notice) return;
  notice.hidden = !waits;
  const line = notice.querySelector("[data-unheard]");
  if (recording?.played.length) line.textContent = line.dataset.unheard.replace("{time}", clockTime(recording.currentTime));
}
