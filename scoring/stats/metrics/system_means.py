"""Mean ratings and scores of systems, and the noise that they have because items are few."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from scoring.stats.base.resampling import FloatArray
from scoring.stats.data.rated_items import MeasuredItems

# Variance between systems that is left after the noise is taken off, as a share of the variance of the means.
LEAST_SHARE = 0.1


@dataclass(frozen=True)
class ColumnMeans:
    """Means of the systems on one column, a metric or a criterion."""

    means: FloatArray  # Shape (systems,); NaN for a system without a value
    # What each group or item adds to each mean's distance from the mean over all, shape (units, systems);
    # their squares, summed, estimate the variance of the mean
    shares: FloatArray
    # Number of groups or items that each mean rests on, shape (systems,)
    units: FloatArray

    @classmethod
    def of(cls, items: MeasuredItems, values: FloatArray) -> "ColumnMeans":
        """The means of one column of values, shape (items,), and what each unit adds to them."""
        if items.system is None:
            raise ValueError("the items belong to no systems")
        shape, known = (items.n_units, len(items.systems)), np.isfinite(values)
        place = (items.unit_codes[known], items.system[known])
        number, total = np.zeros(shape), np.zeros(shape)
        np.add.at(number, place, 1.0)
        np.add.at(total, place, values[known])
        all_of_it, units = number.sum(axis=0), (number > 0).sum(axis=0).astype(np.float64)
        means = np.divide(total.sum(axis=0), all_of_it, out=np.full(shape[1], np.nan), where=all_of_it > 0)
        away = total - number * np.where(all_of_it > 0, means, 0.0)
        scale = np.sqrt(units / np.maximum(units - 1, 1)) / np.maximum(all_of_it, 1)
        return cls(means, np.asarray(away * scale, dtype=np.float64), units)


@dataclass(frozen=True)
class SystemPair:
    """A metric and a criterion: the means of the systems that have both, and their noise."""

    metric: ColumnMeans
    criterion: ColumnMeans

    @classmethod
    def of(cls, metric: ColumnMeans, criterion: ColumnMeans) -> "SystemPair":
        """The systems that have both means."""
        both = np.isfinite(metric.means) & np.isfinite(criterion.means)
        chosen = (
            ColumnMeans(one.means[both], one.shares[:, both], one.units[both]) for one in (metric, criterion)
        )
        return cls(*chosen)

    @property
    def n_systems(self) -> int:
        """Number of systems."""
        return len(self.metric.means)

    @property
    def fewest_units(self) -> int:
        """The fewest groups or items that a mean rests on."""
        return int(min(self.metric.units.min(), self.criterion.units.min()))

    def df(self, unit: str) -> int:
        """Degrees of freedom of the noise.

        Parameters
        ----------
        unit
            `groups`, which have items of every system; or `items`, each of which is of one system alone.
        """
        if unit == "groups":
            return len(self.shares) - 1
        return int(min(self.metric.units.sum(), self.criterion.units.sum())) - self.n_systems

    @cached_property
    def centred(self) -> FloatArray:
        """Means less their mean over the systems, shape (systems, 2)."""
        means = np.column_stack([self.metric.means, self.criterion.means])
        return np.asarray(means - means.mean(axis=0), dtype=np.float64)

    @cached_property
    def shares(self) -> FloatArray:
        """What each unit adds to the centred means, shape (units, systems, 2)."""
        shares = np.stack([self.metric.shares, self.criterion.shares], axis=-1)
        return np.asarray(shares - shares.mean(axis=1, keepdims=True), dtype=np.float64)

    @cached_property
    def observed(self) -> FloatArray:
        """Covariance of both means over the systems, noise and all, shape (2, 2)."""
        return np.asarray(self.centred.T @ self.centred / (self.n_systems - 1), dtype=np.float64)

    @cached_property
    def noise(self) -> FloatArray:
        """The part of `observed` that is there because the items are few, shape (2, 2)."""
        flat = self.shares.reshape(-1, 2)
        return np.asarray(flat.T @ flat / (self.n_systems - 1), dtype=np.float64)

    @property
    def spread(self) -> float:
        """Product of the standard deviations of both means."""
        return float(np.sqrt(self.observed[0, 0] * self.observed[1, 1]))

    @property
    def by_noise_alone(self) -> float:
        """Pearson's r of the means that would be expected if the systems' true means had a correlation of 0.

        Not 0 where a metric follows the ratings of items.
        """
        return float(np.clip(self.noise[0, 1] / self.spread, -1.0, 1.0))

    def without_noise(self, r: FloatArray) -> FloatArray:
        """Pearson's r of true means, for which the means of as many items would be expected to have `r`.

        Parameters
        ----------
        r
            Correlations of means over few items.

        References
        ----------
        Spearman (1904), The proof and measurement of association between two things.
        """
        left = np.diag(self.observed - self.noise)
        variance = np.maximum(left, LEAST_SHARE * np.diag(self.observed))
        true = (r * self.spread - self.noise[0, 1]) / np.sqrt(variance[0] * variance[1])
        return np.asarray(np.clip(true, -1.0, 1.0), dtype=np.float64)
