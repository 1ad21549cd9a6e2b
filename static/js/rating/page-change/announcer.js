// The one region that outlives the pages: what is put into it is read aloud, though all around it was replaced.
const ID = "announcer";
// Words that come with a change of the focus would be lost to the name of what has it now.
const AFTER_FOCUS = 200;

// Chinese and Japanese have a full stop of their own, and no space after it.
const stop = () => (/^(zh|ja)/.test(document.documentElement.lang) ? "。" : ". ");

export const joined = (sentences) => sentences.filter(Boolean).join(stop());

export function announce(words) {
  const spoken = region();
  window.setTimeout(() => spoken.textContent = words, AFTER_FOCUS);
}

// What becomes known after a page is there is read alone, whatever of the page itself was read before.
export function announceLater(words) {
  const spoken = region();
  window.setTimeout(() => spoken.prepend(words, spoken.textContent ? stop() : ""), AFTER_FOCUS);
}

// Puts a fresh page in the place of the one that is there.
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
