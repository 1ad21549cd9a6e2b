"""What selecting on agreement does to agreement when there is none, and what dropping at random does."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from scoring.stats.answers import Answers
from scoring.stats.disagreement import alpha_parts
from scoring.stats.exclusion import Caught, Condition, catch
from scoring.stats.resampling import BoolArray, FloatArray, IntArray
from scoring.stats.result import finite_or_none

Tick = Callable[[int, int], None]


@dataclass(frozen=True)
class SelectionEffect:
    """Ordinal α of one criterion under a rule, beside what the rule does to chance.

    Parameters
    ----------
    criterion
        Name of the criterion.
    before, after
        α of the study's answers without and with the rule.
    shuffled_before, shuffled_after
        Mean α of the answers shuffled within each rater, without and with the rule; α before is about 0,
        so what there is after comes from the selection alone.
    random_after, random_low, random_high
        Mean α, and its 2.5 % and 97.5 % quantiles, after dropping as many items, raters and answers at
        random as the rule catches.
    shuffled_items
        Items that the rule catches in shuffled answers, on average.
    shuffles, draws
        How many of each were made.
    """

    criterion: str
    before: float
    after: float
    shuffled_before: float
    shuffled_after: float
    random_after: float
    random_low: float
    random_high: float
    shuffled_items: float
    shuffles: int
    draws: int

    def to_json(self) -> dict[str, str | float | int | None]:
        """As a report's tables hold it; NaN becomes None."""
        found: dict[str, str | float | int | None] = {}
        for name, value in vars(self).items():
            found[name] = finite_or_none(value) if isinstance(value, float) else value
        return found


def selection_effects(
    answers: Answers,
    conditions: Sequence[Condition],
    *,
    seed: int,
    shuffles: int,
    draws: int,
    tick: Tick = lambda _done, _total: None,
) -> list[SelectionEffect]:
    """What a rule does to α, to the α of shuffled answers, and what a random selection does.

    Parameters
    ----------
    answers
        That count before the rule.
    conditions
        Of the rule.
    seed
        Of shuffles and random selections.
    shuffles, draws
        Number of shuffles, and of random selections.
    tick
        Called with (done, total) after each.

    Returns
    -------
    list of SelectionEffect
        One for each criterion; NaN where α cannot be computed.
    """
    generator, total = np.random.default_rng(seed), shuffles + draws
    caught = catch(answers, conditions)
    names = list(answers.values)
    plain = _alphas(answers, names), _alphas(answers.only(~caught.out(answers)), names)
    without, with_rule, items = [], [], []
    for done in range(shuffles):
        dealt = answers.shuffled(generator)
        chance = catch(dealt, conditions)
        without.append(_alphas(dealt, names))
        with_rule.append(_alphas(dealt.only(~chance.out(dealt)), names))
        items.append(_answered(dealt, chance.items))
        tick(done + 1, total)
    drawn = []
    for done in range(draws):
        drawn.append(_alphas(answers.only(~_at_random(answers, caught, generator)), names))
        tick(shuffles + done + 1, total)
    return [
        SelectionEffect(
            criterion=name,
            before=plain[0][place],
            after=plain[1][place],
            shuffled_before=_mean(without, place),
            shuffled_after=_mean(with_rule, place),
            random_after=_mean(drawn, place),
            random_low=_quantile(drawn, place, 0.025),
            random_high=_quantile(drawn, place, 0.975),
            shuffled_items=float(np.mean(items)) if items else math.nan,
            shuffles=shuffles,
            draws=draws,
        )
        for place, name in enumerate(names)
    ]


def _alphas(answers: Answers, names: Sequence[str]) -> list[float]:
    found = []
    for name in names:
        parts = alpha_parts(answers.ratings(name))
        found.append(1 - float(np.nansum(parts)) if np.isfinite(parts).any() else math.nan)
    return found


def _answered(answers: Answers, items: BoolArray) -> int:
    """How many of the items have an answer."""
    return len(np.unique(answers.item[items[answers.item]]))


def _at_random(answers: Answers, caught: Caught, generator: np.random.Generator) -> BoolArray:
    """Whether each answer goes when as many items, raters and answers go as are caught."""
    items = _drawn(np.unique(answers.item), caught.items, generator)
    raters = _drawn(np.unique(answers.rater), caught.raters, generator)
    single = generator.permutation(caught.responses)
    return np.asarray(items[answers.item] | raters[answers.rater] | single, dtype=np.bool_)


def _drawn(codes: IntArray, caught: BoolArray, generator: np.random.Generator) -> BoolArray:
    number = int(np.count_nonzero(caught[codes]))
    found = np.zeros(len(caught), dtype=np.bool_)
    found[generator.choice(codes, number, replace=False)] = True
    return found


def _column(rows: Sequence[Sequence[float]], place: int) -> FloatArray:
    column = np.array([row[place] for row in rows], dtype=np.float64)
    return column[np.isfinite(column)]


def _mean(rows: Sequence[Sequence[float]], place: int) -> float:
    column = _column(rows, place)
    return float(column.mean()) if len(column) else math.nan


def _quantile(rows: Sequence[Sequence[float]], place: int, share: float) -> float:
    column = _column(rows, place)
    return float(np.quantile(column, share)) if len(column) else math.nan
