// The line above the button counts down the page's minimum time and then announces its end.
// The server decides by its own clock; this countdown is only a display.
const TICK = 250;

export function watchClock(form) {
  const part = (name) => form.querySelector(`[data-${name}]`);
  let end = 0;
  let timer = null;

  // Called again when the server returned the page with errors and a new line.
  function start() {
    window.clearInterval(timer);
    timer = null;
    const seconds = Number(part("seconds-left")?.dataset.secondsLeft ?? 0);
    if (!(seconds > 0)) return;
    end = Date.now() + 1000 * seconds;
    timer = window.setInterval(show, TICK);
    show();
  }

  function show() {
    const left = Math.ceil((end - Date.now()) / 1000);
    const [shown, over] = [part("countdown"), part("time-over")];
    form.querySelector("button[type=submit]")?.classList.toggle("is-early", left > 0);
    if (!shown || !over) return;
    shown.textContent = left > 0 ? shown.dataset.countdown.replace("{n}", left) : "";
    if (left > 0) return;
    window.clearInterval(timer);
    over.textContent = over.dataset.timeOver;
  }

  start();
  return { start };
}
