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
# No coefficient can be below this.
LEAST_COEFFICIENT = -5.0
OF_ALL_ITEMS = ("ac1", "ac2", "exact", "within_one")
SHARES = ("exact", "within_one")
HELD_OUT = ("held_out_pearson", "held_out_spearman")
PIECE = 16
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
        replicates = [found[get_name(row)] for found in sets[of_all]]
        row["low"], row["high"] = compute_limits(row, replicates, count_units(of), len(of.raters))
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


def compute_limits(row: Row, replicates: Sequence[Array], n_units: int, n_raters: int) -> tuple[float, float]:
    """Compute limits from the variances of the three sets (Owen 2007, equation 9)."""
    kept = [values[np.isfinite(values)] for values in replicates]
    if len(replicates[0]) - len(kept[0]) > 0.05 * len(replicates[0]):
        return math.nan, math.nan
    both, units, raters = (float(np.var(values, ddof=1)) if len(values) > 1 else 0.0 for values in kept)
    units_part, factor = units * n_units / (n_units - 1), n_raters / (n_raters - 1)
    variance = units_part + factor * max(raters - max(both - units - raters, 0.0), 0.0)
    estimate, coefficient = row["estimate"], row["coefficient"]
    least = {**dict.fromkeys(SHARES, 0.0), **dict.fromkeys(HELD_OUT, -1.0)}.get(coefficient, -math.inf)
    if variance <= 0 or not least < estimate < 1:
        return estimate, estimate
    raters_part = raters * factor
    df = (units_part + raters_part) ** 2 / (units_part**2 / (n_units - 1) + raters_part**2 / (n_raters - 1))
    t = float(stats.t.ppf(get_tail_probabilities()[1], df)) * math.sqrt(variance)
    low, high = (transform(coefficient, estimate, side * t) for side in (-1, 1))
    return (low, high) if low >= LEAST_COEFFICIENT else (math.nan, math.nan)


def transform(coefficient: str, estimate: float, step: float) -> float:
    """Go a step from the estimate on the scale of the coefficient: artanh θ, logit θ or −log(1 − θ)."""
    if coefficient in HELD_OUT:
        return math.tanh(math.atanh(estimate) + step / (1 - estimate**2))
    if coefficient in SHARES:
        there = math.log(estimate / (1 - estimate)) + step / (estimate * (1 - estimate))
        return float(special.expit(there))
    return 1 - (1 - estimate) * math.exp(min(-step / (1 - estimate), 700.0))
