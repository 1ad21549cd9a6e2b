"""Looking for raters with flags, so that members and webhooks are notified of each once."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db.models import Max
from django.utils import timezone

from annotation.domain.base.states import NoticeEvent
from annotation.models import Job, NoticeChoice, Rater, RaterFlag, Study, Webhook
from annotation.selectors.quality.raters_to_review import RaterToReview, find_flagged_raters
from annotation.services.base.jobs import Lease, enqueue
from annotation.services.base.webhook_events import announce
from annotation.services.seats.locks import lock_studies

KIND = "flag_search"
SEARCHED_EVERY = timedelta(hours=1)
# When a rater was last active is known to the minute.
ACTIVITY_KNOWN_TO = timedelta(minutes=1)
EVENT = NoticeEvent.RATER_FLAGGED.value


def request_flag_searches() -> int:
    """Queue a search in each study with members to notify and recently active raters.

    Returns
    -------
    int
        Number of studies. A study is searched at most once an hour.
    """
    found = 0
    for study in Study.objects.filter(pk__in=_listening(), source="").order_by("pk"):
        last = Job.objects.filter(study=study, kind=KIND).aggregate(last=Max("created_at"))["last"]
        if last is None or (last < timezone.now() - SEARCHED_EVERY and _active_since(study, last)):
            enqueue(kind=KIND, study=study, params={}, created_by=None)
            found += 1
    return found


def _listening() -> set[int]:
    """Studies of which a member or a webhook wants the event."""
    chosen = NoticeChoice.objects.filter(event=EVENT).values_list("membership__study", flat=True)
    events = Webhook.objects.values_list("study", "events")
    return {*chosen, *(study for study, wanted in events if EVENT in wanted)}


def _active_since(study: Study, last: datetime) -> bool:
    seen = study.raters.aggregate(last=Max("last_seen_at"))["last"]
    return seen is not None and seen >= last - ACTIVITY_KNOWN_TO


def search_flags(*, lease: Lease) -> None:
    """Note the raters of a study who have flags and had none before, and announce their number.

    Parameters
    ----------
    lease : Lease
        Lease of a job from `request_flag_searches`.
    """
    study = lease.job.study
    found = [] if study is None else find_flagged_raters(study)
    known = set(RaterFlag.objects.filter(rater__study=study).values_list("rater__code", flat=True))
    new = [one for one in found if one.code not in known]
    lease.complete(lambda: None if study is None or not new else _note(study, new))


def _note(study: Study, found: Sequence[RaterToReview]) -> None:
    """Store the flags, but not of raters whose answers were erased meanwhile."""
    lock_studies([study.pk])
    answered = Rater.objects.filter(study=study, assignments__responses__current=True).distinct()
    by_code = {rater.code: rater for rater in answered.filter(code__in=[one.code for one in found])}
    now = timezone.now()
    flags = [
        RaterFlag(
            rater=by_code[one.code], indicators=[sign.indicator.key for sign in one.signs], flagged_at=now
        )
        for one in found
        if one.code in by_code
    ]
    RaterFlag.objects.bulk_create(flags, ignore_conflicts=True)
    if flags:
        announce(study=study, event=EVENT, detail={"n": len(flags)})
