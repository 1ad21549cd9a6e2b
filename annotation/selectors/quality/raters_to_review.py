"""The raters whose answers ask for a review, with the evidence for each: for the overview of a study."""

from __future__ import annotations

import math
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median

import pandas as pd
from django.core.cache import caches
from django.db.models import Count, Exists, F, OuterRef, Q

from annotation.domain.quality.careless_responding import Indicator
from annotation.domain.questions.kinds.kind import Yields
from annotation.domain.questions.kinds.registry import keys_yielding
from annotation.models import CheckVerdict, Exclusion, Item, Rater, RaterKind, Rating, Study
from annotation.selectors.people.answered import numbers_by_rater
from annotation.selectors.quality.rater_profile import MEASURED, RaterProfile, profiles
from annotation.selectors.quality.retained_raters import RetainedRater, retained_raters
from annotation.selectors.questions.counting import submitted

NAMED = 10
# Profiles of up to so many answered pages are computed during a request. In a larger study, they are those
# of the raters who are most conspicuous in a sample of items, computed at most once in `SECONDS`.
MOST_PAGES = 3_000
SECONDS = 300
SAMPLE = 10_000
# Fewer raters are no comparison.
FEWEST_COMPARED = 3


@dataclass(frozen=True)
class Sign:
    """A flagged indicator of a rater, and its median over the raters examined; None for fewer than 3."""

    indicator: Indicator
    usual: float | None


@dataclass(frozen=True)
class RaterToReview:
    """A rater with flags; `retained` is the decision to keep the rater, if flags changed after it."""

    code: str
    simulated: bool
    pages: int
    signs: Sequence[Sign]
    retained: RetainedRater | None = None

    @property
    def keys(self) -> frozenset[str]:
        """The keys of the flagged indicators."""
        return frozenset(sign.indicator.key for sign in self.signs)


@dataclass(frozen=True)
class RatersToReview:
    """The raters with most flags, the number of `more` with flags, and how many were examined of all."""

    named: Sequence[RaterToReview]
    more: int
    examined: int
    raters: int


@dataclass(frozen=True)
class ReviewOrder:
    """All raters of a study in the order of *Review*, with what was computed to find it.

    `waiting` are those to review, `retained` the codes of raters that members keep and that need no other
    review, and `profiled` the known profiles by primary key of the rater, none in a large study.
    """

    raters: Sequence[Rater]
    waiting: Sequence[RaterToReview]
    retained: frozenset[str]
    profiled: Mapping[int, RaterProfile]


def find_raters_to_review(study: Study) -> RatersToReview:
    """The raters with flags, excluded ones left out, in a fixed number of queries.

    Parameters
    ----------
    study : Study
        If it has more than `MOST_PAGES` answered pages, only raters with so many pages together are examined:
        first those who are fast, uniform or unlike the others in a sample of items, or failed most checks.
    """
    people = _people(study)
    return _named(people, *_examine(study, people))


def are_at_hand(study: Study, pages: int) -> bool:
    """Whether `find_raters_to_review` takes no longer than a page can wait.

    Parameters
    ----------
    study : Study
        One of more than `MOST_PAGES` answered pages whose raters were not examined lately takes longer.
    pages : int
        The number of its answered pages.
    """
    return bool(study.source) or pages <= MOST_PAGES or caches["fragments"].get(_key(study)) is not None


def find_flagged_raters(study: Study) -> list[RaterToReview]:
    """Find all raters that `find_raters_to_review` would name or count.

    Parameters
    ----------
    study : Study
        In a large study, only the raters examined for the overview are examined.
    """
    return _examine(study, _people(study))[1]


def order_for_review(study: Study) -> ReviewOrder:
    """Order all raters: those to review as `find_flagged_raters` has them, others with flags, the rest.

    Parameters
    ----------
    study : Study
        If it has more than `MOST_PAGES` answered pages, the flags of raters that `find_flagged_raters` does
        not examine are unknown; these raters come after the others, by code.
    """
    everyone = list(study.raters.exclude(kind=RaterKind.TRIAL).order_by("code"))
    numbers, retained = numbers_by_rater(study), retained_raters(study)
    people = _people(study, numbers)
    known: dict[int, RaterProfile] = {}
    if not _are_many(people):
        are_few = sum(numbers.values()) <= MOST_PAGES
        known = {one.rater.pk: one for one in profiles(study, everyone if are_few else people)}
        found = _flagged([known[rater.pk] for rater in people])
    else:
        found = _examined_lately(study, people, retained)[1]
    waiting = _needing_review(found, retained)
    rank = {one.code: place for place, one in enumerate(waiting)}
    n_flags = {one.code: len(one.signs) for one in found}
    n_flags |= {one.rater.code: len(one.flagged) for one in known.values()}
    order = sorted(
        everyone, key=lambda one: (rank.get(one.code, len(rank)), -n_flags.get(one.code, 0), one.code)
    )
    return ReviewOrder(order, waiting, frozenset(retained.keys() - rank.keys()), known)


def _named(people: Sequence[Rater], examined: int, found: Sequence[RaterToReview]) -> RatersToReview:
    return RatersToReview(found[:NAMED], max(0, len(found) - NAMED), examined, len(people))


def _are_many(people: Sequence[Rater]) -> bool:
    return sum(rater.n_pages for rater in people) > MOST_PAGES  # type: ignore[attr-defined]


def _key(study: Study) -> str:
    return f"to-review-{study.pk}"


def _examine(study: Study, people: Sequence[Rater]) -> tuple[int, list[RaterToReview]]:
    """Return the number of raters examined, and those with flags that no member has reviewed."""
    retained = retained_raters(study)
    if not _are_many(people):
        return len(people), _needing_review(_flagged(profiles(study, people)), retained)
    examined, found = _examined_lately(study, people, retained)
    return examined, _needing_review(found, retained)


def _examined_lately(
    study: Study, people: Sequence[Rater], retained: Container[str]
) -> tuple[int, list[RaterToReview]]:
    """Return the number of raters examined in a large study, and those with flags, also retained ones."""
    examined, found = caches["fragments"].get_or_set(
        _key(study), lambda: _examine_most_conspicuous(study, people, retained), SECONDS
    ) or (0, [])
    codes = {rater.code for rater in people}
    return examined, [one for one in found if one.code in codes]


def _people(study: Study, numbers: Mapping[int, int] | None = None) -> list[Rater]:
    """Raters with responses who are not excluded, each with `n_pages`; none in a published study."""
    if study.source:
        return []
    excluded = Exclusion.objects.filter(rater=OuterRef("pk"), lift__isnull=True)
    people = study.raters.filter(~Exists(excluded), kind=RaterKind.PERSON).order_by("code")
    numbers = numbers_by_rater(study) if numbers is None else numbers
    found = [one for one in people if one.pk in numbers]
    for one in found:
        vars(one).update(n_pages=numbers[one.pk])
    return found


def _needing_review(
    found: Sequence[RaterToReview], retained: Mapping[str, RetainedRater]
) -> list[RaterToReview]:
    """Select raters that no member keeps, or with a flag that is new or clearly worse since the decision."""
    return [
        replace(one, retained=retained.get(one.code))
        for one in found
        if one.code not in retained
        or any(retained[one.code].is_new(sign.indicator, one.pages) for sign in one.signs)
    ]


def _flagged(profiled: Sequence[RaterProfile]) -> list[RaterToReview]:
    """Select raters with flags, most flags first, each flag with its median over all raters given."""
    values: dict[str, list[float]] = {}
    for one in profiled:
        for indicator in one.profile.indicators:
            if indicator.value is not None:
                values.setdefault(indicator.key, []).append(indicator.value)
    usual = {key: median(known) for key, known in values.items() if len(known) >= FEWEST_COMPARED}
    found = [
        RaterToReview(
            one.rater.code,
            one.rater.simulated,
            one.profile.n_pages,
            [Sign(sign, usual.get(sign.key)) for sign in one.flagged],
        )
        for one in profiled
        if one.flagged
    ]
    return sorted(found, key=lambda one: (-len(one.signs), one.code))


def _examine_most_conspicuous(
    study: Study, people: Sequence[Rater], retained: Container[str]
) -> tuple[int, list[RaterToReview]]:
    """Examine raters, retained ones last; return their number, and those with flags."""
    by_key = {rater.pk: rater for rater in people}
    chosen: list[Rater] = []
    pages = 0
    order = [key for key in _most_conspicuous_first(study) if key in by_key]
    for key in sorted(order, key=lambda key: by_key[key].code in retained):
        if pages < MOST_PAGES:
            chosen.append(by_key[key])
            pages += by_key[key].n_pages  # type: ignore[attr-defined]
    return len(chosen), _flagged(profiles(study, chosen))


def _most_conspicuous_first(study: Study) -> list[int]:
    """Keys of raters by their best rank in any of five columns of a sample, in which low is conspicuous."""
    rated = _sampled_ratings(study)
    item = rated.groupby(["item", "criterion"])["value"]
    n = item.transform("size")
    rated["others"] = ((item.transform("sum") - rated["value"]) / (n - 1)).where(n > 1)
    of_page = rated.groupby(["rater", "page"])
    page = pd.DataFrame({"differ": of_page["value"].nunique() > 1, "seconds": of_page["seconds"].first()})
    of_rater = rated.groupby("rater")
    columns = pd.DataFrame(
        {
            "seconds": page.groupby("rater")["seconds"].quantile(0.2),
            "differ": page.groupby("rater")["differ"].mean(),
            "spread": rated.groupby(["rater", "criterion"])["value"].std().groupby("rater").mean(),
            "correlation": of_rater[["value", "others"]].apply(_correlation),
            "checks": _shares_passed(study),
        }
    )
    best = columns.rank().min(axis=1).sort_values(kind="stable")
    return [int(key) for key in best.index]


def _correlation(pairs: pd.DataFrame) -> float:
    known = pairs.dropna()
    varied = len(known) > 2 and known["value"].nunique() > 1 and known["others"].nunique() > 1
    return float(known["value"].corr(known["others"])) if varied else math.nan


def _shares_passed(study: Study) -> pd.Series:
    verdicts = CheckVerdict.objects.filter(assignment__rater__study=study, passed__isnull=False).order_by()
    counts = verdicts.values_list("assignment__rater").annotate(
        n=Count("pk"), good=Count("pk", filter=Q(passed=True))
    )
    return pd.Series({rater: good / n for rater, n, good in counts}, dtype=float)


def _sampled_ratings(study: Study) -> pd.DataFrame:
    """Ratings on scales of about `SAMPLE` responses: every so many-th item with all of its responses."""
    step = max(1, submitted(study).count() // SAMPLE)
    items = Item.objects.filter(study=study).annotate(rest=F("pk") % step).filter(rest=0).order_by()
    rows = Rating.objects.filter(
        response__in=submitted(study).filter(assignment__item__in=items.values("pk")),
        criterion__kind__in=keys_yielding(Yields.NUMBER),
        value__isnull=False,
    ).values_list(
        "response__assignment__rater",
        "response",
        "response__assignment__item",
        "criterion__key",
        MEASURED,
        "response__seconds",
    )
    columns = ["rater", "page", "item", "criterion", "value", "seconds"]
    return pd.DataFrame(list(rows.order_by()), columns=columns).astype({"value": float, "seconds": float})
