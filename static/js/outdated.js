// Reloads the page once when a polling part reports that its job has ended. With htmx's own "HX-Refresh" the part
// would continue polling until the new page is loaded, and each response would restart the loading.
document.addEventListener("outdated", () => window.location.reload(), { once: true });
