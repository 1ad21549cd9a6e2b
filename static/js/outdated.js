// A part of the page whose work has ended says so, and the page is loaded anew, once. With htmx's own "HX-Refresh" the
// part would go on asking until the new page is there, and each answer would begin the loading again.
document.addEventListener("outdated", () => window.location.reload(), { once: true });
