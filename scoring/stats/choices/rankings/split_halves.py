"""Split-half reliability of scores from rankings or best–worst choices."""

import math
from dataclasses import dataclass

import numpy as np

from scoring.stats.base.association import associations
from scoring.stats.base.resampling import UNDEFINED_TOLERATED, BoolArray, IntArray, Resampling
from scoring.stats.base.result import TOO_FEW_ITEMS, UNDEFINED_REPLICATES
from scoring.stats.choices.rankings.coded_rankings import Ranked

SPLITS = 100
FEWEST_ITEMS = 3


@dataclass(frozen=True)
class SplitHalves:
    """Correlation of the scores of two random halves of the answers."""

    spearman: float  # Mean over the splits; NaN exactly when `reason` is set
    corrected: float  # Of all answers, by Spearman and Brown; NaN where `spearman` is negative
    deviation: float  # Standard deviation over the splits
    splits: int
    n_items: float  # Items with a score in both halves, mean over the splits
    reason: str = ""


def split_halves(ranked: Ranked, *, seed: int, splits: int = SPLITS) -> SplitHalves:
    """Split the answers of each set at random into halves and correlate the scores of the items.

    Parameters
    ----------
    ranked
        Rankings or best–worst choices.
    seed
        The same answers and seed give the same halves.
    splits
        Number of random splits, at least 2.

    Returns
    -------
    SplitHalves
        Mean of Spearman's ρ, over the items that both halves have, and 2ρ/(1 + ρ) of that mean, which is the
        reliability of scores from all answers. The odd answer of a set falls to either half at random.

    References
    ----------
    Kiritchenko & Mohammad (2017), Best-Worst Scaling More Reliable than Rating Scales, section 5.
    """
    generator = Resampling(1, seed).generator("ranking halves")
    found, shared = [], []
    for _ in range(splits):
        half = _half(ranked.of_set, generator)
        one, other = ranked.mean_scores(half), ranked.mean_scores(~half)
        both = np.isfinite(one) & np.isfinite(other)
        shared.append(int(both.sum()))
        if both.sum() >= FEWEST_ITEMS:
            found.append(float(associations(one[both][:, None], other[both][:, None], "spearman")[0, 0]))
    defined = np.array([value for value in found if math.isfinite(value)])
    n_items = float(np.mean(shared))
    if len(defined) < (1 - UNDEFINED_TOLERATED) * splits:
        reason = TOO_FEW_ITEMS if n_items < FEWEST_ITEMS else UNDEFINED_REPLICATES
        return SplitHalves(math.nan, math.nan, math.nan, splits, n_items, reason)
    mean = float(defined.mean())
    corrected = 2 * mean / (1 + mean) if mean >= 0 else math.nan
    return SplitHalves(mean, corrected, float(defined.std(ddof=1)), splits, n_items)


def _half(of_set: IntArray, generator: np.random.Generator) -> BoolArray:
    """Half of the answers of each set."""
    order = np.lexsort((generator.random(len(of_set)), of_set))
    sets = of_set[order]
    position = np.arange(len(sets)) - np.searchsorted(sets, sets, side="left")
    begins = generator.integers(0, 2, int(of_set.max()) + 1)
    half = np.zeros(len(of_set), dtype=np.bool_)
    half[order] = (position + begins[sets]) % 2 == 0
    return half
