"""What of a study's responses the statistics use: by kind of question, form version and item."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from django.db.models import Count, F, IntegerField, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce

from annotation.domain.questions.kinds.kind import Yields
from annotation.domain.questions.kinds.registry import keys_yielding
from annotation.domain.questions.wording.version_numbers import version_label
from annotation.models import Form, FormVersion, Rating, Response, Seat, Study
from annotation.selectors.questions.counting import PARTS, answers
from annotation.selectors.questions.pilots.sources import Source, sources_of
from scoring.selectors.reports.version_rows import newest, rows_by_version

IN_WORDS = (Yields.WORDS,)


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
    excluded_raters: int  # Raters who gave them
    # `responses`, `ratings`, `late`, `cannot_rate`, `first` and `last` of everything submitted
    totals: Mapping[str, Any]
    from_pilot: int = 0  # Responses given in the pilot, where both are pooled


def count_collected(study: Study, forms: Sequence[Form]) -> Collected:
    """Count the responses of a study.

    Parameters
    ----------
    study : Study
        Study of the responses; previews, checks and calibration are left out.
    forms : sequence of Form
        Forms of the study in their order.

    Returns
    -------
    Collected
        In six queries, and one more for each kind of question and where responses are excluded; more where a
        pilot is pooled.
    """
    sources = sources_of(study)
    rows = rows_by_version(sources)
    used = {part: newest(rows, part) for part in PARTS}
    everywhere = set().union(*used.values()) or newest(rows, "counting")
    return Collected(
        versions=tuple(
            VersionCount(
                pk=row["version"],
                form=row["form"],
                title=row["form__title"],
                label=version_label(row["number"], row["correction"]),
                pool=row["pool"],
                responses=row["responses"],
                used=row["version"] in everywhere,
                used_responses=row["counting"] if row["version"] in everywhere else 0,
            )
            for row in rows
        ),
        parts=tuple(_part(sources, kind, used[kind]) for kind in PARTS if used[kind]),
        reached=tuple(_reached(sources, forms, everywhere)),
        words=_count_words(sources),
        late=0 if study.include_late else sum(row["late_left"] for row in rows),
        excluded=(excluded := sum(row["excluded"] for row in rows)),
        excluded_raters=_excluded_raters(sources) if excluded else 0,
        totals=_totals(rows),
        from_pilot=sum(source.responses.count() for source in sources if source.pool is not None),
    )


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


def _part(sources: Sequence[Source], kind: str, versions: Collection[int]) -> PartCount:
    yields = PARTS[kind]
    found = [_counts(source.counted(versions, yields), yields) for source in sources]
    counts = {name: sum(one[name] for one in found) for name in found[0]}
    if len(sources) > 1:
        # The same items, and perhaps the same people, are in both.
        about = [source.places(versions, yields) for source in sources]
        counts["items"] = len({item for places in about for item, _ in places})
        counts["raters"] = len({code for places in about for _, code in places})
    unmarked, cannot_rate = counts.pop("unmarked"), counts.pop("refused")
    if Yields.SPANS in yields:
        # A response that marks nothing says that there is nothing to mark.
        counts["ratings"] += unmarked
    return PartCount(kind=kind, cannot_rate=cannot_rate, **counts)


def _counts(responses: QuerySet[Response], yields: tuple[Yields, ...]) -> dict[str, int]:
    ratings = Rating.objects.filter(
        response=OuterRef("pk"), criterion__kind__in=keys_yielding(*yields)
    ).order_by()
    number = ratings.values("response").annotate(n=Count("pk")).values("n")
    found = responses.annotate(n=Coalesce(Subquery(number, output_field=IntegerField()), 0))
    return found.aggregate(
        ratings=Coalesce(Sum("n"), 0),
        responses=Count("pk"),
        items=Count("assignment__item", distinct=True),
        raters=Count("assignment__rater", distinct=True),
        simulated=Count("assignment__rater", distinct=True, filter=Q(assignment__rater__simulated=True)),
        simulated_responses=Count("pk", filter=Q(assignment__rater__simulated=True)),
        unmarked=Count("pk", filter=Q(cannot_rate="", n=0)),
        refused=Count("pk", filter=~Q(cannot_rate="")),
    )


def _excluded_raters(sources: Sequence[Source]) -> int:
    """Raters with a response that is excluded; who rated in both studies is one."""
    codes: set[str] = set()
    for source in sources:
        found = source.responses.filter(source.excluded).order_by()
        rows = found.values_list("assignment__rater", "assignment__rater__code").distinct()
        codes |= {source.rater(pk, code) for pk, code in rows}
    return len(codes)


def _count_words(sources: Sequence[Source]) -> int:
    """Answers in words to the newest version of each form that has any, and to those pooled with it."""
    found: dict[int, int] = defaultdict(int)
    for source in sources:
        given = source.responses.filter(source.counts & answers(IN_WORDS)).order_by()
        for version, n in given.values_list("version").annotate(n=Count("pk")):
            found[source.version(version)] += n
    facts = FormVersion.objects.filter(pk__in=list(found)).order_by("number", "correction")
    rows = [{**row, "n": found[row["version"]]} for row in facts.values("form", "pool", version=F("pk"))]
    versions = newest(rows, "n") if rows else set()
    kinds = keys_yielding(*IN_WORDS)
    return sum(
        Rating.objects.filter(
            response__in=source.counted(versions, IN_WORDS).values("pk"), criterion__kind__in=kinds
        ).count()
        for source in sources
        if versions
    )


def _reached(
    sources: Sequence[Source], forms: Sequence[Form], versions: Collection[int]
) -> Iterable[RatingsReached]:
    """By form: what each item was to get and got; excluded items and other stages' items are left out."""
    study = sources[0].study
    got: dict[str, Counter[int]] = defaultdict(Counter)
    for source in sources:
        per_item = source.counted(versions).values_list("assignment__form__key", "assignment__item")
        for form, item, n in per_item.annotate(n=Count("pk")):
            got[form][source.item(item)] += n
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
        numbers = [got[one.key][item] for item in about]
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
