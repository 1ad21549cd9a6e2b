// The rater's own switches in the menu and in the list of shortcuts, stored on this device.
import { device, read, write } from "../saving/storage.js";

const ON_AT_FIRST = { jump: false, keys: true };

export const isOn = (name) => read(device, `switch:${name}`) ?? ON_AT_FIRST[name];

export function watchSwitches() {
  for (const one of document.querySelectorAll("[data-switch]")) {
    one.hidden = false;
    one.addEventListener("click", () => {
      write(device, `switch:${one.dataset.switch}`, !isOn(one.dataset.switch));
      document.querySelectorAll(`[data-switch=${one.dataset.switch}]`).forEach(show);
    });
    show(one);
  }
}

function show(one) {
  const name = one.dataset.switch;
  one.setAttribute("aria-checked", String(isOn(name)));
  document.documentElement.classList.toggle(`no-${name}`, !isOn(name));
}
