"""Ratings, long and wide."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from statistics import fmean
from typing import Any

from django.db.models import Count

from annotation.domain.base.codebook import (
    CHOICES,
    OF_RATER,
    RATINGS,
    REQUESTED,
    SLOT,
    WIDE,
    describe_columns,
)
from annotation.domain.questions.kinds.kind import IN_OWN_WORDS, Yields
from annotation.domain.questions.kinds.registry import keys_yielding
from annotation.models import Criterion, RaterKind, Seat
from annotation.selectors.questions.choice_table import choices_table
from annotation.selectors.questions.long_table import long_ratings, rating_columns
from annotation.selectors.questions.pilots.pilot_answers import pilot_answers
from annotation.selectors.questions.shown_options import has_options
from scoring.bundle.contents import BundleFile, Contents, table_files

# With more raters than this the wide table has means alone.
MOST_RATERS = 300
# Answers in which a rater writes what they like.
IN_WORDS = keys_yielding(*IN_OWN_WORDS)


def ratings_part(contents: Contents, _: Sequence[BundleFile]) -> Iterator[BundleFile]:
    """`data/ratings` in every format, `data/ratings_wide`."""
    columns = describe_columns(rating_columns(contents.study), {**RATINGS, "slot": SLOT}, "")
    yield from table_files(contents, "ratings", columns, lambda: redacted(contents), every_format=True)
    raters = rater_columns(contents)
    wide = describe_columns((*WIDE, *raters), WIDE, OF_RATER)
    yield from table_files(contents, "ratings_wide", wide, lambda: wide_rows(contents, raters))


def requested_part(contents: Contents, _: Sequence[BundleFile]) -> Iterator[BundleFile]:
    """`data/requested`: how many ratings each item is to receive; without rows for imported ratings."""
    yield from table_files(contents, "requested", REQUESTED, lambda: _requested(contents))


def _requested(contents: Contents) -> Iterator[dict[str, Any]]:
    seats = Seat.objects.filter(form__study=contents.study, item__planted=False)
    ordered = seats.order_by("form__position", "form", "item__position", "item")
    for form, item, n in ordered.values_list("form__key", "item__key").annotate(n=Count("pk")):
        yield {"item": item, "form": form, "requested": n}


def choices_part(contents: Contents, _: Sequence[BundleFile]) -> Iterator[BundleFile]:
    """`data/choices`, where a question has options: what they said, and in which order they were shown."""
    if has_options(contents.study):
        yield from table_files(contents, "choices", CHOICES, lambda: choices_table(contents.study)[1])


def redacted(contents: Contents) -> Iterator[dict[str, Any]]:
    """The current ratings, free texts without what says who somebody is; chosen values stay as they are."""
    redactor = contents.redactor
    criteria = Criterion.objects.filter(version__form__study=contents.study, kind__in=IN_WORDS)
    in_words = set(criteria.values_list("version__form__key", "version__number", "key"))
    for row in long_ratings(contents.study):
        if row["remark"]:
            row["remark"] = redactor.note(row["remark"])
        place = row["form"], row["form_version"], row["criterion"]
        if isinstance(row["value"], str) and place in in_words:
            row["value"] = redactor.answer(row["value"])
        yield row


def rater_columns(contents: Contents) -> tuple[str, ...]:
    """A column for each rater (or slot) of few; none for a crowd."""
    raters = contents.study.raters.filter(
        kind__in=[RaterKind.PERSON, RaterKind.SLOT], assignments__responses__current=True
    )
    codes = tuple(raters.order_by("code").values_list("code", flat=True).distinct())
    pool = pilot_answers(contents.study)
    if pool is not None:
        answered = pool.responses().order_by().values_list("assignment__rater", flat=True).distinct()
        codes += tuple(sorted({pool.raters[pk] for pk in answered} - set(codes)))
    return codes if len(codes) <= MOST_RATERS else ()


def wide_rows(contents: Contents, raters: Sequence[str]) -> Iterator[dict[str, Any]]:
    """One row an item, pool of form versions and criterion: the ratings that count side by side."""
    study = contents.study
    who = "rater" if study.identified else "slot"
    numeric = Criterion.objects.filter(version__form__study=study, kind__in=keys_yielding(Yields.NUMBER))
    with_mean = set(numeric.values_list("version__form__key", "key"))
    counting = (
        row for row in redacted(contents) if not row["excluded"] and (study.include_late or not row["late"])
    )
    place = itemgetter("form", "pooled_version", "criterion")
    for _, of_item in groupby(counting, key=itemgetter("item")):
        cells: dict[tuple[str, str, str], list[Mapping[str, Any]]] = {}
        for row in of_item:
            cells.setdefault(place(row), []).append(row)
        for (form, _pool, criterion), rows in cells.items():
            yield _wide_row(rows, (who, raters), numeric=(form, criterion) in with_mean)


def _wide_row(
    rows: Sequence[Mapping[str, Any]], columns: tuple[str, Sequence[str]], *, numeric: bool
) -> dict[str, Any]:
    who, raters = columns
    first = rows[0]
    given = [row["value"] for row in rows if row["value"] is not None]
    of_rater = {row[who]: row["value"] for row in rows} if raters else {}
    return {
        **{name: first[name] for name in ("item", "group", "system", "form", "criterion")},
        "form_version": max(row["form_version"] for row in rows),
        "n_ratings": len(given),
        "n_cannot_rate": sum(row["cannot_rate"] for row in rows),
        "mean": _mean(given) if numeric else None,
        "pooled_version": first["pooled_version"],
        **{code: of_rater.get(code) for code in raters},
    }


def _mean(values: Iterable[Any]) -> float | None:
    known = [float(value) for value in values]
    return fmean(known) if known else None
