"""The raters of a study compared: how much, how fast, how severe, how consistent."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import pandas as pd
from django.db.models import Count, Q

from annotation.domain.base.numbers import plain_number
from annotation.domain.questions.kinds.kind import Yields
from annotation.domain.questions.kinds.registry import keys_yielding
from annotation.models import CheckVerdict, Exclusion, Rater, RaterKind, Rating, Study
from annotation.selectors.quality.rater_profile import RaterProfile, profiles
from annotation.selectors.questions.counting import ON_SCALES, Counting, answers, counted, submitted
from annotation.selectors.studies.progress import add_seconds, rater_rows
from scoring.models import FigureSet, RaterFigure
from scoring.selectors.data.answers import criterion_names
from scoring.stats.agreement.pairwise import rater_pairs
from scoring.stats.base.result import finite_or_none
from scoring.stats.data.table import RatingsTable

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


def list_raters(study: Study, made: FigureSet | None, sort: str) -> list[dict[str, Any]]:
    """One row a rater, sorted; those without a value last.

    Parameters
    ----------
    study : Study
        Study of the raters.
    made : FigureSet or None
        The stored figures; without them, or for somebody who came since, they are None.
    sort : str
        One of `COLUMNS`, with a minus for the greatest first.

    Returns
    -------
    list of dict
        As of `annotation.selectors.studies.progress.rater_rows`, with `figure` and the sorting columns. Only
        where they are sorted by it, they have the median time; `add_seconds` fills it.
    """
    stored = {} if made is None else {one.rater_id: one for one in RaterFigure.objects.filter(made=made)}
    checks = checks_of(study)
    rows = []
    for row in rater_rows(study):
        figure = stored.get(row["rater"].pk)
        answered, failed = checks.get(row["rater"].pk, (0, None))
        values = {"n_checks": answered, "failed": failed, **_figures(figure)}
        rows.append({**row, "figure": figure, "code": row["rater"].code, **values})
    column = sort.lstrip("-")
    if column == "seconds":
        add_seconds(study, rows)
    known = [row for row in rows if row[column] is not None]
    known.sort(key=lambda row: row["code"])
    known.sort(key=lambda row: row[column], reverse=sort.startswith("-"))
    return known + [row for row in rows if row[column] is None]


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


def checks_of(study: Study) -> dict[int, tuple[int, int]]:
    """Number of attention checks with a verdict, and of those failed, by the key of the rater."""
    verdicts = CheckVerdict.objects.filter(assignment__rater__study=study, passed__isnull=False)
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
        `criteria`, each with figures of agreement and a table of values against values; `apart`, the
        answers that differ most. What is excluded or late is left out. Where nothing is left, `left_out`
        says whether they have rated the same items, and `excluded` has the codes of those who are excluded.
    """
    names, scales = criterion_names(study)
    rows = Rating.objects.filter(
        response__in=counted(study, Counting.in_statistics(study, yields=ON_SCALES)).filter(
            assignment__rater__in=[first, second]
        ),
        criterion__kind__in=keys_yielding(Yields.NUMBER),
        value__isnull=False,
    ).values_list(
        "response__assignment__item__key", "response__assignment__rater__code", "criterion", "value"
    )
    frame = pd.DataFrame(list(rows), columns=["item", "rater", "criterion", "value"])
    frame["criterion"] = frame["criterion"].map(names)
    both = frame.pivot_table(
        index=["criterion", "item"], columns="rater", values="value", aggfunc="first", sort=False
    )
    both = both.reindex(columns=[first.code, second.code]).dropna()
    if both.empty:
        return {"criteria": [], "apart": [], **_why_nothing(study, [first, second])}
    shared = both.reset_index().melt(id_vars=["criterion", "item"], var_name="rater", value_name="value")
    table = RatingsTable.from_frame(shared[["item", "rater", "criterion", "value"]], scales=scales)
    return {
        "criteria": [
            _agreement(name, table, pd.DataFrame(both.xs(name, level="criterion")), first.code, second.code)
            for name in table.criteria
        ],
        "apart": _apart(both, first.code, second.code),
    }


def _why_nothing(study: Study, pair: Sequence[Rater]) -> dict[str, Any]:
    """Whether ratings of the same items are left out, and which of the two raters are excluded."""
    rated = submitted(study).filter(answers(ON_SCALES), assignment__rater__in=pair, cannot_rate="")
    both = rated.values("assignment__item").annotate(n=Count("assignment__rater", distinct=True)).filter(n=2)
    standing = Exclusion.objects.filter(study=study, lift__isnull=True, rater__in=pair)
    codes = standing.order_by("rater__code").values_list("rater__code", flat=True).distinct()
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


def _agreement(name: str, table: RatingsTable, both: pd.DataFrame, first: str, second: str) -> dict[str, Any]:
    ratings = table.criteria[name]
    pairs = rater_pairs(ratings)
    sign = 1 if ratings.raters[0] == first else -1
    values = [plain_number(float(value)) for value in ratings.categories]
    counts = both.groupby([first, second]).size()
    return {
        "criterion": name,
        "n": int(pairs.shared[0]),
        "exact": finite_or_none(float(pairs.exact[0])),
        "within_one": finite_or_none(float(pairs.within_one[0])),
        "difference": sign * float(pairs.difference[0]),
        "kappa": finite_or_none(float(pairs.kappa["quadratic"][0])),
        "pearson": _defined(float(pairs.pearson[0])),
        "spearman": _defined(float(pairs.spearman[0])),
        "values": values,
        "table": [
            {"value": one, "cells": [int(counts.get((one, other), 0)) for other in values]} for one in values
        ],
    }


def _defined(value: float) -> float | None:
    return None if math.isnan(value) else value


def _apart(both: pd.DataFrame, first: str, second: str) -> list[dict[str, Any]]:
    difference = (both[first] - both[second]).abs()
    order = difference.sort_values(ascending=False, kind="stable")
    chosen = order[order > 0].head(DIFFERENCES_SHOWN).index
    return [
        {
            "criterion": criterion,
            "item": item,
            "first": int(both.loc[(criterion, item), first]),
            "second": int(both.loc[(criterion, item), second]),
        }
        for criterion, item in chosen
    ]
