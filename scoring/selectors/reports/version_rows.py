"""The responses of a study by form version, with those of a pilot that is pooled counted among them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db.models import Count, F, IntegerField, Max, Min, OuterRef, Q, Subquery, Sum
from django.db.models.functions import Coalesce

from annotation.models import FormVersion, Rating
from annotation.selectors.questions.counting import PARTS, answers
from annotation.selectors.questions.pilots.sources import Source

FACTS = ("form", "form__title", "number", "correction", "pool")


def rows_by_version(sources: Sequence[Source]) -> list[dict[str, Any]]:
    """One row a version with a response, in the order of forms and numbers.

    Parameters
    ----------
    sources : sequence of Source
        As of `sources_of`.

    Returns
    -------
    list of dict
        `version` and `FACTS`; numbers of `responses`, `n_ratings`, those `counting` and `excluded`, `n_late`,
        `late_left` (late and not excluded), `n_cannot_rate`, and those counting of each part; `first` and
        `last`, when they were saved. One query, and one for each source.
    """
    counts: dict[int, dict[str, Any]] = {}
    for source in sources:
        for row in _rows(source):
            version = source.version(row.pop("version"))
            counts[version] = _added(counts[version], row) if version in counts else row
    versions = FormVersion.objects.filter(pk__in=list(counts)).order_by(
        "form__position", "form", "number", "correction"
    )
    return [{**facts, **counts[facts["version"]]} for facts in versions.values(*FACTS, version=F("pk"))]


def newest(rows: Iterable[Mapping[str, Any]], counts: str) -> set[int]:
    """The newest version of each form that has something to count, and those pooled with it.

    Parameters
    ----------
    rows : iterable of mapping
        As of `rows_by_version`, in its order.
    counts : str
        Name of the number.
    """
    pools = {row["form"]: row["pool"] for row in rows if row[counts]}
    return {row["version"] for row in rows if pools.get(row["form"]) == row["pool"]}


def _rows(source: Source) -> list[dict[str, Any]]:
    out, counts = source.excluded, source.counts
    by_part = {part: Count("pk", filter=counts & answers(yields)) for part, yields in PARTS.items()}
    ratings = Rating.objects.filter(response=OuterRef("pk")).order_by().values("response")
    n_ratings = Subquery(ratings.annotate(n=Count("pk")).values("n"), output_field=IntegerField())
    found = source.responses.annotate(n_given=Coalesce(n_ratings, 0)).order_by()
    return [
        dict(row)
        for row in found.values("version").annotate(
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


def _added(one: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """Two rows as one."""
    times = {"first": min, "last": max}
    numbers = {name: one[name] + other[name] for name in one if name not in times}
    known = {name: [row[name] for row in (one, other) if row[name]] for name in times}
    return numbers | {name: times[name](found, default=None) for name, found in known.items()}
