// Pages of a rater without an item: sends the answers stored on this device as soon as their rater returns.
import * as ahead from "./rating/saving/ahead.js";
import { announce, deliverWaiting, LONGEST_PAUSE, note, RETRY } from "./rating/saving/delivery.js";
import { carry } from "./rating/saving/draft.js";
import { watchLeaving } from "./rating/saving/leaving.js";
import * as outbox from "./rating/saving/outbox.js";
import { reasonOn, sayCount, sayUndelivered, sayUnsent, sayWaiting } from "./rating/saving/save-status.js";

// Some pages have their own notice about the waiting answers.
const ownWords = document.getElementById("kept-answers");
let timer = null;
let busy = false;

async function deliver(sender) {
  window.clearTimeout(timer);
  const before = outbox.waiting(sender).length;
  if (!before || busy) return;
  busy = true;
  const outcome = await deliverWaiting(sender);
  busy = false;
  const left = outbox.waiting(sender).length;
  if (left === before) return keep(sender, left, outcome.halted);
  note(outcome);
  if (outcome.carried) carry(outcome.carried.action, outcome.carried.fields);
  // The page says how many answers are saved: it is fetched again.
  else window.location.replace(window.location.pathname + window.location.search);
}

function keep(sender, count, { unreached, pause = 0, lost }) {
  if (ownWords) sayCount(ownWords, count);
  else if (unreached) sayUnsent(count, unreached, false);
  else if (lost) sayWaiting(sender);
  if (!unreached) return;
  timer = window.setTimeout(() => deliver(sender), Math.max(RETRY, 1000 * Math.min(pause, LONGEST_PAUSE)));
}

function giveUp(sender) {
  if (!outbox.own(sender).length) return;
  outbox.discard(sender);
  sayUndelivered(reasonOn(document));
}

// Without a session, the page shows each rater with waiting answers how to return.
function offer({ rateUrl }) {
  const model = document.getElementById("waiting");
  for (const box of outbox.boxesAt(rateUrl || window.location.pathname)) {
    const notice = model.cloneNode(true);
    notice.removeAttribute("id");
    model.before(notice);
    sayWaiting(box, notice);
    const button = notice.querySelector("[data-someone-else]");
    button.hidden = !box.link;
    button.addEventListener("click", () => {
      outbox.forgetLink(box);
      notice.remove();
    });
  }
}

announce();
watchLeaving();
const sender = outbox.senderOf();
ahead.tellLanguage(sender.rateUrl);
if (!sender.owner) offer(sender);
else if (sender.over) giveUp(sender);
else if (sender.held && outbox.waiting(sender).length) sayCount(ownWords, outbox.waiting(sender).length);
else if (!sender.held) {
  deliver(sender);
  window.addEventListener("online", () => deliver(sender));
}
