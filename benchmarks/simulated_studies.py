"""Studies with known truth: ratings on 1 to 5 from item, rater and residual effects."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
from scipy.stats import norm

from scoring.stats.base.resampling import FloatArray

VALUES = np.arange(1.0, 6.0)
MIDDLE = 3.0
EDGES = (1.5, 2.5, 3.5, 4.5)
NODES, _WEIGHTS = np.polynomial.hermite_e.hermegauss(81)
WEIGHTS = _WEIGHTS / _WEIGHTS.sum()


@dataclass(frozen=True)
class Population:
    """Standard deviations of the normal effects whose sum, cut at the edges into 1 to 5, is a rating."""

    item: float
    rater: float
    residual: float
    edges: tuple[float, ...] = EDGES
    group: float = 0.0
    items_a_group: int = 0  # 0 where items belong to no groups

    @property
    def between(self) -> float:
        """Standard deviation between items, those of different groups included."""
        return math.hypot(self.item, self.group)

    def draw_raters(self, rng: np.random.Generator, raters: int) -> FloatArray:
        return rng.normal(0, self.rater, raters)

    def rate(
        self, rng: np.random.Generator, items: int, effects: FloatArray, an_item: int | None = None
    ) -> pd.DataFrame:
        """Every rater rates every item, or `an_item` raters drawn for each."""
        raters = len(effects)
        number = raters if an_item is None else an_item
        chosen = np.argsort(rng.random((items, raters)), axis=1)[:, :number]
        latent = MIDDLE + rng.normal(0, self.item, (items, 1)) + effects[chosen]
        latent += rng.normal(0, self.residual, chosen.shape)
        columns = {
            "item": np.repeat(np.arange(items), number),
            "rater": chosen.ravel(),
            "criterion": "quality",
        }
        if self.items_a_group:
            group = np.arange(items) // self.items_a_group
            latent += rng.normal(0, self.group, int(group.max()) + 1)[group][:, None]
            columns["group"] = np.repeat(group, number)
        values = 1.0 + np.searchsorted(self.edges, latent)
        return pd.DataFrame({**columns, "value": values.ravel()})

    def shares(self, means: FloatArray, sd: float) -> FloatArray:
        """Probability of each value for each mean of the latent rating, shape (..., 5)."""
        ends = norm.cdf((np.array(self.edges) - MIDDLE - means[..., None]) / sd)
        edges = np.zeros((*means.shape, 1))
        return np.asarray(np.diff(np.concatenate([edges, ends, edges + 1], axis=-1)), dtype=np.float64)

    @cached_property
    def components(self) -> tuple[float, float, float]:
        """Variances of the rounded ratings due to item, to rater, and in all."""
        spread = np.hypot(np.hypot(self.between, self.rater), self.residual)
        of_item = self.shares(self.between * NODES, np.hypot(self.rater, self.residual)) @ VALUES
        of_rater = self.shares(self.rater * NODES, np.hypot(self.between, self.residual)) @ VALUES
        whole = self.shares(np.zeros(1), spread)[0]
        total = whole @ VALUES**2 - (whole @ VALUES) ** 2
        return _variance(of_item), _variance(of_rater), float(total)

    def intraclass(self, k: float, raters: float) -> dict[str, float]:
        """The intraclass correlations over all items and raters; averages are of k of `raters`."""
        item, rater, total = self.components
        noise = {"icc1": total - item, "icc2": total - item, "icc3": total - item - rater}
        single = {key: item / (item + rest) for key, rest in noise.items()}
        means = {f"{key}k": item / (item + rest / k) for key, rest in noise.items()}
        # Two items have k²/raters raters in common on average; the severity of the others does not cancel.
        severity = rater * (1 / k - 1 / raters)
        return single | means | {"icc3k": item / (item + noise["icc3"] / k + severity)}

    def agreement(self, effects: FloatArray | None = None) -> dict[str, float]:
        """α, κ, AC1, AC2 and raw agreement over all items, of these raters or of all raters, by name."""
        if effects is None:
            common = self.shares(self.between * NODES, np.hypot(self.rater, self.residual))
            pairs = np.einsum("q,qc,qd->cd", WEIGHTS, common, common)
        else:
            by_rater = self.shares(self.between * NODES[:, None] + effects, self.residual)
            summed = by_rater.sum(axis=1)
            pairs = np.einsum("q,qc,qd->cd", WEIGHTS, summed, summed)
            pairs -= np.einsum("q,qjc,qjd->cd", WEIGHTS, by_rater, by_rater)
            pairs /= len(effects) * (len(effects) - 1)
        marginals = pairs.sum(axis=1)
        middles = np.cumsum(marginals) - marginals / 2
        chance = np.outer(marginals, marginals)
        distances = {
            "alpha ordinal": (middles[:, None] - middles) ** 2,
            "alpha interval": (VALUES[:, None] - VALUES) ** 2,
            "fleiss": 1 - np.eye(len(VALUES)),
        }
        figures = {key: 1 - float((pairs * d).sum() / (chance * d).sum()) for key, d in distances.items()}
        differences = np.abs(VALUES[:, None] - VALUES)
        figures["exact"] = float(pairs[differences == 0].sum())
        figures["within_one"] = float(pairs[differences <= 1].sum())
        figures["ac1"] = _gwet(pairs, np.eye(len(VALUES)))
        quadratic = 1 - (differences / (len(VALUES) - 1)) ** 2
        figures["ac2"] = _gwet(pairs, quadratic)
        figures["kappa_n"] = float(((pairs - 1 / pairs.size) * quadratic).sum() / (1 - quadratic.mean()))
        return figures

    def held_out(self, effects: FloatArray) -> float:
        """Mean correlation of each of these raters with the mean of the others, over all items."""
        shares = self.shares(self.between * NODES[:, None] + effects, self.residual)
        means = shares @ VALUES
        noise = WEIGHTS @ (shares @ VALUES**2 - means**2)
        centred = means - WEIGHTS @ means
        covariance = np.einsum("q,qj,qk->jk", WEIGHTS, centred, centred)
        others = 1 - np.eye(len(effects))
        shared = np.einsum("jk,jk->j", covariance, others)
        spread = np.einsum("jk,kl,jl->j", others, covariance + np.diag(noise), others)
        return float(np.mean(shared / np.sqrt((np.diag(covariance) + noise) * spread)))


def _gwet(pairs: FloatArray, weights: FloatArray) -> float:
    """Gwet (2014), sections 2.5 and 4.4."""
    shares, q = pairs.sum(axis=1), len(pairs)
    expected = float(weights.sum() * (shares @ (1 - shares))) / (q * (q - 1))
    return (float((pairs * weights).sum()) - expected) / (1 - expected)


def _variance(means: FloatArray) -> float:
    return float(WEIGHTS @ means**2 - (WEIGHTS @ means) ** 2)
