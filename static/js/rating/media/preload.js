// Media of pages that were fetched ahead are loaded ahead too, unless the browser is asked to save data.
export function preloadMedia(html) {
  if (navigator.connection?.saveData) return;
  const page = new DOMParser().parseFromString(html, "text/html");
  for (const shown of page.querySelectorAll(".media__picture, [data-recording]")) load(shown);
}

function load(shown) {
  const address = shown.getAttribute("src");
  if (shown.matches("img")) new Image().src = address;
  else fetch(address, { credentials: "same-origin", mode: "no-cors" }).catch(() => {});
}
