// The part of the overview that changes while raters work asks for itself again (hx-trigger). It does not while the
// page is hidden, and not while somebody uses the part: what they read or type would be replaced.
const isPart = (element) => element.id === "live";
const inUse = (part) => part.contains(document.activeElement) || part.querySelector("details[open]");

document.addEventListener("htmx:beforeRequest", (event) => {
  if (isPart(event.target) && (document.hidden || inUse(event.target))) event.preventDefault();
});

// Whoever is signed out meanwhile gets another page as the answer: what is shown stays.
document.addEventListener("htmx:beforeSwap", (event) => {
  const answer = event.detail.xhr.responseText;
  if (isPart(event.target) && !answer.trimStart().startsWith('<div id="live"')) event.detail.shouldSwap = false;
});

document.addEventListener("visibilitychange", () => {
  if (!document.hidden) document.getElementById("live")?.dispatchEvent(new Event("shown"));
});
