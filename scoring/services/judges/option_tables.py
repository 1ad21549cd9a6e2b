"""Tables of a report on automatic judges about questions with options: agreement, replacement, biases."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd

from scoring.services.judges.judge_tables import ONE_PERSON, row_of_test
from scoring.services.judges.judged_options import JudgedOptions
from scoring.stats.base.resampling import Resampling
from scoring.stats.choices.preference import SIDES, first_shown
from scoring.stats.judges.alternative_annotator import alternative_annotator_test
from scoring.stats.judges.evaluation import one_answer
from scoring.stats.judges.label_agreement import LabelAgreement, agreement_of_judge, agreement_of_raters
from scoring.stats.judges.pair_bias import both_orders, paired_shares
from scoring.stats.judges.unit_sums import Units

# How often each side is preferred, by item ID.
Hits = Mapping[str, pd.Series]
Row = dict[str, Any]
POSITION, LENGTH, SYSTEM = "position", "length", "system"
AGREEMENT_KEYS = (
    *("coefficient", "estimate", "low", "high", "confidence", "interval_method"),
    *("n_items", "n_groups", "reason"),
)


def option_tables(
    question: JudgedOptions, families: Mapping[str, str], epsilon: float, resampling: Resampling
) -> dict[str, list[Row]]:
    """Compute every table of one question with options.

    Parameters
    ----------
    question : JudgedOptions
        Answers of raters and judges.
    families : mapping of str to str
        By judge, the system that comes from its family of models, or an empty name.
    epsilon : float
        By how much a judge may be behind a rater, as a share of items.
    resampling : Resampling
        Replicates, seed and confidence of intervals.

    Returns
    -------
    dict
        Lists of rows under `option_agreement`, `option_test` and, of pairs, `bias` and `both_orders`.
    """
    return {
        "option_agreement": list(_agreement(question, resampling)),
        "option_test": list(_tests(question, epsilon, resampling)),
        "bias": list(_biases(question, families, resampling)) if question.compares_pairs else [],
        "both_orders": list(_both_orders(question, resampling)) if question.compares_pairs else [],
    }


def _agreement(question: JudgedOptions, resampling: Resampling) -> Iterator[Row]:
    for found in agreement_of_raters(question.ratings, question.chance, resampling):
        yield _agreement_row(question, ONE_PERSON, found, question.ratings.n_ratings)
    for judge in question.judges.columns:
        n_answers = int(question.judges[judge].notna().sum())
        for found in agreement_of_judge(
            question.ratings, question.of_judge(judge), judge, question.chance, resampling
        ):
            yield _agreement_row(question, judge, found, n_answers)


def _agreement_row(question: JudgedOptions, judge: str, found: LabelAgreement, n_answers: int) -> Row:
    row = found.to_row()
    own = {key: row[key] for key in AGREEMENT_KEYS}
    return {"criterion": question.name, "judge": judge, **own, "n_answers": n_answers}


def _tests(question: JudgedOptions, epsilon: float, resampling: Resampling) -> Iterator[Row]:
    for judge in question.judges.columns:
        own = question.of_judge(judge)
        for values, constant in ((own, False), (one_answer(question.ratings, own), True)):
            test = alternative_annotator_test(
                question.ratings, values, judge, epsilon=epsilon, resampling=resampling
            )
            yield row_of_test(test, judge, constant=constant)


def _biases(question: JudgedOptions, families: Mapping[str, str], resampling: Resampling) -> Iterator[Row]:
    people = {side: question.sides_of_people(side) for side in SIDES}
    compared = question.answers.assign(outcome=question.answers["value"])
    (shown,) = first_shown(compared, criterion=question.name, resampling=resampling) or [{}]
    raters = {f"raters_first_{part}": shown.get(part) for part in ("share", "low", "high")}
    without = dict.fromkeys(raters)
    first = pd.Series("a", index=question.contents.index, dtype=object)
    longer = _longer(question.contents)
    for judge in question.judges.columns:
        own = {side: question.sides_of_judge(judge, side) for side in SIDES}
        place = {"criterion": question.name, "judge": judge, "system": "", "own_family": False}
        yield {**place, "bias": POSITION, **_compared(question, own, people, first, resampling), **raters}
        yield {**place, "bias": LENGTH, **_compared(question, own, people, longer, resampling), **without}
        for system in _systems(question.contents):
            family = {"system": system, "own_family": families.get(judge) == system}
            found = _compared(question, own, people, _side_of_system(question.contents, system), resampling)
            yield {**place, "bias": SYSTEM, **family, **found, **without}


def _compared(
    question: JudgedOptions, judge: Hits, people: Hits, sides: pd.Series, resampling: Resampling
) -> Row:
    """How often judge and raters prefer a side of each item; items without one are left out."""
    own, others = (
        _where(hits, sides).reindex(question.ratings.items).to_numpy(dtype=np.float64)
        for hits in (judge, people)
    )
    units = Units.of(question.ratings.group, question.ratings.n_items)
    return paired_shares(own, others, units, resampling.confidence).to_row()


def _longer(contents: pd.DataFrame) -> pd.Series:
    """The side with more characters, by item ID; pairs of equal length or without texts are left out."""
    lengths = {side: contents[f"text_{side}"].str.len() for side in SIDES}
    both = (lengths["a"] > 0) & (lengths["b"] > 0) & (lengths["a"] != lengths["b"])
    side = pd.Series(np.where(lengths["a"] > lengths["b"], "a", "b"), index=contents.index, dtype=object)
    return side[both]


def _systems(contents: pd.DataFrame) -> list[str]:
    """The systems that compete with others."""
    named = contents[contents["a"].ne("") & contents["b"].ne("") & contents["a"].ne(contents["b"])]
    return sorted({*named["a"], *named["b"]})


def _side_of_system(contents: pd.DataFrame, system: str) -> pd.Series:
    """The side of a system where it competes with another one, by item ID."""
    other = contents["a"].ne(contents["b"]) & contents["a"].ne("") & contents["b"].ne("")
    side = pd.Series(np.where(contents["a"] == system, "a", "b"), index=contents.index, dtype=object)
    return side[other & (contents["a"].eq(system) | contents["b"].eq(system))]


def _where(hits: Hits, sides: pd.Series) -> pd.Series:
    """How often the given side of each item is preferred; items of which that is not known are left out."""
    parts = [own.reindex(sides.index[sides == side]).dropna() for side, own in hits.items()]
    found: pd.Series = pd.concat(parts)
    return found


def _both_orders(question: JudgedOptions, resampling: Resampling) -> Iterator[Row]:
    swapped = _swapped(question.contents)
    for judge in question.judges.columns:
        first = question.sides_of_judge(judge, "a")
        known = [pair for pair in swapped if pair[0] in first.index and pair[1] in first.index]
        sides = np.array([[first[item] for item in pair] for pair in known], dtype=np.float64).reshape(-1, 2)
        units = Units.of(None, len(known))
        found = both_orders(sides[:, 0], sides[:, 1], units, resampling.confidence)
        yield {"criterion": question.name, "judge": judge, **found.to_row()}


def _swapped(contents: pd.DataFrame) -> list[tuple[str, str]]:
    """The pairs of items with the same two texts on exchanged sides, each item in one pair at most."""
    waiting: dict[tuple[str, str], list[str]] = {}
    found = []
    for item, a, b in contents[["text_a", "text_b"]].itertuples(name=None):
        if not a or not b or a == b:
            continue
        if others := waiting.get((b, a)):
            found.append((others.pop(0), item))
        else:
            waiting.setdefault((a, b), []).append(item)
    return found
