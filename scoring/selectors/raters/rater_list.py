"""The raters of a study compared: how much, how fast, how severe, how consistent."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from django.db.models import Count, Q

from annotation.domain.base.numbers import plain_number
from annotation.domain.questions.kinds.kind import Yields
from annotation.domain.questions.kinds.registry import KINDS, keys_yielding
from annotation.models import CheckVerdict, Exclusion, Rater, RaterKind, Rating, Study
from annotation.selectors.people.answered import answered_by_rater, numbers_by_rater
from annotation.selectors.quality.rater_profile import RaterProfile, profiles
from annotation.selectors.questions.counting import ON_SCALES, Counting, answers, counted, submitted
from annotation.selectors.studies.progress import (
    excluded_raters,
    listed_raters,
    median_seconds,
    rater_rows,
)
from scoring.models import FigureSet, RaterFigure
from scoring.selectors.data.answers import criterion_names
from scoring.stats.agreement.pairwise import rater_pairs
from scoring.stats.base.result import CONSTANT_RATINGS, CONTINUOUS_SCALE, TOO_FEW_ITEMS, finite_or_none
from scoring.stats.data.table import Ratings, RatingsTable

COLUMNS = (
    "code",
    "done",
    "cannot",
    "seconds",
    "last",
    "failed",
    "severity",
    "held_out",
    "flat",
    "longest_run",
)
DIFFERENCES_SHOWN = 20
FEWEST_CORRELATED = 2
NO_CROSSTAB: dict[str, list[Any]] = {"values": [], "table": []}


class ListedRater(NamedTuple):
    """What the list is searched and filtered by; `rater_table` adds the rest for those that are shown."""

    pk: int
    code: str
    state: str
    excluded: bool


def list_raters(study: Study, figure_set: FigureSet | None, sort: str) -> list[ListedRater]:
    """All raters, sorted; those without a value last. Nothing is read but the column of the order.

    Parameters
    ----------
    study : Study
        Study of the raters.
    figure_set : FigureSet or None
        The stored figures; without them, or for raters who joined since, they are None.
    sort : str
        One of `COLUMNS`, with a minus for the greatest first.
    """
    excluded = excluded_raters(study)
    people = [
        ListedRater(pk, code, state, pk in excluded)
        for pk, code, state in listed_raters(study).values_list("pk", "code", "state")
    ]
    # Databases order texts by the rules of a language, which differ.
    people.sort(key=lambda one: one.code)
    if sort == "code":
        return people
    descending = sort.startswith("-")
    if sort == "-code":
        return people[::-1]
    values = _column(study, figure_set, sort.lstrip("-"))
    known = [person for person in people if values.get(person.pk) is not None]
    known.sort(key=lambda one: values[one.pk], reverse=descending)
    return known + [person for person in people if values.get(person.pk) is None]


def rater_table(
    study: Study, figure_set: FigureSet | None, listed: Sequence[ListedRater]
) -> list[dict[str, Any]]:
    """One row for each of the raters that are shown, in a fixed number of queries.

    Parameters
    ----------
    study : Study
        Study of the raters.
    figure_set : FigureSet or None
        The stored figures.
    listed : sequence of ListedRater
        Some of those that `list_raters` returns, in the order of the rows.

    Returns
    -------
    list of dict
        As of `annotation.selectors.studies.progress.rater_rows`, with `figure` and the other columns.
    """
    keys = [one.pk for one in listed]
    people = study.raters.in_bulk(keys)
    # A rater who was deleted meanwhile has no row.
    raters = [people[key] for key in keys if key in people]
    of_shown = RaterFigure.objects.filter(made=figure_set, rater__in=keys)
    stored = {} if figure_set is None else {one.rater_id: one for one in of_shown}
    checks = checks_of(study, raters)
    rows = []
    for row in rater_rows(study, raters):
        figure = stored.get(row["rater"].pk)
        answered, failed = checks.get(row["rater"].pk, (0, None))
        values = {"n_checks": answered, "failed": failed, **_figures(figure)}
        rows.append({**row, "figure": figure, "code": row["rater"].code, **values})
    return rows


def _column(study: Study, figure_set: FigureSet | None, column: str) -> Mapping[int, Any]:
    """The values that the list is sorted by; numbers of responses include 0."""
    if column in {"done", "cannot"}:
        numbers = numbers_by_rater(study, cannot=column == "cannot")
        keys = listed_raters(study).values_list("pk", flat=True)
        return {key: numbers.get(key, 0) for key in keys}
    if column == "last":
        return {key: one.last for key, one in answered_by_rater(study).items()}
    if column == "seconds":
        return median_seconds(study)
    if column == "failed":
        return {key: failed for key, (_, failed) in checks_of(study).items()}
    return (
        dict(RaterFigure.objects.filter(made=figure_set).values_list("rater", column)) if figure_set else {}
    )


def codes_around(study: Study, code: str) -> tuple[str, str]:
    """The codes before and after one in the order of codes; empty at an end.

    Parameters
    ----------
    study : Study
        The study.
    code : str
        The code of a rater.
    """
    codes = study.raters.exclude(kind=RaterKind.TRIAL).values_list("code", flat=True)
    before = codes.filter(code__lt=code).order_by("-code").first()
    return before or "", codes.filter(code__gt=code).order_by("code").first() or ""


def checks_of(study: Study, raters: Sequence[Rater] | None = None) -> dict[int, tuple[int, int]]:
    """Number of attention checks with a verdict, and of those failed, by rater key; of some or all raters."""
    verdicts = CheckVerdict.objects.filter(assignment__rater__study=study, passed__isnull=False)
    if raters is not None:
        verdicts = verdicts.filter(assignment__rater__in=[one.pk for one in raters])
    counts = (
        verdicts.order_by()
        .values_list("assignment__rater")
        .annotate(n=Count("pk"), failed=Count("pk", filter=Q(passed=False)))
    )
    return {rater: (n, failed) for rater, n, failed in counts}


def flags_of(study: Study, raters: Sequence[Rater]) -> dict[int, RaterProfile]:
    """Profiles of careless responding of some raters, by key."""
    return {one.rater.pk: one for one in profiles(study, raters)}


def compare_raters(study: Study, first: Rater, second: Rater) -> dict[str, Any]:
    """Two raters over the items that both rated, by criterion.

    Returns
    -------
    dict
        `criteria`, each with figures of agreement and, where the scale has categories, a table of values
        against values, else the `reason` why there is none; `correlation_reason` says why the raters have no
        correlation. On logarithms the `difference` has its `ratio`. A further entry has the answers that
        differ most. What is excluded or late is left out. Where nothing is left, `left_out` says whether they
        have rated the same items, and `excluded` has the codes of those who are excluded.
    """
    names, scales = criterion_names(study)
    columns = ("response__assignment__item__key", "response__assignment__rater__code", "criterion")
    rows = Rating.objects.filter(
        response__in=counted(study, Counting.in_statistics(study, yields=ON_SCALES)).filter(
            assignment__rater__in=[first, second]
        ),
        criterion__kind__in=keys_yielding(Yields.NUMBER),
        value__isnull=False,
    ).order_by("criterion__position", "response__assignment__item__position", "pk")
    cells = rows.values_list(*columns, "criterion__kind", "value")
    frame = pd.DataFrame(list(cells), columns=["item", "rater", "criterion", "kind", "value"])
    frame["criterion"] = frame["criterion"].map(names)
    both = frame.pivot_table(
        index=["criterion", "item"], columns="rater", values="value", aggfunc="first", sort=False
    )
    both = both.reindex(columns=[first.code, second.code]).dropna()
    if both.empty:
        return {"criteria": [], "apart": [], **_why_nothing(study, [first, second])}
    shared = both.reset_index().melt(id_vars=["criterion", "item"], var_name="rater", value_name="value")
    logarithmic = shared["criterion"].map(lambda name: scales[name].logarithmic).to_numpy(dtype=bool)
    measured = shared["value"].where(~logarithmic, np.log(shared["value"].where(logarithmic, 1.0)))
    table = RatingsTable.from_frame(shared.assign(value=measured), scales=scales)
    kinds = dict(zip(frame["criterion"], frame["kind"], strict=True))
    return {
        "criteria": [
            _agreement(
                ratings,
                pd.DataFrame(both.xs(name, level="criterion")),
                first.code,
                second.code,
                logarithmic=scales[name].logarithmic,
            )
            for name, ratings in table.criteria.items()
        ],
        "apart": _largest_differences(both, kinds, first.code, second.code),
    }


def _why_nothing(study: Study, pair: Sequence[Rater]) -> dict[str, Any]:
    """Whether ratings of the same items are left out, and which of the two raters are excluded."""
    rated = submitted(study).filter(answers(ON_SCALES), assignment__rater__in=pair, cannot_rate="")
    both = rated.values("assignment__item").annotate(n=Count("assignment__rater", distinct=True)).filter(n=2)
    active = Exclusion.objects.filter(study=study, lift__isnull=True, rater__in=pair)
    codes = active.order_by("rater__code").values_list("rater__code", flat=True).distinct()
    return {"left_out": both.exists(), "excluded": list(codes)}


def _figures(figure: RaterFigure | None) -> dict[str, Any]:
    if figure is None:
        return dict.fromkeys(("severity", "held_out", "flat", "longest_run"))
    return {
        "severity": figure.severity,
        "held_out": figure.held_out,
        "flat": figure.flat,
        "longest_run": figure.longest_run,
    }


def _agreement(
    ratings: Ratings, both: pd.DataFrame, first: str, second: str, *, logarithmic: bool
) -> dict[str, Any]:
    pairs = rater_pairs(ratings)
    sign = 1 if ratings.raters[0] == first else -1
    difference = sign * float(pairs.difference[0])
    return {
        "criterion": ratings.criterion,
        "n": int(pairs.shared[0]),
        "exact": finite_or_none(float(pairs.exact[0])),
        "within_one": finite_or_none(float(pairs.within_one[0])),
        "difference": difference,
        "ratio": math.exp(difference) if logarithmic else None,
        "kappa": finite_or_none(float(pairs.kappa["quadratic"][0])),
        "pearson": _defined(float(pairs.pearson[0])),
        "spearman": _defined(float(pairs.spearman[0])),
        "reason": "" if ratings.has_categories else CONTINUOUS_SCALE,
        "correlation_reason": _no_correlation(int(pairs.shared[0]), float(pairs.pearson[0])),
        **(_crosstab(ratings, both, first, second) if ratings.has_categories else NO_CROSSTAB),
    }


def _crosstab(ratings: Ratings, both: pd.DataFrame, first: str, second: str) -> dict[str, Any]:
    values = [plain_number(float(value)) for value in ratings.categories]
    counts = both.groupby([first, second]).size()
    table = [
        {"value": one, "cells": [int(counts.get((one, other), 0)) for other in values]} for one in values
    ]
    return {"values": values, "table": table}


def _no_correlation(items: int, pearson: float) -> str:
    """Why two raters have no correlation: one item in common, or one value throughout."""
    if not math.isnan(pearson):
        return ""
    return TOO_FEW_ITEMS if items < FEWEST_CORRELATED else CONSTANT_RATINGS


def _defined(value: float) -> float | None:
    return None if math.isnan(value) else value


def _largest_differences(
    both: pd.DataFrame, kinds: Mapping[str, str], first: str, second: str
) -> list[dict[str, Any]]:
    deviations = [
        abs(KINDS[kinds[criterion]].deviation(one, other))
        for (criterion, _), one, other in both[[first, second]].itertuples(name=None)
    ]
    order = pd.Series(deviations, index=both.index).sort_values(ascending=False, kind="stable")
    chosen = order[order > 0].head(DIFFERENCES_SHOWN).index
    return [
        {
            "criterion": criterion,
            "item": item,
            "first": plain_number(float(both.loc[(criterion, item), first])),
            "second": plain_number(float(both.loc[(criterion, item), second])),
        }
        for criterion, item in chosen
    ]
