"""Sending the emails of a message: each once, and what is not known is in doubt."""

from __future__ import annotations

from django.db.models import QuerySet
from django.utils import timezone

from annotation.domain.base.errors import GroundworkError
from annotation.domain.people.rater_messages import DeliveryState, Unreachable
from annotation.models import MessageDelivery, Rater, RaterMessage
from annotation.selectors.people.rater_messages import unreachable
from annotation.services.base.jobs import Lease
from annotation.services.people.mail import MailNotSent, send_mail
from annotation.services.people.messages.letters import email_text, links_of


def send_emails(*, lease: Lease) -> None:
    """Send the emails of a message that wait.

    A delivery is stored as `sending` before the mail server gets the email. Those that a worker left in this
    state when it died are in doubt: the server may have them, so they are never sent again.

    Parameters
    ----------
    lease : Lease
        Lease of a job of kind `rater_messages`; one job at a time sends a message.

    Raises
    ------
    GroundworkError
        The mail server cannot be reached or refuses the sign-in: the emails wait, and the code is its own.
    """
    sent = RaterMessage.objects.filter(pk=lease.job.params["message"]).first()
    if sent is not None:
        deliveries = MessageDelivery.objects.filter(message=sent)
        deliveries.filter(state=DeliveryState.SENDING).update(state=DeliveryState.IN_DOUBT)
        waiting = deliveries.filter(state=DeliveryState.WAITING).order_by("pk")
        tried = 0
        # Each try ends the waiting of its delivery, or the job.
        while (pk := waiting.values_list("pk", flat=True).first()) is not None:
            lease.beat(tried, tried + waiting.count())
            _send(sent, deliveries.filter(pk=pk))
            tried += 1
    lease.complete(lambda: None)


def _send(sent: RaterMessage, row: QuerySet[MessageDelivery]) -> None:
    """Send one email, unless the rater can no longer be written to."""
    raters = Rater.objects.select_related("study", "user", "invitation")
    delivery = row.first()
    if delivery is None:
        return
    rater = raters.get(pk=delivery.rater_id)
    address = rater.user.email if rater.user and rater.user.is_active else ""
    refusal = unreachable(rater, by_email=bool(address), from_platform=False)
    if refusal is Unreachable.NO_MAIL_SERVER:
        raise GroundworkError("This server sends no emails.", code=refusal.value)
    if refusal is not None:
        row.filter(state=DeliveryState.WAITING).update(state=DeliveryState.NOT_SENT, reason=refusal)
        return
    # Before it is sent: whatever becomes of this worker, no second email is sent.
    now = timezone.now()
    if not row.filter(state=DeliveryState.WAITING).update(state=DeliveryState.SENDING, tried_at=now):
        return
    texts = sent.texts[delivery.language]
    links = links_of(rater, sent.site)
    text = email_text(rater=rater, text=texts["text"], language=delivery.language, links=links)
    try:
        send_mail(to=address, subject=texts["subject"], text=text)
    except MailNotSent as refused:
        _note_refusal(row, refused)
    else:
        row.update(state=DeliveryState.SENT, reason="")


def _note_refusal(row: QuerySet[MessageDelivery], refused: MailNotSent) -> None:
    """Store a refusal; where it concerns every email, they wait for the next job."""
    if refused.may_have_arrived:
        row.update(state=DeliveryState.IN_DOUBT, reason=refused.code)
    elif refused.concerns_address:
        row.update(state=DeliveryState.FAILED, reason=refused.code)
    else:
        row.update(state=DeliveryState.WAITING, reason=refused.code)
        raise refused
