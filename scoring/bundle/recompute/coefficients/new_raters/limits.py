"""Limits for new items and raters, and the figures that have them."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from scipy import special, stats

from ...arrays import Array, Row
from ...drawing import FEWEST_UNITS, Drawing, draw_units, get_tail_probabilities
from ...ratings import Ratings
from ..alpha import compute_alpha
from ..brennan_prediger import compute_kappa_n
from ..fleiss import compute_fleiss
from ..gwet import compute_gwet
from ..held_out import compute_held_out
from .held_out import compute_held_out_means
from .pairs import Pairs, compute_from_pairs

FEWEST_RATERS = 4
# An interval from fewer items has a caution, and one that severity widens from fewer raters: the first where
# agreement is of equal values or beyond chance, the second where it is of near values.
FEW_ITEMS, FEW_RATERS, FEW_RATERS_OF_NEAR, FEW_RATERS_OF_HELD_OUT = 20, 10, 11, 5
# So have α and Fleiss’ κ, and held-out correlations, from fewer groups.
FEW_GROUPS, FEW_GROUPS_OF_HELD_OUT = 6, 20
OF_ALL_ITEMS = ("ac1", "ac2", "exact", "within_one")
SHARES = ("exact", "within_one")
OF_SEVERITY = ("ac1", "ac2", "kappa_n", *SHARES)
OF_SQUARED_SEVERITY = ("ac2", "kappa_n", "within_one")
OF_PAIRS = ("alpha", "fleiss")
HELD_OUT = ("held_out_pearson", "held_out_spearman")
PIECE = 16
# Beyond this many items or groups, random blocks of them are left out.
MOST_BLOCKS = 200
# Draws of items and raters; of items alone; of raters alone.
SETS = ((True, True), (True, False), (False, True))


def compute_for_new_raters(ratings: Ratings, drawing: Drawing) -> list[Row]:
    """Compute every figure of a criterion with limits for new raters."""
    rows = compute_points(ratings, Drawing(drawing.seed, 1))
    pairable = ratings.pairable()
    sets: dict[bool, list[dict[str, Array]]] = {}
    for row in rows:
        row["low"], row["high"] = math.nan, math.nan
        of_all = row["coefficient"] in OF_ALL_ITEMS
        of = ratings if of_all else pairable
        if not ratings.identified or not math.isfinite(row["estimate"]) or not is_enough(of):
            continue
        if of_all not in sets:
            sets[of_all] = [compute_replicates(of, drawing, which) for which in SETS]
            sets[of_all] += leave_out(of, drawing)
        replicates = [found[get_name(row)] for found in sets[of_all]]
        row["low"], row["high"] = compute_limits(row, replicates, of)
        row["cautions"] = find_cautions(get_name(row), of)
    return rows


def compute_points(ratings: Ratings, once: Drawing) -> list[Row]:
    """Compute the estimates as a reliability report has them."""
    held_out = [row for row in compute_held_out(ratings, once) if row["variant"] == "mean"]
    return [
        *held_out,
        compute_alpha(ratings, once, "ordinal"),
        compute_alpha(ratings, once, "interval"),
        compute_fleiss(ratings, once),
        *(compute_gwet(ratings, once, key) for key in ("ac1", "ac2")),
        *compute_kappa_n(ratings, once),
        *(compute_gwet(ratings, once, key) for key in SHARES),
    ]


def get_name(row: Row) -> str:
    """Return the name of a row's replicates."""
    return f"alpha {row['variant']}" if row["coefficient"] == "alpha" else str(row["coefficient"])


def count_units(ratings: Ratings) -> int:
    """Count the items or groups to draw from."""
    return ratings.n_items if ratings.group is None else int(ratings.group.max()) + 1


def is_enough(ratings: Ratings) -> bool:
    """Whether there are items or groups, and raters, enough to draw from."""
    return count_units(ratings) >= FEWEST_UNITS and len(ratings.raters) >= FEWEST_RATERS


def compute_replicates(ratings: Ratings, drawing: Drawing, which: tuple[bool, bool]) -> dict[str, Array]:
    """Compute the coefficients of draws of items, of raters or of both, sixteen replicates a stream."""
    unit = np.arange(ratings.n_items) if ratings.group is None else ratings.group
    pairs, found = Pairs.of(ratings), []
    for piece in range(math.ceil(drawing.replicates / PIECE)):
        size = min(PIECE, drawing.replicates - PIECE * piece)
        generator = drawing.stream(ratings.name, "new_raters", str(piece))
        of_units = draw_units(generator, np.ones(count_units(ratings), dtype=int), size)
        raters = draw_units(generator, np.ones(len(ratings.raters), dtype=int), size)
        items = of_units[unit] if which[0] else np.ones((ratings.n_items, size))
        raters = raters if which[1] else np.ones(raters.shape)
        of_pairs = compute_from_pairs(ratings, pairs, items, raters)
        found.append(of_pairs | compute_held_out_means(ratings, items, raters))
    return {name: np.concatenate([one[name] for one in found]) for name in found[0]}


def leave_out(ratings: Ratings, drawing: Drawing) -> list[dict[str, Array]]:
    """Compute the coefficients without each item, group or block of them, and without each rater."""
    block = np.arange(ratings.n_items) if ratings.group is None else ratings.group
    n_units, n_raters = count_units(ratings), len(ratings.raters)
    if n_units > MOST_BLOCKS:
        shuffled = drawing.stream(ratings.name, "new_raters", "blocks").permutation(n_units)
        block = (shuffled % MOST_BLOCKS)[block]
    every_item, every_rater = np.ones((ratings.n_items, 1)), np.ones((n_raters, 1))
    without_block = np.equal.outer(block, np.arange(block.max() + 1)) == 0
    pairs, kinds = Pairs.of(ratings), []
    for items, raters in ((without_block.astype(float), every_rater), (every_item, 1.0 - np.eye(n_raters))):
        number, found = max(items.shape[1], raters.shape[1]), []
        for first in range(0, number, PIECE):
            piece = slice(first, min(first + PIECE, number))
            of_items, of_raters = (
                one[:, piece] if one.shape[1] > 1 else np.repeat(one, piece.stop - piece.start, axis=1)
                for one in (items, raters)
            )
            of_pairs = compute_from_pairs(ratings, pairs, of_items, of_raters)
            found.append(of_pairs | compute_held_out_means(ratings, of_items, of_raters))
        kinds.append({name: np.concatenate([one[name] for one in found]) for name in found[0]})
    return kinds


def find_cautions(name: str, ratings: Ratings) -> list[str]:
    """Find the cautions of an interval."""
    few_items = ratings.group is None and ratings.n_items < FEW_ITEMS
    least = dict.fromkeys(HELD_OUT, FEW_RATERS_OF_HELD_OUT) | dict.fromkeys(OF_SEVERITY, FEW_RATERS)
    least |= dict.fromkeys(OF_SQUARED_SEVERITY, FEW_RATERS_OF_NEAR)
    few_raters = len(ratings.raters) < least.get(name, 0)
    groups = dict.fromkeys(HELD_OUT, FEW_GROUPS_OF_HELD_OUT)
    groups |= dict.fromkeys(("alpha ordinal", "alpha interval", "fleiss"), FEW_GROUPS)
    few_groups = ratings.group is not None and count_units(ratings) < groups.get(name, 0)
    few_units = ["few_items"] * few_items + ["few_groups"] * few_groups
    return few_units + ["few_raters"] * few_raters


def compute_limits(row: Row, replicates: Sequence[Array], of: Ratings) -> tuple[float, float]:
    """Compute limits from three variances (Owen 2007, equation 9) and from leaving out items and raters."""
    if max(np.mean(~np.isfinite(replicates[place])) for place in (0, 3, 4)) > 0.05:
        return math.nan, math.nan
    finite = [values[np.isfinite(values)] for values in replicates]
    both, units, raters, without_units, without_raters = (
        float(np.var(values, ddof=1)) if len(values) > 1 else 0.0 for values in finite
    )
    m, k = len(replicates[3]), len(replicates[4])
    units_part, raters_part = without_units * (m - 1) ** 2 / m, without_raters * (k - 1) ** 2 / k
    raters_alone = max(raters_part - max(both - units - raters, 0.0), 0.0)
    variance = units_part + raters_alone
    estimate, coefficient = row["estimate"], row["coefficient"]
    mean_size, of_pairs = float(of.sizes.mean()), coefficient in OF_PAIRS
    if of_pairs or coefficient in HELD_OUT:
        raters_part = raters_alone
    least = {**dict.fromkeys(SHARES, 0.0), **dict.fromkeys(HELD_OUT, -1.0)}.get(coefficient, -math.inf)
    if of_pairs and estimate * (mean_size - 1) <= -1:
        return math.nan, math.nan
    if variance <= 0 or not least < estimate < 1:
        return estimate, estimate
    df = (units_part + raters_part) ** 2 / (units_part**2 / (m - 1) + raters_part**2 / (k - 1))
    t = float(stats.t.ppf(get_tail_probabilities()[1], df)) * math.sqrt(variance)
    bias = (m - 1) * (float(np.mean(finite[3])) - estimate) if of_pairs else 0.0
    steps = (side * t - bias for side in (-1, 1))
    if of_pairs:
        alike = math.sqrt(of.n_items / count_units(of))
        low, high = (step_on_fishers_scale(estimate, step, mean_size, alike) for step in steps)
    else:
        low, high = (transform(coefficient, estimate, step) for step in steps)
    low = max(low, min(find_least(coefficient, of), estimate))
    return (low, high) if low <= estimate <= high else (math.nan, math.nan)


def find_least(coefficient: str, ratings: Ratings) -> float:
    """Find the lower end of the range: no agreement, and the chance that leaves most below it."""
    if coefficient in HELD_OUT or coefficient in SHARES:
        return -1.0 if coefficient in HELD_OUT else 0.0
    if coefficient in {"alpha", "fleiss"}:
        return -1.0 / (float(ratings.sizes.min()) - 1.0)
    points = ratings.categories
    differences = (points[:, None] - points) / (float(points[-1] - points[0]) or 1.0)
    agreeing = differences == 0 if coefficient == "ac1" else 1 - differences**2
    chance = float(np.mean(agreeing))
    return -chance / (1 - chance) if chance < 1 else -math.inf


def transform(coefficient: str, estimate: float, step: float) -> float:
    """Go a step from the estimate on the scale of the coefficient."""
    if coefficient in HELD_OUT:
        return math.tanh(math.atanh(estimate) + step / (1 - estimate**2))
    if coefficient in OF_SQUARED_SEVERITY:
        # On the scale 1/(1 − θ)
        there = (1 + step / (1 - estimate)) / (1 - estimate)
        return 1 - 1 / there if there > 0 else -math.inf
    if coefficient == "exact":
        odds = math.log(estimate / (1 - estimate)) + step / (estimate * (1 - estimate))
        return float(special.expit(odds))
    return 1 - (1 - estimate) * math.exp(min(-step / (1 - estimate), 700.0))


def step_on_fishers_scale(estimate: float, step: float, size: float, alike: float) -> float:
    """Go a step on the scale of an intraclass correlation, above 0 of `alike` times as many ratings."""
    of_side = size * alike if estimate >= 0 else size
    above, below = 1 + (of_side - 1) * estimate, 1 - estimate
    # Both sides are measured in units of the side above 0, where one unit is `alike` of those below.
    unit = 1.0 if estimate >= 0 else alike
    there = unit * (math.log(above / below) + step * of_side / (above * below))
    arrived = size * alike if there >= 0 else size
    ratio = math.exp(min(there if there >= 0 else there / alike, 700.0))
    return (ratio - 1) / (ratio + arrived - 1)
