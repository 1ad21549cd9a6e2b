// Pages of a rater without an item: answers that wait on this device are sent as soon as their rater is back.
import { announce, deliverWaiting, note } from "./rating/saving/delivery.js";
import { carry } from "./rating/saving/draft.js";
import * as outbox from "./rating/saving/outbox.js";
import { reasonOn, sayUndelivered, sayWaiting } from "./rating/saving/save-status.js";

async function deliver(sender) {
  if (sender.over) {
    if (!outbox.own(sender).length) return;
    outbox.discard(sender);
    sayUndelivered(reasonOn(document));
    return;
  }
  const before = outbox.waiting(sender).length;
  if (!before) return;
  const outcome = await deliverWaiting(sender);
  const left = outbox.waiting(sender).length;
  if (left === before) return;
  note(outcome);
  if (outcome.carried) carry(outcome.carried.action, outcome.carried.fields);
  // The page says how many answers are saved: it is fetched again.
  else window.location.replace(window.location.pathname + window.location.search);
}

// Nobody is known to this page: each rater whose answer waits is shown the way back.
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
const sender = outbox.senderOf();
if (sender.owner) deliver(sender);
else offer(sender);
