"""Effect of a rule that selects by agreement on shuffled answers, and effect of random exclusions."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypedDict

import numpy as np

from scoring.stats.agreement.distances import disagreement
from scoring.stats.base.resampling import UNDEFINED_TOLERATED, BoolArray, FloatArray, IntArray
from scoring.stats.base.result import finite_or_none
from scoring.stats.data.answers import Answers
from scoring.stats.data.refusals import FEWEST_ITEMS
from scoring.stats.data.rule_matches import RuleMatches
from scoring.stats.raters.exclusion import ByHand, Condition, find_matches

Tick = Callable[[int, int], None]

PICKED_BY_HAND = "picked_by_hand"
SHUFFLE_KEEPS_AGREEMENT = "shuffle_keeps_agreement"
UNDEFINED_SHUFFLES = "undefined_shuffles"

# A greater mean α of shuffled answers is not chance: fixed panels keep what they share.
LEFT_BY_CHANCE = 0.1
# The 2.5 % quantile of fewer draws lies below their second least: their range is given instead.
FEWEST_FOR_QUANTILES = 40
QUANTILES, EXTREMES = "quantiles", "least_and_greatest"


Rows = Sequence[Sequence[float]]


@dataclass(frozen=True)
class CodedAnswers:
    """The values of each criterion as codes, one entry per answer."""

    rater: IntArray  # Code of the rater of each answer
    n_items: int  # Number of item codes
    # Per criterion, the position of each answer's value among the criterion's categories; -1 for no
    # value
    codes: tuple[IntArray, ...]
    widths: tuple[int, ...]  # Number of categories of each criterion

    @classmethod
    def of(cls, answers: Answers) -> "CodedAnswers":
        """Code the values of answers.

        Parameters
        ----------
        answers
            That count.
        """
        codes, widths = [], []
        for name, value in answers.values.items():
            known = ~np.isnan(value)
            categories = answers.categories(name)
            code = np.full(len(value), -1, dtype=np.int64)
            code[known] = np.searchsorted(categories, value[known])
            codes.append(code)
            widths.append(len(categories))
        return cls(answers.rater, answers.n_items, tuple(codes), tuple(widths))

    def alphas(self, item: IntArray, chosen: BoolArray) -> list[float]:
        """Krippendorff's ordinal α of each criterion.

        Parameters
        ----------
        item
            Code of the item of each answer.
        chosen
            Whether each answer counts.

        Returns
        -------
        list of float
            As 1 less the sum of `alpha_parts`; NaN where it cannot be computed.
        """
        return [
            self._alpha(item, chosen & (code >= 0), code, width)
            for code, width in zip(self.codes, self.widths, strict=True)
        ]

    def _alpha(self, item: IntArray, chosen: BoolArray, code: IntArray, width: int) -> float:
        counts = np.bincount((item * width + code)[chosen], minlength=self.n_items * width)
        counts = counts.reshape(self.n_items, width)
        sizes = counts.sum(axis=1)
        pairable = counts[sizes >= 2]
        raters = self.rater[chosen]
        varied = np.count_nonzero(pairable.any(axis=0)) > 1 and bool(np.any(raters != raters[0]))
        if not varied or len(pairable) < FEWEST_ITEMS:
            return math.nan
        observed, expected = disagreement(pairable, np.arange(width, dtype=np.float64), "ordinal")
        # Those with a single rating take nothing; summed with them, the sum is the same to the last digit.
        parts = np.zeros(np.count_nonzero(sizes))
        parts[sizes[sizes > 0] >= 2] = observed / expected
        return 1 - float(parts.sum())


class _Shuffled(TypedDict):
    shuffled_before: float
    shuffled_after: float
    shuffled_reason: str
    shuffled_undefined: int


class _Random(TypedDict):
    random_after: float
    random_low: float
    random_high: float
    random_limits: str


@dataclass(frozen=True)
class SelectionEffect:
    """Ordinal α of one criterion under a rule, with the rule's effect on chance."""

    criterion: str
    # before, after: α of the study's answers without and with the rule
    before: float
    after: float
    # shuffled_before, shuffled_after: Mean α of the answers shuffled within each rater, without and
    # with the rule; α before is about 0, so α after comes from the selection alone
    shuffled_before: float
    shuffled_after: float
    # Why there is no `shuffled_after`, else empty: `picked_by_hand` (a list of items, raters or answers
    # catches the same whatever the answers), `shuffle_keeps_agreement` (α of the shuffled answers is
    # above .1 before the rule, so there is more than chance in them) or `undefined_shuffles`
    shuffled_reason: str
    # Shuffles whose α with the rule cannot be computed; there is no mean when they are over 5 %
    shuffled_undefined: int
    # random_after, random_low, random_high: Mean α, and its limits, after dropping as many items,
    # raters and answers at random as the rule catches
    random_after: float
    random_low: float
    random_high: float
    random_limits: str  # `quantiles` (2.5 % and 97.5 %), or `least_and_greatest` of fewer than 40 draws
    shuffled_items: float  # Items that the rule catches in shuffled answers, on average
    # shuffles, draws: Number of each
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
    """Effect of a rule on α and on the α of shuffled answers, and effect of a random selection.

    Parameters
    ----------
    answers
        Answers that count without the rule.
    conditions
        Conditions of the rule.
    seed
        Seed of shuffles and random selections.
    shuffles, draws
        Number of shuffles, and of random selections.
    tick
        Called with (done, total) after each.

    Returns
    -------
    list of SelectionEffect
        One for each criterion; NaN where α cannot be computed. Where a condition is a list of selected
        items, raters or answers, nothing is shuffled.
    """
    by_hand = any(isinstance(one, ByHand) for one in conditions)
    shuffles = 0 if by_hand else shuffles
    generator, total = np.random.default_rng(seed), shuffles + draws
    caught, coded = find_matches(answers, conditions), CodedAnswers.of(answers)
    plain = coded.alphas(answers.item, _all(answers)), coded.alphas(answers.item, ~caught.out(answers))
    without, with_rule, items = [], [], []
    for done in range(shuffles):
        of_all, of_left, n_items = _one_shuffle(answers.shuffled(generator), conditions, coded)
        without.append(of_all)
        with_rule.append(of_left)
        items.append(n_items)
        tick(done + 1, total)
    drawn = []
    for done in range(shuffles, total):
        drawn.append(coded.alphas(answers.item, ~_at_random(answers, caught, generator)))
        tick(done + 1, total)
    return [
        SelectionEffect(
            criterion=name,
            before=plain[0][position],
            after=plain[1][position],
            **_shuffled(without, with_rule, position, by_hand),
            **_random(drawn, position),
            shuffled_items=float(np.mean(items)) if items else math.nan,
            shuffles=shuffles,
            draws=draws,
        )
        for position, name in enumerate(answers.values)
    ]


def _one_shuffle(
    shuffled: Answers, conditions: Sequence[Condition], coded: CodedAnswers
) -> tuple[list[float], list[float], int]:
    """The α of shuffled answers without and with the rule, and how many answered items it catches."""
    by_chance = find_matches(shuffled, conditions)
    without = coded.alphas(shuffled.item, _all(shuffled))
    with_rule = coded.alphas(shuffled.item, ~by_chance.out(shuffled))
    return without, with_rule, _answered(shuffled, by_chance.items)


def _all(answers: Answers) -> BoolArray:
    return np.ones(len(answers), dtype=np.bool_)


def _answered(answers: Answers, items: BoolArray) -> int:
    """How many of the items have an answer."""
    return int(np.count_nonzero(items & (np.bincount(answers.item, minlength=len(items)) > 0)))


def _at_random(answers: Answers, caught: RuleMatches, generator: np.random.Generator) -> BoolArray:
    """Whether each answer is dropped when as many items, raters and answers are as the rule catches."""
    items = _drawn(np.unique(answers.item), caught.items, generator)
    raters = _drawn(np.unique(answers.rater), caught.raters, generator)
    single = generator.permutation(caught.responses)
    return np.asarray(items[answers.item] | raters[answers.rater] | single, dtype=np.bool_)


def _drawn(codes: IntArray, caught: BoolArray, generator: np.random.Generator) -> BoolArray:
    number = int(np.count_nonzero(caught[codes]))
    found = np.zeros(len(caught), dtype=np.bool_)
    found[generator.choice(codes, number, replace=False)] = True
    return found


def _column(rows: Rows, position: int) -> FloatArray:
    column = np.array([row[position] for row in rows], dtype=np.float64)
    return column[np.isfinite(column)]


def _shuffled(without: Rows, with_rule: Rows, position: int, by_hand: bool) -> _Shuffled:
    before, after = _mean(without, position), _mean(with_rule, position)
    undefined = len(with_rule) - len(_column(with_rule, position))
    reason = ""
    if by_hand:
        reason = PICKED_BY_HAND
    elif before > LEFT_BY_CHANCE:
        reason = SHUFFLE_KEEPS_AGREEMENT
    elif math.isnan(after):
        reason = UNDEFINED_SHUFFLES
    return {
        "shuffled_before": before,
        "shuffled_after": math.nan if reason else after,
        "shuffled_reason": reason,
        "shuffled_undefined": undefined,
    }


def _random(drawn: Rows, position: int) -> _Random:
    column = _column(drawn, position)
    quantiles = len(column) >= FEWEST_FOR_QUANTILES
    low, high = (
        np.quantile(column, (0.025, 0.975) if quantiles else (0, 1)) if len(column) else (math.nan,) * 2
    )
    return {
        "random_after": _mean(drawn, position),
        "random_low": float(low),
        "random_high": float(high),
        "random_limits": QUANTILES if quantiles else EXTREMES,
    }


def _mean(rows: Rows, position: int) -> float:
    """NaN when too many are undefined."""
    column = _column(rows, position)
    undefined = len(rows) - len(column)
    return float(column.mean()) if len(column) and undefined <= UNDEFINED_TOLERATED * len(rows) else math.nan
