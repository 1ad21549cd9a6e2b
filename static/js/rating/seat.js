// In its last ten minutes, an item says until when it is reserved, in the rater's own time.
const LAST = 10 * 60 * 1000;

export function watchSeat(form, signal) {
  const words = form.querySelector("[data-seat-seconds]");
  if (!words) return;
  const left = 1000 * Number(words.dataset.seatSeconds);
  const until = new Date(Date.now() + left);
  const time = until.toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  words.textContent = words.dataset.until.replace("{time}", time);
  const timer = window.setTimeout(() => words.closest(".notice").hidden = false, Math.max(0, left - LAST));
  signal.addEventListener("abort", () => window.clearTimeout(timer));
}
