"""What the answers to adaptive pairs say so far."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import astuple
from datetime import datetime
from typing import Any

from django.db.models import Count, Q

from annotation.domain.base.states import Purpose, SeatState
from annotation.domain.questions.kinds.registry import cell_of
from annotation.domain.questions.option_settings import SIDES, side_of
from annotation.models import (
    AdaptivePairing,
    Assignment,
    Exclusion,
    FormVersion,
    PairRound,
    Rating,
    Seat,
    Study,
)
from annotation.models.questions.given_answer import ANSWER_COLUMNS
from annotation.selectors.questions.counting import FILLING, Counting, counted
from annotation.selectors.questions.shown_options import SIDE
from annotation.selectors.seats.study_features import features_of
from scoring.stats.choices.adaptive_pairs import PairCount


def pairing_of(study: Study, form_id: int) -> AdaptivePairing | None:
    """The adaptive pairs of a form; None if its items have a fixed number of slots."""
    return next((one for one in features_of(study).pairings if one.form_id == form_id), None)


def pair_counts(pairing: AdaptivePairing) -> list[PairCount]:
    """Each item that compares two candidates, with the answers that count.

    Parameters
    ----------
    pairing : AdaptivePairing
        Of a form. Late answers count if they count in statistics; answers to every version do.

    Returns
    -------
    list of PairCount
        In the order of the items. An item without two different candidates is left out; a retired or
        excluded one is closed.
    """
    study = Study.objects.get(forms=pairing.form_id)
    answers, slots = _answers(study, pairing), _slots(pairing)
    excluded = set(
        Exclusion.objects.filter(study=study, item__isnull=False, lift__isnull=True).values_list(
            "item", flat=True
        )
    )
    found = []
    for pk, key, retired_at, (first, second) in _candidates(study, pairing):
        if first and second and first != second:
            given = answers[pk]
            answer_counts = (
                given[SIDES[0]],
                given[SIDES[1]],
                given.total() - given[SIDES[0]] - given[SIDES[1]],
            )
            closed = retired_at is not None or pk in excluded
            found.append(PairCount(key, first, second, *answer_counts, *slots.get(pk, (0, 0)), closed))
    return found


def imported_answers(study: Study, pairing: AdaptivePairing) -> dict[int, int]:
    """By item, how many answers take a slot when a draft opens; at most the form's ratings per item."""
    waiting = Assignment.objects.filter(
        form=pairing.form_id,
        item__study=study,
        purpose=Purpose.MAIN,
        seat=None,
        responses__in=counted(study, FILLING).order_by(),
    )
    numbers = waiting.order_by().values_list("item").annotate(n=Count("pk"))
    return {item: min(n, pairing.form.overlap) for item, n in numbers}


def known_counts(rounds: Iterable[PairRound]) -> dict[str, list[Any]]:
    """The counts that these rounds store, all from the first on: by item, as they were for the last one.

    Empty where those of all rounds were erased.
    """
    return {row[0]: row for one in rounds for row in one.counts}


def as_stored(counts: Iterable[PairCount], known: Mapping[str, list[Any]]) -> list[list[Any]]:
    """Counts as rounds store them: a list for each item that is not `known` as it is."""
    rows = (list(astuple(one)) for one in counts)
    return [row for row in rows if known.get(row[0]) != row]


def _candidates(
    study: Study, pairing: AdaptivePairing
) -> Iterator[tuple[int, str, datetime | None, list[str]]]:
    """Key and row of each item, when it was retired, and who competes on its sides.

    They are named in `meta.a` and `meta.b`, or else the texts themselves, which are read only where a name is
    missing.
    """
    items = list(study.items.order_by("position", "pk").values_list("pk", "key", "retired_at", "metadata"))
    named = all(metadata.get(side) for *_, metadata in items for side in SIDES)
    texts = {} if named else dict(study.items.values_list("pk", "fields"))
    fields = _side_fields(pairing)
    for pk, key, retired_at, metadata in items:
        own = texts.get(pk, {})
        sides = [str(metadata.get(side) or own.get(fields.get(side, side), "")) for side in SIDES]
        yield pk, key, retired_at, sides


def _side_fields(pairing: AdaptivePairing) -> dict[str, str]:
    version = FormVersion.objects.filter(form=pairing.form_id).latest("number", "correction")
    own = [block for block in version.blocks if block.get("of") == pairing.criterion]
    return {block["value"]: block["field"] for block in own if block.get("role") == SIDE}


def _answers(study: Study, pairing: AdaptivePairing) -> dict[int, Counter[str]]:
    """By item, how often each side was preferred; anything else is no preference."""
    rule = Counting(late=study.include_late, pooled=True)
    ratings = Rating.objects.filter(
        response__in=counted(study, rule).order_by(),
        response__assignment__form=pairing.form_id,
        criterion__key=pairing.criterion,
    )
    found: dict[int, Counter[str]] = defaultdict(Counter)
    for item, *columns in ratings.values_list("response__assignment__item", *ANSWER_COLUMNS):
        found[item][side_of(str(cell_of(*columns)))] += 1
    return found


def _slots(pairing: AdaptivePairing) -> dict[int, tuple[int, int]]:
    rows = Seat.objects.filter(form=pairing.form_id).order_by().values_list("item")
    numbers = rows.annotate(n=Count("pk"), waiting=Count("pk", filter=~Q(state=SeatState.FILLED)))
    return {item: (n, waiting) for item, n, waiting in numbers}
