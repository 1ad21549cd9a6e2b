// The button says how much of the page's least time is left; one quiet sentence says that it is over.
// The server's clock decides: this one only shows it.
const TICK = 250;

export function watchClock(form) {
  const note = form.querySelector("[data-seconds-left]");
  const shown = form.querySelector("[data-countdown]");
  const over = form.querySelector("[data-time-over]");
  let end = 0;
  let timer = null;

  function restart(seconds) {
    window.clearInterval(timer);
    end = Date.now() + 1000 * seconds;
    over.textContent = "";
    if (seconds > 0) timer = window.setInterval(show, TICK);
    show();
  }

  function show() {
    const left = Math.ceil((end - Date.now()) / 1000);
    shown.textContent = left > 0 ? `${left} s` : "";
    if (left > 0 || timer === null) return;
    window.clearInterval(timer);
    timer = null;
    over.textContent = over.dataset.timeOver;
  }

  if (note && shown && over) restart(Number(note.dataset.secondsLeft));
  return { follow: (page) => follow(page, note && shown ? restart : null) };
}

// A page that was given back says how much is left now.
function follow(page, restart) {
  const left = page.querySelector("[data-seconds-left]")?.dataset.secondsLeft;
  if (restart && left !== undefined) restart(Number(left));
}
