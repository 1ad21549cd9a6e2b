"""What of a study's responses the statistics use: by kind of question, form version and item."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from django.db.models import Count, F, IntegerField, Max, Min, OuterRef, Q, Subquery, Sum
from django.db.models.functions import Coalesce

from annotation.domain.questions.kinds.kind import Yields
from annotation.domain.questions.kinds.registry import keys_yielding
from annotation.domain.questions.wording.version_numbers import version_label
from annotation.models import Form, Rating, Seat, Study
from annotation.selectors.questions.counting import PARTS, Counting, answers, counted, excluded, submitted

IN_WORDS = (Yields.WORDS,)
VERSION = ("version", "version__form__title", "version__number", "version__correction", "version__pool")


@dataclass(frozen=True)
class VersionCount:
    """How many responses a version of a form has, and how many of them the statistics use."""

    pk: int
    form: int
    title: str
    label: str  # Such as 2, or 2.1 for a corrected wording
    pool: int  # Versions of a form with the same one are analysed together
    responses: int
    used: bool
    used_responses: int


@dataclass(frozen=True)
class PartCount:
    """What the statistics of one kind of question use, as a reliability report counts it."""

    kind: str
    ratings: int
    responses: int
    items: int
    raters: int
    simulated: int
    simulated_responses: int
    cannot_rate: int


@dataclass(frozen=True)
class RatingsReached:
    """Ratings per item by one form: requested, and received in responses that the statistics use."""

    title: str
    requested: tuple[int, int]
    items: int
    median: float
    fewest: int
    most: int
    short: int


@dataclass(frozen=True)
class Collected:
    """The responses of a study, and how many of them the statistics use."""

    versions: tuple[VersionCount, ...]  # Every version with a response, in the order of forms and numbers
    parts: tuple[PartCount, ...]  # Kinds of questions with a rating that counts
    reached: tuple[RatingsReached, ...]  # By form, in their order
    words: int  # Answers in words that are neither excluded nor left out as late or of an older version
    late: int  # Late responses that are not excluded and that the statistics do not use
    excluded: int  # Responses with an active exclusion of themselves, their rater or their item
    # `responses`, `ratings`, `late`, `cannot_rate`, `first` and `last` of everything submitted
    totals: Mapping[str, Any]


def count_collected(study: Study, forms: Sequence[Form]) -> Collected:
    """Count the responses of a study.

    Parameters
    ----------
    study : Study
        Study of the responses; previews, checks and calibration are left out.
    forms : sequence of Form
        Its forms in order.

    Returns
    -------
    Collected
        In five queries, and one more for each kind of question.
    """
    rows = _by_version(study)
    used = {part: _newest(rows, part) for part in PARTS}
    everywhere = set().union(*used.values()) or _newest(rows, "counting")
    return Collected(
        versions=tuple(
            VersionCount(
                pk=row["version"],
                form=row["form"],
                title=row["version__form__title"],
                label=version_label(row["version__number"], row["version__correction"]),
                pool=row["version__pool"],
                responses=row["responses"],
                used=row["version"] in everywhere,
                used_responses=row["counting"] if row["version"] in everywhere else 0,
            )
            for row in rows
        ),
        parts=tuple(_part(study, kind) for kind in PARTS if used[kind]),
        reached=tuple(_reached(study, forms, everywhere)),
        words=_count_words(study),
        late=0 if study.include_late else sum(row["late_left"] for row in rows),
        excluded=sum(row["excluded"] for row in rows),
        totals=_totals(rows),
    )


def _by_version(study: Study) -> list[Any]:
    counting = Counting.in_statistics(study, pooled=True)
    out = excluded(study, counting)
    counts = ~out if counting.late else ~out & Q(late=False)
    by_part = {part: Count("pk", filter=counts & answers(yields)) for part, yields in PARTS.items()}
    ratings = Rating.objects.filter(response=OuterRef("pk")).order_by().values("response")
    n_ratings = Subquery(ratings.annotate(n=Count("pk")).values("n"), output_field=IntegerField())
    rows = (
        submitted(study)
        .annotate(n_given=Coalesce(n_ratings, 0))
        .order_by("version__form__position", "version__form", "version__number", "version__correction")
    )
    return [
        *rows.values(*VERSION, form=F("version__form")).annotate(
            responses=Count("pk"),
            n_ratings=Sum("n_given"),
            counting=Count("pk", filter=counts),
            excluded=Count("pk", filter=out),
            n_late=Count("pk", filter=Q(late=True)),
            late_left=Count("pk", filter=Q(late=True) & ~out),
            n_cannot_rate=Count("pk", filter=~Q(cannot_rate="")),
            first=Min("submitted_at"),
            last=Max("submitted_at"),
            **by_part,
        )
    ]


def _newest(rows: Iterable[Mapping[str, Any]], counts: str) -> set[int]:
    """The newest version of each form that has something to count, and those pooled with it.

    Rows are in the order of numbers.
    """
    pools = {row["form"]: row["version__pool"] for row in rows if row[counts]}
    return {row["version"] for row in rows if pools.get(row["form"]) == row["version__pool"]}


def _totals(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    counts = {
        "responses": "responses",
        "ratings": "n_ratings",
        "late": "n_late",
        "cannot_rate": "n_cannot_rate",
    }
    numbers = {name: sum(row[count] for row in rows) for name, count in counts.items()}
    firsts = [row["first"] for row in rows if row["first"]]
    lasts = [row["last"] for row in rows if row["last"]]
    return {**numbers, "first": min(firsts, default=None), "last": max(lasts, default=None)}


def _part(study: Study, kind: str) -> PartCount:
    yields = PARTS[kind]
    ratings = Rating.objects.filter(
        response=OuterRef("pk"), criterion__kind__in=keys_yielding(*yields)
    ).order_by()
    number = ratings.values("response").annotate(n=Count("pk")).values("n")
    found = (
        counted(study, Counting.in_statistics(study, yields=yields))
        .order_by()
        .annotate(n=Coalesce(Subquery(number, output_field=IntegerField()), 0))
    )
    counts = found.aggregate(
        ratings=Coalesce(Sum("n"), 0),
        responses=Count("pk"),
        items=Count("assignment__item", distinct=True),
        raters=Count("assignment__rater", distinct=True),
        simulated=Count("assignment__rater", distinct=True, filter=Q(assignment__rater__simulated=True)),
        simulated_responses=Count("pk", filter=Q(assignment__rater__simulated=True)),
        unmarked=Count("pk", filter=Q(cannot_rate="", n=0)),
        refused=Count("pk", filter=~Q(cannot_rate="")),
    )
    unmarked, cannot_rate = counts.pop("unmarked"), counts.pop("refused")
    if Yields.SPANS in yields:
        # A response that marks nothing says that there is nothing to mark.
        counts["ratings"] += unmarked
    return PartCount(kind=kind, cannot_rate=cannot_rate, **counts)


def _count_words(study: Study) -> int:
    counting = counted(study, Counting.in_statistics(study, yields=IN_WORDS)).order_by()
    kinds = keys_yielding(*IN_WORDS)
    return Rating.objects.filter(response__in=counting.values("pk"), criterion__kind__in=kinds).count()


def _reached(study: Study, forms: Sequence[Form], versions: set[int]) -> Iterable[RatingsReached]:
    """By form: what each item was to get and got; excluded items and other stages' items are left out."""
    counting = counted(study, Counting.in_statistics(study, pooled=True)).filter(version__in=versions)
    per_item = counting.order_by().values_list("assignment__form", "assignment__item").annotate(n=Count("pk"))
    got: dict[int, dict[int, int]] = defaultdict(dict)
    for form, item, n in per_item:
        got[form][item] = n
    seats = Seat.objects.filter(form__study=study).order_by().values_list("form", "item")
    wanted: dict[int, dict[int, int]] = defaultdict(dict)
    for form, item, n in seats.annotate(n=Count("pk")):
        wanted[form][item] = n
    active = Q(exclusions__isnull=False, exclusions__lift__isnull=True)
    items = list(
        study.items.exclude(pk__in=study.items.filter(active).values("pk")).values_list("pk", flat=True)
    )
    for one in forms:
        own = wanted.get(one.pk) or dict.fromkeys(items, one.overlap)
        about = [item for item in items if item in own]
        if not about or not own:
            continue
        numbers = [got[one.pk].get(item, 0) for item in about]
        asked = [own[item] for item in about]
        yield RatingsReached(
            title=one.title,
            requested=(min(asked), max(asked)),
            items=len(about),
            median=median(numbers),
            fewest=min(numbers),
            most=max(numbers),
            short=sum(n < to_get for n, to_get in zip(numbers, asked, strict=True)),
        )
