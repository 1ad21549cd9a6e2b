"""Where the checks of a study come in the sequence of each rater, and how often."""

from __future__ import annotations

from itertools import accumulate

from django.db import transaction
from django.db.models import Count, Min

from annotation.domain.base.states import Purpose
from annotation.domain.quality.check_placement import (
    EvenlyWithin,
    FixedInterval,
    PlacedCheck,
    place_checks,
    refuse_adjacent_checks,
)
from annotation.models import Check, Rater, Study, User
from annotation.services.base import audit
from annotation.services.base.drafts import lock_draft
from annotation.services.quality.planted_items import CHECKS_IN_DRAFTS


def set_items_between(*, study: Study, items: int, actor: User) -> Study:
    """Set after about how many items a check appears in a draft.

    Parameters
    ----------
    study : Study
        A draft.
    items : int
        The number of items between two checks, at least 2.
    actor : User
        The member who sets it.

    Raises
    ------
    NotAllowedNow
        The study is no draft (`not_a_draft`).
    InvalidContent
        Two checks could be adjacent (`no_room_for_checks`).
    """
    with transaction.atomic():
        study = lock_draft(study.pk, CHECKS_IN_DRAFTS)
        refuse_adjacent_checks(FixedInterval(items, study.check_jitter))
        study.check_every = items
        study.save(update_fields=["check_every"])
        audit.record(study=study, actor=actor, act="edit_study", fields=["check_every"])
    return study


def planned_checks(rater: Rater, *, items: int) -> tuple[PlacedCheck, ...]:
    """Where the checks come in a rater's first `items` items: the same whenever it is asked.

    In batches each batch has one check, the checks taken in turn; otherwise each check comes once, one
    after about every `check_every` items.

    Parameters
    ----------
    rater : Rater
        A rater with the `study`; the seeds of both decide.
    items : int
        Length of the sequence of items.
    """
    study = rater.study
    keys = list(Check.objects.filter(study=study).order_by("pk").values_list("key", flat=True))
    if not keys:
        return ()
    if study.batch_size and study.design == "batches":
        sizes = _batch_sizes(rater, items) if rater.pk else [items]
        return tuple(
            PlacedCheck(before + planted.after, planted.check)
            for number, (before, size) in enumerate(zip(accumulate(sizes, initial=0), sizes, strict=False))
            for planted in place_checks(
                [keys[number % len(keys)]],
                EvenlyWithin(size),
                seed=study.seed,
                rater_seed=rater.seed + number,
            )
        )
    if study.check_every is None:
        return ()
    rule = FixedInterval(study.check_every, study.check_jitter)
    return place_checks(keys, rule, seed=study.seed, rater_seed=rater.seed)


def expected_checks(*, study: Study, items: int) -> int:
    """How many checks a new rater meets among so many items; a rater's own seed may move them.

    Parameters
    ----------
    study : Study
        Where they would rate.
    items : int
        Of their queue.
    """
    return sum(planted.after <= items for planted in planned_checks(Rater(study=study), items=items))


def _batch_sizes(rater: Rater, items: int) -> list[int]:
    """Pages of each batch that the rater took, in order; what is more of `items` is the next one."""
    taken = rater.assignments.filter(purpose=Purpose.MAIN).exclude(seat=None).values_list("seat__batch")
    numbered = taken.annotate(n=Count("pk"), first=Min("position")).order_by("first")
    sizes = [n for _, n, _ in numbered]
    rest = items - sum(sizes)
    return [*sizes, rest] if rest > 0 else sizes
