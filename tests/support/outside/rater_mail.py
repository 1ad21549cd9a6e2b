"""A message that all raters of a study got."""

from __future__ import annotations

from annotation.models import MessageDelivery, RaterMessage
from tests.support.people import Cast


def message_to(cast: Cast) -> RaterMessage:
    texts = {"en": {"subject": "Thank you", "text": "Your answers are saved."}}
    sent = RaterMessage.objects.create(study=cast.study, number=1, kind="thanks", texts=texts, site="-")
    MessageDelivery.objects.bulk_create(
        MessageDelivery(message=sent, rater=rater, state="sent", language="en")
        for rater in cast.study.raters.all()
    )
    return sent
