// The live part of the overview refreshes itself (hx-trigger), except while the page is hidden or a study member uses
// the part: what they read or type would be replaced.
const isPart = (element) => element.id === "live";
const inUse = (part) => part.contains(document.activeElement) || part.querySelector("details[open]");

document.addEventListener("htmx:beforeRequest", (event) => {
  if (isPart(event.target) && (document.hidden || inUse(event.target))) event.preventDefault();
});

// After the user is signed out, the response is another page; the shown part remains.
document.addEventListener("htmx:beforeSwap", (event) => {
  const answer = event.detail.xhr.responseText;
  if (isPart(event.target) && !answer.trimStart().startsWith('<div id="live"')) event.detail.shouldSwap = false;
});

document.addEventListener("visibilitychange", () => {
  if (!document.hidden) document.getElementById("live")?.dispatchEvent(new Event("shown"));
});
