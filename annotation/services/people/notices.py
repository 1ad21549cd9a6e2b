"""Choice of the events of a study about which a member is notified by email."""

from __future__ import annotations

from collections.abc import Collection

from django.db import transaction
from django.utils import timezone

from annotation.domain.base.errors import InvalidContent, NotAllowedNow
from annotation.domain.base.messages import message
from annotation.domain.base.states import NoticeEvent
from annotation.models import Membership, NoticeChoice, Study, User


def choose_notices(
    *, study: Study, user: User, events: Collection[str], language: str, site: str
) -> list[NoticeChoice]:
    """Notify a member by email of some events from now on, and of no others.

    What happened before an event is chosen is not sent. The choice of one member changes nothing for others,
    so the audit log does not have it.

    Parameters
    ----------
    study, user
        A study and its member.
    events : collection of str
        Values of `NoticeEvent`; none for no emails.
    language : str
        The language of the interface in which the member reads the emails.
    site : str
        The address under which the member opens the program, for the link in an email.

    Returns
    -------
    list of NoticeChoice
        The choices as they are now, in the order of the events.

    Raises
    ------
    InvalidContent
        An event is not known (`unknown_event`).
    NotAllowedNow
        The user is no member of the study any more (`no_member`).
    """
    unknown = sorted(set(events) - set(NoticeEvent))
    if unknown:
        raise InvalidContent(message("Choose only events from the list."), code="unknown_event")
    with transaction.atomic():
        members = Membership.objects.select_for_update(of=("self",))
        membership = members.filter(study=study, user=user).first()
        if membership is None:
            raise NotAllowedNow(message("You are no longer a member of this study."), code="no_member")
        membership.notices.exclude(event__in=events).delete()
        for event in events:
            NoticeChoice.objects.update_or_create(
                membership=membership,
                event=event,
                defaults={"language": language, "site": site},
                create_defaults={"language": language, "site": site, "seen_until": timezone.now()},
            )
    chosen = {one.event: one for one in membership.notices.all()}
    return [chosen[event] for event in NoticeEvent if event in chosen]
