"""Ratings, long and wide."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
from annotation.domain.questions.kinds.kind import IN_OWN_WORDS
from annotation.domain.questions.kinds.registry import keys_yielding
from annotation.models import Criterion, Seat
from annotation.selectors.questions.choice_table import choices_table
from annotation.selectors.questions.long_table import long_ratings, rating_columns
from annotation.selectors.questions.shown_options import has_options
from scoring.bundle.contents import BundleFile, Contents, table_files
from scoring.selectors.data.wide_ratings import rater_columns, wide_rows

# Answers in which a rater writes what they like.
IN_WORDS = keys_yielding(*IN_OWN_WORDS)


def ratings_part(contents: Contents, _: Sequence[BundleFile]) -> Iterator[BundleFile]:
    """`data/ratings` in every format, `data/ratings_wide`."""
    columns = describe_columns(rating_columns(contents.study), {**RATINGS, "slot": SLOT}, "")
    yield from table_files(contents, "ratings", columns, lambda: redacted(contents), every_format=True)
    raters = rater_columns(contents.study)
    wide = describe_columns((*WIDE, *raters), WIDE, OF_RATER)
    yield from table_files(
        contents, "ratings_wide", wide, lambda: wide_rows(contents.study, redacted(contents), raters)
    )


def requested_part(contents: Contents, _: Sequence[BundleFile]) -> Iterator[BundleFile]:
    """`data/requested`: how many ratings each item is to receive; without rows for imported ratings."""
    yield from table_files(contents, "requested", REQUESTED, lambda: _requested(contents))


def _requested(contents: Contents) -> Iterator[dict[str, Any]]:
    seats = Seat.objects.filter(form__study=contents.study, item__planted=False)
    ordered = seats.order_by("form__position", "form", "item__position", "item")
    for form, item, n in ordered.values_list("form__key", "item__key").annotate(n=Count("pk")):
        yield {"item": item, "form": form, "requested": n}


def choices_part(contents: Contents, _: Sequence[BundleFile]) -> Iterator[BundleFile]:
    """`data/choices`, if a question has options: those chosen, and the order in which they were shown."""
    if has_options(contents.study):
        yield from table_files(contents, "choices", CHOICES, lambda: choices_table(contents.study)[1])


def redacted(contents: Contents) -> Iterator[dict[str, Any]]:
    """Yield the current ratings; free texts are redacted, chosen values unchanged."""
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
