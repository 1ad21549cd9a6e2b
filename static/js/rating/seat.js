// Shows in the last ten minutes, in the rater's local time, how long the item is reserved, and then that it expired.
const LAST = 10 * 60 * 1000;
// Browsers store the delay of a timer in 31 bits.
const LONGEST_TIMER = 2 ** 31 - 1;

export function watchSeat(form, signal) {
  const words = form.querySelector("[data-seat-seconds]");
  if (!words) return;
  const left = 1000 * Number(words.dataset.seatSeconds);
  const until = new Date(Date.now() + left);
  const time = until.toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  words.textContent = words.dataset.until.replace("{time}", time);
  const after = (time, act) => window.setTimeout(act, Math.min(Math.max(0, time), LONGEST_TIMER));
  const timers = [
    after(left - LAST, () => words.closest(".notice").hidden = false),
    after(left, () => words.parentElement.textContent = words.dataset.over),
  ];
  signal.addEventListener("abort", () => timers.forEach((timer) => window.clearTimeout(timer)));
}
