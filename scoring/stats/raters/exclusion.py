"""Exclusion rules: which items, raters and answers a rule catches, and what remains."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import scipy

from scoring.stats.agreement.held_out import MINIMUM_SHARED
from scoring.stats.base.rank_correlation import Positions, pearson
from scoring.stats.base.resampling import BoolArray, FloatArray, IntArray
from scoring.stats.data.answers import Answers
from scoring.stats.data.rule_matches import RuleMatches
from scoring.stats.data.table import Ratings
from scoring.stats.raters.straight_lining import count_same_values

Target = Literal["item", "rater", "response"]
# On fewer criteria, and in fewer responses, honest raters often give the same value.
FEWEST_CRITERIA, FEWEST_RESPONSES = 3, 10
# The greatest probability at which as many equal responses are clearly more than chance.
RARE = 0.001


@dataclass(frozen=True)
class LacksContext:
    """Items that at least so many raters could not rate because context is missing (HAUSER's first rule)."""

    raters: int = 1
    target: Target = "item"

    def caught(self, answers: Answers) -> BoolArray:
        """Whether each item is caught, shape (items,)."""
        counts = np.bincount(answers.item[answers.lacks_context], minlength=answers.n_items)
        return np.asarray(counts >= self.raters, dtype=np.bool_)


@dataclass(frozen=True)
class Opposition:
    """Items with a rating of `low` or less and one of `high` or more (HAUSER's second rule)."""

    criterion: str
    low: float
    high: float
    target: Target = "item"

    def caught(self, answers: Answers) -> BoolArray:
        """Whether each item is caught, shape (items,)."""
        value = answers.values[self.criterion]
        below = np.bincount(answers.item[value <= self.low], minlength=answers.n_items)
        above = np.bincount(answers.item[value >= self.high], minlength=answers.n_items)
        return np.asarray((below > 0) & (above > 0), dtype=np.bool_)


@dataclass(frozen=True)
class TooFewRatings:
    """Items to which fewer than `fewest` raters gave a value; items without any answer are not caught."""

    fewest: int
    target: Target = "item"

    def caught(self, answers: Answers) -> BoolArray:
        """Whether each item is caught, shape (items,)."""
        answered = np.bincount(answers.item, minlength=answers.n_items)
        rated = np.bincount(answers.item[answers.rated], minlength=answers.n_items)
        return np.asarray((answered > 0) & (rated < self.fewest), dtype=np.bool_)


@dataclass(frozen=True)
class FailedChecks:
    """Raters who failed at least so many attention checks."""

    failed: int = 1
    target: Target = "rater"

    def caught(self, answers: Answers) -> BoolArray:
        """Whether each rater is caught, shape (raters,)."""
        return np.asarray(answers.failed_checks >= self.failed, dtype=np.bool_)


@dataclass(frozen=True)
class StraightLining:
    """Raters who give every criterion the same value in more than a share of their responses, in per cent.

    The number must also be clearly more than chance gives: its binomial probability is below `rare`. A
    response needs `criteria` values and a rater `fewest` such responses; others cannot be judged and stay.
    """

    percent: float
    fewest: int = FEWEST_RESPONSES
    criteria: int = FEWEST_CRITERIA
    rare: float = RARE
    target: Target = "rater"

    def caught(self, answers: Answers) -> BoolArray:
        """Whether each rater is caught, shape (raters,)."""
        found = count_same_values(answers, self.criteria)
        often = (found.judged >= self.fewest) & (100 * found.same > self.percent * found.judged)
        by_chance = scipy.stats.binom.sf(found.same - 1, found.judged, np.nan_to_num(found.chance, nan=1.0))
        return np.asarray(often & (by_chance < self.rare), dtype=np.bool_)


@dataclass(frozen=True)
class TooFast:
    """Answers that took less than so many seconds; those of unknown duration are not caught."""

    seconds: float
    target: Target = "response"

    def caught(self, answers: Answers) -> BoolArray:
        """Whether each answer is caught, shape (answers,)."""
        return np.asarray(answers.seconds < self.seconds, dtype=np.bool_)


@dataclass(frozen=True)
class HeldOutBelow:
    """Raters whose Pearson correlation with the mean of the others is below a value.

    Those who share fewer than `fewest` items with others, or never vary, cannot be judged and stay.
    """

    criterion: str
    value: float
    fewest: int = MINIMUM_SHARED
    target: Target = "rater"

    def caught(self, answers: Answers) -> BoolArray:
        """Whether each rater is caught, shape (raters,)."""
        figures, _ = held_out(answers.ratings(self.criterion), answers.n_raters, self.fewest, answers)
        return np.asarray(np.nan_to_num(figures, nan=math.inf) < self.value, dtype=np.bool_)


@dataclass(frozen=True)
class ByHand:
    """Manually selected items, raters and answers, by their labels and numbers."""

    items: tuple[str, ...] = ()
    raters: tuple[str, ...] = ()
    responses: tuple[int, ...] = ()


Condition = (
    LacksContext
    | Opposition
    | TooFewRatings
    | FailedChecks
    | StraightLining
    | TooFast
    | HeldOutBelow
    | ByHand
)


def find_matches(answers: Answers, conditions: Sequence[Condition]) -> RuleMatches:
    """Find the items, raters and answers that match at least one condition of a rule.

    Conditions about raters and answers look at all answers; those about items at the answers that are left,
    so that an item is not excluded because of a careless rater. The order of the conditions makes no
    difference.

    Parameters
    ----------
    answers
        Answers that count without the rule.
    conditions
        Conditions of the rule.

    Returns
    -------
    Caught
        Items without any answer left are not among the items caught.
    """
    found = RuleMatches.nothing(answers)
    masks: dict[Target, BoolArray] = {"rater": found.raters, "response": found.responses}
    for condition in conditions:
        if isinstance(condition, ByHand):
            _pick(found, condition, answers)
        elif not is_about_items(condition):
            masks[condition.target] |= condition.caught(answers)
    out = found.out(answers)
    left = answers.only(~out) if out.any() else answers
    for condition in conditions:
        if not isinstance(condition, ByHand) and is_about_items(condition):
            found.items[:] |= condition.caught(left)
    return found


def is_about_items(condition: Condition) -> bool:
    """Whether a condition is applied after the conditions about raters and answers.

    Parameters
    ----------
    condition
        A condition of a rule.
    """
    return not isinstance(condition, ByHand) and condition.target == "item"


def held_out(ratings: Ratings, n_raters: int, fewest: int, answers: Answers) -> tuple[FloatArray, IntArray]:
    """Pearson correlation of each rater with the mean of the others of the same item.

    Parameters
    ----------
    ratings
        Ratings of one criterion, from `answers`.
    n_raters
        Number of rater codes of `answers`.
    fewest
        Least number of items shared with others for a correlation.
    answers
        Answers with the rater codes of the result.

    Returns
    -------
    tuple of ndarray, shape (raters,)
        The correlations, NaN where there is none; and the number of shared items.
    """
    figures, shared = np.full(n_raters, math.nan), np.zeros(n_raters, dtype=np.int64)
    pairable = ratings.pairable()
    if not ratings.identified or pairable.n_ratings == 0 or len(pairable.raters) < 2:
        return figures, shared
    others = mean_of_others(pairable)
    positions = Positions.of(pairable.rater, pairable.value, others)
    times = np.bincount(positions.pair).astype(np.float64)[:, None]
    codes = codes_of(pairable, answers)
    number = np.bincount(pairable.rater, minlength=len(pairable.raters))
    found = pearson(positions, times)[:, 0]
    found[number < fewest] = math.nan
    figures[codes], shared[codes] = found, number
    return figures, shared


def mean_of_others(ratings: Ratings) -> FloatArray:
    """For each rating the mean of the other ratings of its item, shape (ratings,).

    Parameters
    ----------
    ratings
        Ratings of items that have at least two.
    """
    sums = np.bincount(ratings.item, ratings.value)
    sizes = ratings.sizes[ratings.item]
    return np.asarray((sums[ratings.item] - ratings.value) / (sizes - 1), dtype=np.float64)


def codes_of(ratings: Ratings, answers: Answers) -> IntArray:
    """The rater codes of `answers` for the raters of a table made from them, shape (raters,).

    Parameters
    ----------
    ratings
        Made from `answers`.
    answers
        With labels that differ.
    """
    code_of = {label: code for code, label in enumerate(answers.rater_labels)}
    return np.array([code_of[label] for label in ratings.raters], dtype=np.int64)


def _pick(found: RuleMatches, picked: ByHand, answers: Answers) -> None:
    found.items[:] |= np.isin(answers.item_labels, list(picked.items))
    found.raters[:] |= np.isin(answers.rater_labels, list(picked.raters))
    if picked.responses:
        found.responses[:] |= np.isin(answers.number, list(picked.responses))
