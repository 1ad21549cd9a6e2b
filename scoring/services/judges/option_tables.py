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
    one: JudgedOptions, families: Mapping[str, str], epsilon: float, resampling: Resampling
) -> dict[str, list[Row]]:
    """Compute every table of one question with options.

    Parameters
    ----------
    one : JudgedOptions
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
        "option_agreement": list(_agreement(one, resampling)),
        "option_test": list(_tests(one, epsilon, resampling)),
        "bias": list(_biases(one, families, resampling)) if one.compares_pairs else [],
        "both_orders": list(_both_orders(one, resampling)) if one.compares_pairs else [],
    }


def _agreement(one: JudgedOptions, resampling: Resampling) -> Iterator[Row]:
    for found in agreement_of_raters(one.ratings, one.chance, resampling):
        yield _agreement_row(one, ONE_PERSON, found, one.ratings.n_ratings)
    for judge in one.judges.columns:
        n_answers = int(one.judges[judge].notna().sum())
        for found in agreement_of_judge(one.ratings, one.of_judge(judge), judge, one.chance, resampling):
            yield _agreement_row(one, judge, found, n_answers)


def _agreement_row(one: JudgedOptions, judge: str, found: LabelAgreement, n_answers: int) -> Row:
    row = found.to_row()
    own = {key: row[key] for key in AGREEMENT_KEYS}
    return {"criterion": one.name, "judge": judge, **own, "n_answers": n_answers}


def _tests(one: JudgedOptions, epsilon: float, resampling: Resampling) -> Iterator[Row]:
    for judge in one.judges.columns:
        own = one.of_judge(judge)
        for values, constant in ((own, False), (one_answer(one.ratings, own), True)):
            test = alternative_annotator_test(
                one.ratings, values, judge, epsilon=epsilon, resampling=resampling
            )
            yield row_of_test(test, judge, constant=constant)


def _biases(one: JudgedOptions, families: Mapping[str, str], resampling: Resampling) -> Iterator[Row]:
    people = {side: one.sides_of_people(side) for side in SIDES}
    compared = one.answers.assign(outcome=one.answers["value"])
    (shown,) = first_shown(compared, criterion=one.name, resampling=resampling) or [{}]
    raters = {f"raters_first_{part}": shown.get(part) for part in ("share", "low", "high")}
    without = dict.fromkeys(raters)
    first = pd.Series("a", index=one.contents.index, dtype=object)
    longer = _longer(one.contents)
    for judge in one.judges.columns:
        own = {side: one.sides_of_judge(judge, side) for side in SIDES}
        place = {"criterion": one.name, "judge": judge, "system": "", "own_family": False}
        yield {**place, "bias": POSITION, **_compared(one, own, people, first, resampling), **raters}
        yield {**place, "bias": LENGTH, **_compared(one, own, people, longer, resampling), **without}
        for system in _systems(one.contents):
            family = {"system": system, "own_family": families.get(judge) == system}
            found = _compared(one, own, people, _side_of_system(one.contents, system), resampling)
            yield {**place, "bias": SYSTEM, **family, **found, **without}


def _compared(one: JudgedOptions, judge: Hits, people: Hits, sides: pd.Series, resampling: Resampling) -> Row:
    """How often judge and raters prefer a side of each item; items without one are left out."""
    own, others = (
        _where(hits, sides).reindex(one.ratings.items).to_numpy(dtype=np.float64) for hits in (judge, people)
    )
    units = Units.of(one.ratings.group, one.ratings.n_items)
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


def _both_orders(one: JudgedOptions, resampling: Resampling) -> Iterator[Row]:
    swapped = _swapped(one.contents)
    for judge in one.judges.columns:
        first = one.sides_of_judge(judge, "a")
        known = [pair for pair in swapped if pair[0] in first.index and pair[1] in first.index]
        sides = np.array([[first[item] for item in pair] for pair in known], dtype=np.float64).reshape(-1, 2)
        units = Units.of(None, len(known))
        found = both_orders(sides[:, 0], sides[:, 1], units, resampling.confidence)
        yield {"criterion": one.name, "judge": judge, **found.to_row()}


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
