"""Everything that is known about how one rater works: pages, times, checks, and what they show."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import starmap
from typing import NamedTuple, cast

from django.db.models import Case, Count, Exists, FloatField, OuterRef, Q, QuerySet, Subquery, Sum, When
from django.db.models.functions import Ln

from annotation.domain.base.states import Purpose, SeatState
from annotation.domain.quality.careless_responding import (
    CheckResult,
    Indicator,
    Page,
    Profile,
    flags,
    profile,
)
from annotation.domain.quality.detection_power import DetectionPower, assess_detection_power
from annotation.domain.quality.reading_speed import Least
from annotation.domain.questions.kinds.kind import Question, Yields
from annotation.domain.questions.kinds.registry import ON_RATIOS, keys_yielding
from annotation.models import (
    Assignment,
    CheckVerdict,
    Criterion,
    Exclusion,
    FormVersion,
    Item,
    Rater,
    Rating,
    Response,
    Seat,
    Study,
)
from annotation.selectors.quality.reading_time import least_of
from annotation.selectors.questions.counting import (
    ON_SCALES,
    PROGRESS,
    Counting,
    answers,
    counted,
    counted_in_steps,
    submitted,
)

FEWEST_ITEMS = 4
# A number as statistics take it, before anything is subtracted.
MEASURED = Case(
    When(criterion__kind__in=ON_RATIOS, then=Ln("value")), default="value", output_field=FloatField()
)
# SQLite may take as few as 32,766 values in a query, and one of these queries names its keys twice.
KEYS_NAMED = 10_000


@dataclass(frozen=True)
class RaterProfile:
    """A rater with their pages, in order, and the profile made of them."""

    rater: Rater
    profile: Profile
    pages: Sequence[Page] = ()

    @property
    def flagged(self) -> tuple[Indicator, ...]:
        return flags(self.profile)


def profile_of(rater: Rater) -> Profile:
    """The careless-responding profile of one rater, from what is stored."""
    return profiles(rater.study, [rater])[0].profile


def profiles(study: Study, raters: Sequence[Rater]) -> list[RaterProfile]:
    """Profiles of several raters, in as many queries for one as for `KEYS_NAMED` pages."""
    questions = _questions(study)
    pages = pages_of(study, raters, [question.key for question in questions])
    checks = _checks(raters)
    return [
        RaterProfile(rater, profile(own, questions, checks.get(rater.pk, [])), own)
        for rater in raters
        for own in [pages.get(rater.pk, [])]
    ]


def detection_power_for(study: Study, items: int) -> DetectionPower | None:
    """What the study's scale and a number of items can show about a rater; None with too few."""
    widths = [
        len(question.kind.possible(question))
        for question in _questions(study)
        if question.maximum is not None and question.minimum is not None
    ]
    if not widths or items < FEWEST_ITEMS:
        return None
    return assess_detection_power(min(widths), items, criteria=len(widths))


def verdicts_of(rater: Rater) -> list[Assignment]:
    """The checks that a rater has answered, in order, with their verdicts."""
    answered = rater.assignments.filter(purpose=Purpose.CHECK, submitted_at__isnull=False)
    return list(answered.select_related("check_planted", "item", "verdict").order_by("position"))


def answers_of(rater: Rater) -> list[Response]:
    """A rater's current answers for the main task, in the order in which they were given.

    Each has the active exclusion, `excluded_by`, the rule that made it, `excluding_rule` and `name_of_rule`,
    and whether the answer `fills_seat`.
    """
    active = Exclusion.objects.filter(response=OuterRef("pk"), lift__isnull=True)
    filled = Seat.objects.filter(
        pk=OuterRef("assignment__seat"), rater=OuterRef("assignment__rater"), state=SeatState.FILLED
    )
    own = (
        Response.objects.filter(assignment__rater=rater, assignment__purpose=Purpose.MAIN, current=True)
        .annotate(
            excluded_by=Subquery(active.values("pk")[:1]),
            excluding_rule=Subquery(active.values("by_rule")[:1]),
            name_of_rule=Subquery(active.values("by_rule__name")[:1]),
            fills_seat=Exists(filled),
        )
        .select_related("assignment__item")
    )
    return list(own.prefetch_related("ratings__criterion").order_by("assignment__position", "pk"))


def counted_of(rater: Rater) -> int:
    """The number of a rater's responses that statistics include."""
    return counted(rater.study, PROGRESS).filter(assignment__rater=rater).count()


def _questions(study: Study) -> list[Question]:
    criteria = Criterion.objects.filter(
        version__form__study=study, version__form__planted=False, kind__in=keys_yielding(Yields.NUMBER)
    )
    found = {
        one.key: Question(
            key=one.key,
            name=one.name,
            kind=one.question_kind,
            minimum=one.minimum,
            maximum=one.maximum,
            settings=one.settings,
        )
        for one in criteria.order_by("version__number", "version__correction", "position")
    }
    return list(found.values())


class _Saved(NamedTuple):
    """Columns of a response: thousands of rows of raters are read for a list."""

    pk: int
    rater: int
    item: int
    version: int
    seconds: float | None
    active_seconds: float | None
    hurried_after: float | None
    pastes: int | None
    times_away: int | None


def pages_of(study: Study, raters: Sequence[Rater], keys: Sequence[str]) -> dict[int, list[Page]]:
    """The pages of several raters by rater, in the order in which they were given.

    Each has the mean of the item's other raters on the criteria `keys`.
    """
    saved = _saved_by(raters)
    values, measured = _values_of(saved)
    that_count = counted_in_steps(study, Counting.in_statistics(study, yields=ON_SCALES)).order_by()
    sums = _sums(that_count, {one.item for one in saved})
    counting = set(that_count.filter(assignment__rater__in=raters).values_list("pk", flat=True))
    others = {one.pk: _others(sums, one.item, measured[one.pk], counts=one.pk in counting) for one in saved}
    alone = {one.item for one in saved if values[one.pk] and not others[one.pk]}
    everybody = _raters_of(study, alone)
    least = _least_seconds(study, saved, criteria=len(keys))
    found: dict[int, list[Page]] = defaultdict(list)
    for one in saved:
        found[one.rater].append(
            Page(
                values=values[one.pk],
                measured=measured[one.pk],
                seconds=seconds_of(one),
                least=least[one.version, one.item],
                others=others[one.pk],
                others_left_out=bool(everybody[one.item] - {one.rater}),
                pasted=one.pastes,
                tab_away=one.times_away,
            )
        )
    return found


def seconds_of(response: Response | _Saved) -> float | None:
    """Seconds with the page visible, or from showing to saving it if the browser did not report them.

    If the answer was returned as too fast and resubmitted unchanged, seconds until the first submission.
    """
    known = response.seconds if response.active_seconds is None else response.active_seconds
    return known if response.hurried_after is None else response.hurried_after


def _saved_by(raters: Sequence[Rater]) -> list[_Saved]:
    current = Response.objects.filter(
        assignment__rater__in=raters, assignment__purpose=Purpose.MAIN, current=True
    )
    rows = current.order_by("assignment__position", "pk").values_list(
        "pk",
        "assignment__rater",
        "assignment__item",
        "version",
        "seconds",
        "active_seconds",
        "hurried_after",
        "pastes",
        "times_away",
    )
    return list(starmap(_Saved, rows))


def _least_seconds(study: Study, saved: Sequence[_Saved], *, criteria: int) -> dict[tuple[int, int], Least]:
    """The least seconds of each page, by version and item."""
    versions = FormVersion.objects.only("blocks").in_bulk({one.version for one in saved})
    items: dict[int, Item] = {}
    for keys in _pieces({one.item for one in saved}):
        items |= Item.everything.only("fields", "metadata").in_bulk(keys)
    return {
        (version, item): least_of(study, versions[version], items[item], criteria=criteria)
        for version, item in {(one.version, one.item) for one in saved}
    }


def _pieces(keys: Iterable[int]) -> Iterator[list[int]]:
    """Split keys into groups that are small enough for a query on every database."""
    every = sorted(keys)
    for start in range(0, len(every), KEYS_NAMED):
        yield every[start : start + KEYS_NAMED]


Values = defaultdict[int, dict[str, float]]
Sums = Mapping[tuple[int, str], tuple[float, int]]


def _values_of(saved: Sequence[_Saved]) -> tuple[Values, Values]:
    """The numbers by response and criterion, and the same as statistics take them."""
    values: Values = defaultdict(dict)
    measured: Values = defaultdict(dict)
    for keys in _pieces(one.pk for one in saved):
        ratings = Rating.objects.filter(response__in=keys, value__isnull=False).order_by()
        for pk, key, value, of_value in ratings.values_list("response", "criterion__key", "value", MEASURED):
            values[pk][key], measured[pk][key] = cast(float, value), of_value
    return values, measured


def _sums(responses: QuerySet[Response], items: set[int]) -> Sums:
    """Sum and number of the ratings of each item and criterion in some responses."""
    found: dict[tuple[int, str], tuple[float, int]] = {}
    for keys in _pieces(items):
        # The items are named in the subquery too: otherwise databases read all responses of the study for it.
        rated = Rating.objects.filter(
            response__in=responses.filter(assignment__item__in=keys),
            response__assignment__item__in=keys,
            value__isnull=False,
        )
        sums = rated.values_list("response__assignment__item", "criterion__key").annotate(
            total=Sum(MEASURED), n=Count("pk", filter=Q(value__isnull=False))
        )
        found |= {(item, key): (total, n) for item, key, total, n in sums}
    return found


def _raters_of(study: Study, items: set[int]) -> defaultdict[int, set[int]]:
    """All raters of some items on a scale, by item, whether their ratings count or not."""
    found: defaultdict[int, set[int]] = defaultdict(set)
    for keys in _pieces(items):
        rated = submitted(study).filter(answers(ON_SCALES), assignment__item__in=keys, cannot_rate="")
        for item, rater in rated.values_list("assignment__item", "assignment__rater"):
            found[item].add(rater)
    return found


def _others(sums: Sums, item: int, own: Mapping[str, float], *, counts: bool) -> dict[str, float]:
    """The mean of the other raters of an item, this one held out; `counts` where the sums have it."""
    means = {}
    for key, value in own.items():
        total, n = sums.get((item, key), (0, 0))
        if counts:
            total, n = total - value, n - 1
        if n > 0:
            means[key] = total / n
    return means


def _checks(raters: Sequence[Rater]) -> dict[int, list[CheckResult]]:
    found: dict[int, list[CheckResult]] = defaultdict(list)
    verdicts = CheckVerdict.objects.filter(assignment__rater__in=raters).order_by("pk")
    for rater, passed, chance in verdicts.values_list("assignment__rater", "passed", "chance"):
        found[rater].append(CheckResult(passed, chance))
    return found
