"""The wide table of ratings: one row per item and criterion, with a column per rater."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from statistics import fmean, geometric_mean
from typing import Any

from annotation.domain.base.codebook import WIDE
from annotation.domain.questions.kinds.kind import Yields
from annotation.domain.questions.kinds.registry import KINDS, keys_yielding
from annotation.models import Criterion, RaterKind, Study
from annotation.selectors.base.table_types import Table
from annotation.selectors.questions.long_table import long_ratings
from annotation.selectors.questions.pilots.pilot_answers import pilot_answers

# With more raters than this the wide table has means alone.
MOST_RATERS = 300
# The logarithm of a number and back again is not quite the number.
DECIMALS = 10
Row = Mapping[str, Any]


def wide_ratings(study: Study) -> Table:
    """The ratings that count, side by side."""
    raters = rater_columns(study)
    return (*WIDE, *raters), wide_rows(study, long_ratings(study), raters)


def rater_columns(study: Study) -> tuple[str, ...]:
    """A column for each rater (or slot) of few; none if there are many."""
    raters = study.raters.filter(
        kind__in=[RaterKind.PERSON, RaterKind.SLOT], assignments__responses__current=True
    )
    codes = tuple(raters.order_by("code").values_list("code", flat=True).distinct())
    pool = pilot_answers(study)
    if pool is not None:
        answered = pool.responses().order_by().values_list("assignment__rater", flat=True).distinct()
        codes += tuple(sorted({pool.raters[pk] for pk in answered} - set(codes)))
    return codes if len(codes) <= MOST_RATERS else ()


def wide_rows(study: Study, ratings: Iterable[Row], raters: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Yield one row per item, pool of form versions and criterion, streamed.

    Parameters
    ----------
    study : Study
        Study of the ratings.
    ratings : iterable of mapping
        Rows of `long_ratings`; those that do not count are left out here.
    raters : sequence of str
        What `rater_columns` gives.
    """
    who = "rater" if study.identified else "slot"
    numeric = Criterion.objects.filter(version__form__study=study, kind__in=keys_yielding(Yields.NUMBER))
    means: dict[tuple[str, str], Callable[[Sequence[float]], float]] = {
        (form, key): geometric if KINDS[kind].on_ratios else fmean
        for form, key, kind in numeric.values_list("version__form__key", "key", "kind")
    }
    counting = (row for row in ratings if not row["excluded"] and (study.include_late or not row["late"]))
    place = itemgetter("form", "pooled_version", "criterion")
    for _, of_item in groupby(counting, key=itemgetter("item")):
        cells: dict[tuple[str, str, str], list[Row]] = {}
        for row in of_item:
            cells.setdefault(place(row), []).append(row)
        for (form, _pool, criterion), rows in cells.items():
            yield _wide_row(rows, (who, raters), means.get((form, criterion)))


def geometric(values: Sequence[float]) -> float:
    """The geometric mean: of magnitude estimates ratios count."""
    return round(geometric_mean(values), DECIMALS)


def _wide_row(
    rows: Sequence[Row],
    columns: tuple[str, Sequence[str]],
    mean: Callable[[Sequence[float]], float] | None,
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
        "mean": mean([float(value) for value in given]) if mean is not None and given else None,
        "pooled_version": first["pooled_version"],
        **{code: of_rater.get(code) for code in raters},
    }
