"""Personal links for a list of people."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.crypto import salted_hmac

from annotation.domain.base.errors import InvalidContent
from annotation.domain.base.limits import LONGEST_LINK_LABEL, MOST_PERSONAL_LINKS
from annotation.domain.base.messages import message
from annotation.domain.base.states import RaterState
from annotation.models import Form, Invitation, Rater, Study, User
from annotation.models.base.sealed import installation_keys
from annotation.services.base import audit
from annotation.services.people.invitations import check_expiry, next_rater_number


@dataclass(frozen=True)
class PersonalLink:
    """A name of the list with its personal link; only a keyed hash of the name is stored."""

    name: str
    code: str
    invitation: Invitation
    new: bool = True


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

    Who has a link of an earlier list that works keeps it and gets no second one.

    Parameters
    ----------
    study, actor
        The study to join, and who invites.
    names : sequence of str
        Names, addresses or codes of the people, each once; 1 to 1,000. They are returned with the links, and
        only a keyed hash is stored, by which a person of a later list is recognised.
    label : str
        A name of the whole list, for members only.
    expires_at : datetime or None
        Time after which no new rater can join by these links.
    panel : Form or None
        The form whose panel the raters join; needed where the design is `panels`.

    Returns
    -------
    list of PersonalLink
        In the order of the names, those that were there before among them.

    Raises
    ------
    InvalidContent
        `no_names`, `too_many_names`, `doubled_name`, or `expiry_passed`.
    """
    _check_names(names)
    check_expiry(expires_at)
    with transaction.atomic():
        Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        found = _working_links(study, names)
        raters = _invited_raters(study, len(names) - len(found))
        shared = {"label": label[:LONGEST_LINK_LABEL], "expires_at": expires_at, "panel": panel}
        missing = [name for name in names if name not in found]
        # Saved one by one: saving gives each its secret.
        made = {
            name: Invitation.objects.create(
                study=study, rater=rater, created_by=actor, person_hash=_hashes(study, name)[0], **shared
            )
            for name, rater in zip(missing, raters, strict=True)
        }
        if raters:
            audit.record(
                study=study,
                actor=actor,
                act="invite_list",
                n=len(raters),
                first=raters[0].code,
                last=raters[-1].code,
                expires_at=expires_at.isoformat() if expires_at else "",
            )
    return list(_in_order(names, found, made))


def _in_order(
    names: Sequence[str], found: Mapping[str, Invitation], made: Mapping[str, Invitation]
) -> Iterator[PersonalLink]:
    for name in names:
        link = made.get(name) or found[name]
        yield PersonalLink(name, link.rater.code if link.rater else "", link, new=name in made)


def _working_links(study: Study, names: Sequence[str]) -> dict[str, Invitation]:
    """By name, the links of people of earlier lists by which they can still join or continue."""
    joined = ~Q(rater__state=RaterState.INVITED)
    works = Q(expires_at=None) | Q(expires_at__gt=timezone.now()) | joined
    links = study.invitations.filter(works, revoked_at=None, person_hash__gt="").select_related("rater")
    known = {link.person_hash: link for link in links.order_by("pk")}
    by_name = {name: [known[one] for one in _hashes(study, name) if one in known] for name in names}
    return {name: links[0] for name, links in by_name.items() if links}


def _hashes(study: Study, name: str) -> list[str]:
    """Keyed hashes of a person of a study, by the present key first; capitals and spaces do not count."""
    value = f"{study.pk} {' '.join(name.split()).casefold()}"
    return [
        salted_hmac("person of a list", value, secret=key, algorithm="sha256").hexdigest()
        for key in installation_keys()
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
        plain = " ".join(name.split()).casefold()
        if plain in seen:
            sentence = message("“%(name)s” is twice in the list. Remove one of the rows.", name=name)
            raise InvalidContent(sentence, code="doubled_name")
        seen.add(plain)
