// The menu of raters' pages: theme and text size apply at once, without leaving the page.

// As `DARK_WHERE` in annotation/views/base/display.py
const DARK_WHERE = { system: "screen and (prefers-color-scheme: dark)", light: "not all", dark: "screen" };
const YEAR = 365 * 24 * 60 * 60;
const apply = {
  theme: (value) => document.getElementById("dark").media = DARK_WHERE[value],
  text_size: (value) => document.documentElement.dataset.textSize = value,
};

const chosen = (name) => document.cookie.match(`(?:^|; )${name}=([^;]*)`)?.[1];

// Applies settings that were changed after this page was fetched, possibly in another tab.
export function showChosen() {
  for (const name of Object.keys(apply)) {
    const button = [...document.querySelectorAll(`.menu [name=${name}]`)].find(({ value }) => value === chosen(name));
    if (button) choose(button);
  }
}

function choose(button) {
  apply[button.name](button.value);
  for (const one of button.parentElement.children) one.setAttribute("aria-pressed", String(one === button));
}

document.addEventListener("submit", (event) => {
  const { name, value } = event.submitter ?? {};
  if (!event.target.closest(".menu") || !(name in apply)) return;
  event.preventDefault();
  const secure = window.location.protocol === "https:" ? "; Secure" : "";
  document.cookie = `${name}=${value}; Path=/; Max-Age=${YEAR}; SameSite=Lax${secure}`;
  choose(event.submitter);
});

document.addEventListener("keydown", (event) => {
  const menu = document.querySelector(".menu[open]");
  if (event.key !== "Escape" || !menu) return;
  menu.open = false;
  menu.querySelector("summary").focus();
});

document.addEventListener("click", (event) => {
  const menu = document.querySelector(".menu[open]");
  if (menu && !menu.contains(event.target)) menu.open = false;
});
