// The live region for screen readers. It remains when the page is replaced, so that its text is read aloud.
const ID = "announcer";
// Delay after a change of focus: the name of the newly focused element would otherwise interrupt the announcement.
const AFTER_FOCUS = 200;

// Chinese and Japanese have a full stop of their own, and no space after it.
const stop = () => (/^(zh|ja)/.test(document.documentElement.lang) ? "。" : ". ");

export const joined = (sentences) => sentences.filter(Boolean).join(stop());

export function announce(words) {
  const spoken = region();
  window.setTimeout(() => spoken.textContent = words, AFTER_FOCUS);
}

// Announces text after the page was shown, without repeating what was announced with the page.
export function announceLater(words) {
  const spoken = region();
  window.setTimeout(() => spoken.prepend(words, spoken.textContent ? stop() : ""), AFTER_FOCUS);
}

// Replaces the current page with a new one.
export function replacePage(fresh) {
  const spoken = region();
  spoken.textContent = "";
  for (const one of [...document.body.childNodes]) if (one !== spoken) one.remove();
  document.body.className = fresh.className;
  document.body.prepend(...document.adoptNode(fresh).childNodes);
}

function region() {
  const found = document.getElementById(ID);
  if (found) return found;
  const made = document.createElement("div");
  made.id = ID;
  made.className = "vh";
  made.setAttribute("role", "status");
  made.setAttribute("aria-atomic", "false");
  document.body.append(made);
  return made;
}
