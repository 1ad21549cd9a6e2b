"""Retention periods for the personal data of raters, and erasing expired data."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from django.db import transaction
from django.db.models import Exists, OuterRef, Q

from annotation.domain.base.errors import InvalidContent, NotAllowedNow
from annotation.domain.base.limits import LONGEST_RETENTION_DAYS
from annotation.domain.base.messages import counted_message, joined, message
from annotation.models import (
    CrowdSubmission,
    DemographicAnswer,
    MessageDelivery,
    Rater,
    RaterKind,
    Response,
    Study,
    User,
    WebhookDelivery,
)
from annotation.selectors.people.retention import PERIODS, due_periods
from annotation.services.base import audit
from annotation.services.people.identity import erase_identity, store_matches_of

# The data of each period, for an error.
ABOUT = {
    "keep_about_days": message("demographic answers"),
    "keep_ids_days": message("platform IDs and accounts"),
    "keep_activity_days": message("page activity"),
}
# What `erase_identity` erases.
IDENTIFIED = (
    Q(user__isnull=False)
    | Q(join_key__isnull=False)
    | Q(invitation__label__gt="")
    | Q(invitation__person_hash__gt="")
    | Q(identity__isnull=False, identity__erased_at__isnull=True)
    | Exists(MessageDelivery.objects.filter(rater=OuterRef("pk")))
)


def set_retention(*, study: Study, actor: User, periods: Mapping[str, int | None]) -> Study:
    """Set for how many days after its closing a study keeps what it knows of raters.

    Parameters
    ----------
    study, actor
        A study in any state, and who decides. What raters agreed to can only be made shorter.
    periods : mapping of str to int or None
        Days by `keep_about_days`, `keep_ids_days` and `keep_activity_days`; None for no limit.

    Raises
    ------
    InvalidContent
        A period is no number of days from 0 to a hundred years (`bad_retention`).
    NotAllowedNow
        Raters have agreed to a shorter period (`retention_promised`, with the fields).
    """
    wanted = {name: periods.get(name) for name in PERIODS}
    wrong = {name: days for name, days in wanted.items() if days is not None and not _is_period(days)}
    if wrong:
        problem = message("Enter 0 to %(n)d days, or leave the field empty.", n=LONGEST_RETENTION_DAYS)
        raise InvalidContent(problem, code="bad_retention", fields=dict.fromkeys(wrong, problem))
    with transaction.atomic():
        study = Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        if study.raters.filter(consented_at__isnull=False, kind=RaterKind.PERSON).exists():
            _check_promise(study, wanted)
        changed = {name: days for name, days in wanted.items() if getattr(study, name) != days}
        if changed:
            Study.objects.filter(pk=study.pk).update(**changed)
            audit.record(study=study, actor=actor, act="set_retention", **changed)
    study.refresh_from_db()
    return study


def _is_period(days: int) -> bool:
    return 0 <= days <= LONGEST_RETENTION_DAYS


def _check_promise(study: Study, wanted: Mapping[str, int | None]) -> None:
    longer = {
        name: _promise(name, promised)
        for name, days in wanted.items()
        if (promised := getattr(study, name)) is not None and (days is None or days > promised)
    }
    if longer:
        raise NotAllowedNow(joined(longer.values()), code="retention_promised", fields=longer)


def _promise(name: str, days: int) -> str:
    if days == 0:
        return message(
            "Raters have consented to a period that ends when the study is closed (%(data)s). Enter 0.",
            data=ABOUT[name],
        )
    return counted_message(
        "Raters have consented to a period of at most %(n)d day (%(data)s). Enter %(n)d or less.",
        "Raters have consented to a period of at most %(n)d days (%(data)s). Enter %(n)d or less.",
        n=days,
        data=ABOUT[name],
    )


def erase_expired(*, study: Study, now: datetime) -> dict[str, int]:
    """Erase what the study was to keep until now; returns how many rows of each kind were erased.

    Parameters
    ----------
    study : Study
        Its days count from its closing, while it is closed.
    now : datetime
        The moment of which the periods are asked.
    """
    erased: dict[str, int] = {}
    with transaction.atomic():
        study = Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        for name in due_periods(study, now):
            count = ERASERS[name](study)
            if count:
                erased[name] = count
        if erased:
            audit.record(study=study, actor=None, act="erase_expired", **erased)
    return erased


def _erase_about(study: Study) -> int:
    return DemographicAnswer.objects.filter(rater__study=study).delete()[0]


def _erase_ids(study: Study) -> int:
    known = Rater.objects.filter(IDENTIFIED, study=study).exclude(kind=RaterKind.TRIAL)
    people = list(known.select_related("study"))
    if people:
        store_matches_of(study)
    for rater in people:
        erase_identity(rater)
    Rater.objects.bulk_update(people, ["user", "join_key"], batch_size=500)
    # Of people who are no raters here: their number and code identify them on the platform as well.
    unmatched = CrowdSubmission.objects.filter(study=study, rater=None).delete()[0]
    return len(people) + unmatched


def _erase_activity(study: Study) -> int:
    responses = Response.objects.filter(assignment__rater__study=study)
    WebhookDelivery.objects.filter(webhook__study=study, next_at__isnull=True).delete()
    known = responses.exclude(active_seconds=None, away_seconds=None, times_away=None, pastes=None)
    return known.update(active_seconds=None, away_seconds=None, times_away=None, pastes=None)


ERASERS = {
    "keep_about_days": _erase_about,
    "keep_ids_days": _erase_ids,
    "keep_activity_days": _erase_activity,
}
