// The shortcuts of marking at the foot of the page and on buttons: each is shown only while it has an effect.
export function keyLegend(root) {
  const undo = root.querySelector("[data-undo]");
  const caps = [...document.querySelectorAll(".keys [data-while]")];

  return {
    // `now` has a flag for each of `text`, `selection`, `begun`, `undo` and `offer`.
    show(now) {
      for (const cap of caps) cap.classList.toggle("is-off", !now[cap.dataset.while]);
      undo.setAttribute("aria-disabled", String(!now.undo));
    },
  };
}
