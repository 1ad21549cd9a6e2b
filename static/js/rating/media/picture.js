// A click or F opens a picture in full size in the page; Esc closes it. Without scripts it is a link.
import { isTyping } from "../keyboard.js";
import { isOn } from "../own-settings/switches.js";

export function watchPictures(signal) {
  const links = [...document.querySelectorAll("[data-picture]")];
  if (!links.length) return;
  for (const link of links) {
    link.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      open(link);
    });
  }
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event) || !isOn("keys")) return;
    if (event.key.toLowerCase() === "f" && !document.querySelector("dialog[open]")) open(links[0]);
  }, { signal });
}

function open(link) {
  const picture = link.querySelector("img");
  const dialog = document.createElement("dialog");
  dialog.className = "media__full";
  const large = document.createElement("img");
  large.src = link.href;
  large.alt = picture.alt;
  const close = document.createElement("button");
  close.type = "button";
  close.className = "btn";
  close.textContent = link.dataset.close;
  close.addEventListener("click", () => dialog.close());
  dialog.setAttribute("aria-label", link.getAttribute("aria-label"));
  dialog.append(large, close);
  dialog.addEventListener("close", () => {
    dialog.remove();
    link.focus();
  });
  document.getElementById("main").append(dialog);
  dialog.showModal();
}
