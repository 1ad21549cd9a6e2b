// Buttons that copy an address; they stay hidden where the browser cannot.
for (const button of document.querySelectorAll("[data-copy]")) {
  if (!navigator.clipboard) break;
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(button.dataset.copy);
    button.nextElementSibling.hidden = false;
  });
}
