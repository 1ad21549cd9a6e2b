"""Personal links for a list of people."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from annotation.domain.base.errors import InvalidContent
from annotation.domain.base.limits import LONGEST_LINK_LABEL, MOST_PERSONAL_LINKS
from annotation.domain.base.messages import message
from annotation.domain.base.states import RaterState
from annotation.models import Form, Invitation, Rater, Study, User
from annotation.services.base import audit
from annotation.services.people.invitations import check_expiry, next_rater_number


@dataclass(frozen=True)
class PersonalLink:
    """A person of the list, who is not stored, and the link that was created for them."""

    name: str
    code: str
    invitation: Invitation


def create_personal_links(
    *,
    study: Study,
    actor: User,
    names: Sequence[str],
    label: str = "",
    expires_at: datetime | None = None,
    panel: Form | None = None,
) -> list[PersonalLink]:
    """Create a personal link with a new rater code for each person of a list; all of them or none.

    Parameters
    ----------
    study, actor
        The study to join, and who invites.
    names : sequence of str
        Names or codes of the people, each once; 1 to 1,000. They are returned with the links and not stored.
    label : str
        A name of the whole list, for members only.
    expires_at : datetime or None
        After this time nobody new joins by these links.
    panel : Form or None
        The form whose panel the raters join; needed where the design is `panels`.

    Returns
    -------
    list of PersonalLink
        In the order of the names.

    Raises
    ------
    InvalidContent
        `no_names`, `too_many_names`, `doubled_name`, or `expiry_passed`.
    """
    _check_names(names)
    check_expiry(expires_at)
    with transaction.atomic():
        Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        raters = _invited_raters(study, len(names))
        # Saved one by one: saving gives each its secret.
        links = [
            Invitation.objects.create(
                study=study,
                rater=rater,
                label=label[:LONGEST_LINK_LABEL],
                created_by=actor,
                expires_at=expires_at,
                panel=panel,
            )
            for rater in raters
        ]
        audit.record(
            study=study,
            actor=actor,
            act="invite_list",
            n=len(links),
            first=raters[0].code,
            last=raters[-1].code,
            expires_at=expires_at.isoformat() if expires_at else "",
        )
    return [
        PersonalLink(name, rater.code, link) for name, rater, link in zip(names, raters, links, strict=True)
    ]


def _invited_raters(study: Study, n: int) -> list[Rater]:
    """New raters with the next codes; the study is locked."""
    first = next_rater_number(study)
    return Rater.objects.bulk_create(
        Rater(
            study=study,
            code=f"R-{number:03d}",
            state=RaterState.INVITED,
            seed=secrets.randbelow(2**31),
        )
        for number in range(first, first + n)
    )


def _check_names(names: Sequence[str]) -> None:
    if not names or not all(names):
        raise InvalidContent(message("Every row needs a name or a code."), code="no_names")
    if len(names) > MOST_PERSONAL_LINKS:
        sentence = message("A list can have at most %(most)s people.", most=MOST_PERSONAL_LINKS)
        raise InvalidContent(sentence, code="too_many_names")
    seen: set[str] = set()
    for name in names:
        if name in seen:
            sentence = message("“%(name)s” is twice in the list. Remove one of the rows.", name=name)
            raise InvalidContent(sentence, code="doubled_name")
        seen.add(name)
