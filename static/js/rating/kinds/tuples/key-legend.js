// The keys of marking, at the foot of the page and on buttons: each is shown while it does something.
export function keyLegend(root) {
  const undo = root.querySelector("[data-undo]");
  const caps = [...document.querySelectorAll(".keys [data-while]")];

  return {
    // What of `text`, `selection`, `begun`, `undo` and `offer` there is now.
    show(now) {
      for (const cap of caps) cap.classList.toggle("is-off", !now[cap.dataset.while]);
      undo.setAttribute("aria-disabled", String(!now.undo));
    },
  };
}
