// The menu behind a study's name lists the other studies of its reader when it is opened for the first time.

const list = document.querySelector("[data-studies]");

async function load() {
  const answer = await fetch(list.dataset.studies, { headers: { Accept: "text/html" } });
  if (!answer.ok || answer.redirected) return;
  const made = document.createElement("template");
  made.innerHTML = await answer.text();
  for (const link of made.content.querySelectorAll("a")) {
    if (link.getAttribute("href") === list.dataset.current) link.setAttribute("aria-current", "page");
  }
  list.prepend(made.content);
}

list?.closest("details").addEventListener("toggle", load, { once: true });
