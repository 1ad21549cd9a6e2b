"""Share links: created, opened and revoked."""

from __future__ import annotations

import secrets
import time
from collections.abc import Mapping
from datetime import timedelta

from django.conf import settings
from django.core.cache import cache
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from annotation.domain.base.errors import InvalidContent, NotAllowedNow
from annotation.domain.base.limits import LONGEST_LINK_LABEL, LONGEST_SHARE_DAYS, MOST_SHARE_LINKS
from annotation.domain.base.messages import message
from annotation.domain.base.sealing import digest_of
from annotation.domain.base.text_validation import validated_text
from annotation.models import Study, User
from annotation.services.base import audit
from scoring.models import Report, ShareLink

# Seconds in which visits are counted together.
WINDOW = 600


def create_share_link(
    *, study: Study, report: Report, names: Mapping[str, str], label: str, days: int, actor: User
) -> tuple[ShareLink, str]:
    """Create a link that shows a stored report without an account.

    Parameters
    ----------
    study : Study
        Study of the report.
    report : Report
        A reliability report; the link shows its figures as they are now, whatever is computed later.
    names : mapping of str to str
        Names of the criteria by key, as the link will show them.
    label : str
        The recipients of the link, for members only; 1 to 120 characters.
    days : int
        For how many days it works, 1 to 365.
    actor : User
        Who creates it.

    Returns
    -------
    (ShareLink, str)
        The link, and its secret: it is shown this once, and only its digest is stored.

    Raises
    ------
    InvalidContent
        `no_label`, `bad_lifetime`, or `unknown_report`.
    NotAllowedNow
        The study has as many active links as it may (`too_many_share_links`).
    """
    label = validated_text(label)
    _check_fields(study, report, label, days)
    token = secrets.token_urlsafe(24)
    with transaction.atomic():
        Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        _check_number(study)
        link = ShareLink.objects.create(
            study=study,
            report=report,
            label=label,
            title=study.title,
            names=dict(names),
            token_digest=digest_of(token),
            created_by=actor,
            expires_at=timezone.now() + timedelta(days=days),
        )
        audit.record(
            study=study,
            actor=actor,
            act="create_share_link",
            share_link=link.pk,
            label=label,
            report=report.pk,
            expires_at=link.expires_at.isoformat(),
        )
    return link, token


def _check_fields(study: Study, report: Report, label: str, days: int) -> None:
    if not 0 < len(label) <= LONGEST_LINK_LABEL:
        problem = message("Enter the recipients of the link, in 1 to %(n)d characters.", n=LONGEST_LINK_LABEL)
        raise InvalidContent(problem, code="no_label", fields={"label": problem})
    if not 1 <= days <= LONGEST_SHARE_DAYS:
        problem = message("Enter a lifetime of 1 to %(n)d days.", n=LONGEST_SHARE_DAYS)
        raise InvalidContent(problem, code="bad_lifetime", fields={"days": problem})
    if report.study_id != study.pk or report.kind != "reliability":
        problem = message("Choose a reliability report of this study.")
        raise InvalidContent(problem, code="unknown_report", fields={"report": problem})


def _check_number(study: Study) -> None:
    """Refuse a link above the limit; links are counted while the study is locked."""
    active = ShareLink.objects.filter(study=study, revoked_at=None, expires_at__gt=timezone.now())
    if active.count() >= MOST_SHARE_LINKS:
        problem = message("A study can have at most %(n)d share links. Revoke one first.", n=MOST_SHARE_LINKS)
        raise NotAllowedNow(problem, code="too_many_share_links")


def revoke_share_link(*, link: ShareLink, actor: User) -> None:
    """Make a share link stop working for good.

    Parameters
    ----------
    link : ShareLink
        A link that is revoked stays so.
    actor : User
        Who revokes it.
    """
    with transaction.atomic():
        found = ShareLink.objects.select_for_update(of=("self",)).get(pk=link.pk)
        if found.revoked_at is None:
            found.revoked_at = timezone.now()
            found.save(update_fields=["revoked_at"])
            audit.record(study=found.study, actor=actor, act="revoke_share_link", share_link=found.pk)


def note_opened(*, link: ShareLink) -> None:
    """Count that the report of a link was read, without anything about the reader.

    Parameters
    ----------
    link : ShareLink
        The link that was opened.
    """
    ShareLink.objects.filter(pk=link.pk).update(n_opened=F("n_opened") + 1, last_opened_at=timezone.now())


def count_visit(*, network: str) -> int:
    """Count a visit to any share link, of one that does not exist too.

    Parameters
    ----------
    network : str
        Where the visitor comes from.

    Returns
    -------
    int
        Seconds after which the visitor may come again; 0 if they may read now.
    """
    now = time.time()
    key = f"share:{network}:{int(now // WINDOW)}"
    visits = cache.get(key, 0)
    if visits >= settings.SHARE_VISITS_BY_NETWORK:
        return WINDOW - int(now % WINDOW)
    cache.set(key, visits + 1, timeout=2 * WINDOW)
    return 0
