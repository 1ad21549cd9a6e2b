"""Raters' ratings compared with the final answers, after adjudication; this is not agreement."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from annotation.domain.questions.kinds.kind import IN_A_TEXT, Yields
from annotation.domain.questions.kinds.registry import KINDS, cell_of
from annotation.models import FinalAnswer, Rating, Study, Verdict
from annotation.models.questions.given_answer import ANSWER_COLUMNS
from annotation.selectors.adjudication.disagreement_search import marked_tuples, marks_of
from annotation.selectors.rating.annotations import annotations_in
from scoring.stats.base.association import associations
from scoring.stats.spans.matched_spans import shared

FEWEST_PAIRS = 3
Place = tuple[int, str, str]


@dataclass(frozen=True)
class FinalAgreement:
    """One rater on one criterion of a form.

    `same` is the share of final answers that the rater gave. `figure` is `r` for Likert scales, `F1` of
    characters for tuples, and empty for the others; its `value` is None where `reason` says why.
    """

    rater: str
    simulated: bool
    form: str
    criterion: str
    n: int
    same: float
    figure: str = ""
    value: float | None = None
    reason: str = ""


@dataclass(frozen=True)
class _Pair:
    given: Any
    final: Any


def agreement_with_final(study: Study) -> list[FinalAgreement]:
    """Compare each rater's answers with the final answers, over the decided items.

    Parameters
    ----------
    study : Study
        The study. Excluded answers are left out, and so are responses of raters who could not rate the item.
    """
    finals = _finals(study)
    found: dict[tuple[str, bool, str, str], list[_Pair]] = {}
    for code, simulated, place, answer in _answers(study):
        if place in finals:
            _, form, criterion = place
            found.setdefault((code, simulated, form, criterion), []).append(_Pair(answer, finals[place][1]))
    kinds = {place[1:]: kind for place, (kind, _) in finals.items()}
    return [_row(*who, kinds[who[2:]], found[who]) for who in sorted(found)]


def compare_with_final(
    found: Sequence[FinalAgreement], names: Mapping[tuple[str, str], str]
) -> dict[str, Any]:
    """The statistics as a table: one row per rater, one column per criterion.

    Parameters
    ----------
    found : sequence of FinalAgreement
        From `agreement_with_final`.
    names : mapping of tuple to str
        Names of the criteria by form and key, in the order of the columns.

    Returns
    -------
    dict
        `criteria`, their names; `rows`, each with `rater`, `simulated` and `cells`, None for no answer.
    """
    by_place = {(one.rater, one.form, one.criterion): one for one in found}
    there = {(one.form, one.criterion) for one in found}
    places = [place for place in names if place in there]
    raters = dict.fromkeys((one.rater, one.simulated) for one in found)
    rows = [
        {"rater": rater, "simulated": simulated, "cells": [by_place.get((rater, *place)) for place in places]}
        for rater, simulated in raters
    ]
    return {"criteria": [names[place] for place in places], "rows": rows}


def _finals(study: Study) -> dict[Place, tuple[str, Any]]:
    current = FinalAnswer.objects.filter(verdict__current=True, verdict__case__study=study)
    rows = current.values_list(
        "verdict__case__item",
        "verdict__case__form__key",
        "criterion__key",
        *ANSWER_COLUMNS,
    )
    return {(item, form, key): (columns[0], cell_of(*columns)) for item, form, key, *columns in rows}


def _answers(study: Study) -> list[tuple[str, bool, Place, Any]]:
    decided = Verdict.objects.filter(case__study=study, current=True).values("case__item")
    responses = annotations_in(study).filter(assignment__item__in=decided)
    rows = Rating.objects.filter(response__in=responses).values_list(
        "response__assignment__rater__code",
        "response__assignment__rater__simulated",
        "response__assignment__item",
        "response__assignment__form__key",
        "criterion__key",
        *ANSWER_COLUMNS,
    )
    return [
        (code, simulated, (item, form, key), cell_of(*columns))
        for code, simulated, item, form, key, *columns in rows
    ]


def _row(
    code: str, simulated: bool, form: str, criterion: str, kind: str, pairs: Sequence[_Pair]
) -> FinalAgreement:
    statistic: Mapping[str, Any] = {}
    yields = KINDS[kind].yields
    if yields is Yields.NUMBER:
        statistic = _correlation(pairs)
    elif yields in IN_A_TEXT:
        statistic = _overlap(pairs)
    same = sum(one.given == one.final for one in pairs) / len(pairs)
    return FinalAgreement(code, simulated, form, criterion, len(pairs), same, **statistic)


def _correlation(pairs: Sequence[_Pair]) -> dict[str, Any]:
    if len(pairs) < FEWEST_PAIRS:
        return {"figure": "r", "reason": "too_few_items"}
    columns = np.array([[one.given, one.final] for one in pairs], dtype=np.float64)
    r = float(associations(columns[:, :1], columns[:, 1:], "pearson")[0, 0])
    return {"figure": "r", "reason": "no_variance"} if math.isnan(r) else {"figure": "r", "value": r}


def _overlap(pairs: Sequence[_Pair]) -> dict[str, Any]:
    hits = both = 0.0
    for one in pairs:
        given, final = (marked_tuples(marks_of(text)) for text in (one.given, one.final))
        parts = sorted({part for row in (*given, *final) for part in row})
        found = shared(given, final, parts, "overlap")
        hits, both = hits + found.hits, both + found.first + found.second
    return (
        {"figure": "F1", "value": 2 * hits / both} if both else {"figure": "F1", "reason": "nothing_marked"}
    )
