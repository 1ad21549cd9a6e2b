"""The ratings in dispute as dots, for the rows of the queue."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from annotation.domain.questions.kinds.kind import Yields
from annotation.domain.questions.kinds.registry import KINDS, keys_yielding
from annotation.models import Case, Rating, Study
from annotation.selectors.items.rating_dots import list_ratings, logarithmic_scale, open_scale, rating_dots
from annotation.selectors.rating.annotations import annotations_in

# A case and the key of a criterion.
Place = tuple[int, str]


def spreads_of(study: Study, cases: Iterable[Case]) -> Mapping[Place, dict[str, Any]]:
    """The ratings on each scale in dispute, by case and criterion.

    Parameters
    ----------
    study : Study
        The study of the cases.
    cases : iterable of Case
        The cases of one page, with their disputes prefetched.

    Returns
    -------
    mapping
        `strip`, for `components/strip.html`, and `words`, the ratings one by one. Criteria that are
        no scale, or have no ratings, are left out.
    """
    numbers = {(case.item_id, case.form_id): case.pk for case in cases}
    disputed = {(case.pk, one.criterion) for case in cases for one in case.disputes.all()}
    given = Rating.objects.filter(
        response__in=annotations_in(study).filter(
            assignment__item__in={item for item, _ in numbers},
            assignment__form__in={form for _, form in numbers},
        ),
        criterion__key__in={key for _, key in disputed},
        criterion__kind__in=keys_yielding(Yields.NUMBER),
        value__isnull=False,
    )
    counts: dict[Place, Counter[str]] = {}
    scales: dict[Place, dict[str, Any]] = {}
    unbounded: dict[Place, Callable[[Iterable[float]], dict[str, Any]]] = {}
    for item, form, key, low, high, kind, value in given.values_list(
        "response__assignment__item",
        "response__assignment__form",
        "criterion__key",
        "criterion__minimum",
        "criterion__maximum",
        "criterion__kind",
        "value",
    ):
        place = (numbers.get((item, form), 0), key)
        if place in disputed and low is not None and high is not None and low < high:
            scale = scales.setdefault(place, {"minimum": low, "maximum": high})
            # Versions of a form may have scales of different lengths.
            scale.update(minimum=min(low, scale["minimum"]), maximum=max(high, scale["maximum"]))
            counts.setdefault(place, Counter())[f"{value:g}"] += 1
            if not KINDS[kind].is_bounded(low, high):
                unbounded[place] = logarithmic_scale if KINDS[kind].on_ratios else open_scale
    scales |= {place: scale_of(map(float, counts[place])) for place, scale_of in unbounded.items()}
    return {
        place: {"strip": rating_dots(scales[place], found), "words": list_ratings(found)}
        for place, found in counts.items()
    }
