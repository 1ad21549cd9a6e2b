"""Items of groups are alike: the degrees of freedom that their means have, and the interval's caution."""

from dataclasses import replace

import numpy as np

from scoring.stats.base.cautions import FEW_GROUPS
from scoring.stats.base.resampling import FEWEST_UNITS, FloatArray, IntArray
from scoring.stats.base.result import TOO_FEW_GROUPS, Interval
from scoring.stats.data.table import Ratings

# With fewer groups that differ much, or have many items, limits by F contain the true value clearly less
# often; see `docs/statistics/coverage.md`.
FEW_GROUPS_BELOW = 20


def item_df(ratings: Ratings) -> float:
    """Degrees of freedom of the variance between items.

    Parameters
    ----------
    ratings
        At least two items.

    Returns
    -------
    float
        n − 1 for n items without groups. Items of a group share its effect: then the sum of squares of the
        items' means is that between G groups plus that within them, and Satterthwaite's degrees of freedom of
        the sum are between the smaller of G − 1 and n − G, and n − 1.

    References
    ----------
    Satterthwaite (1946), An approximate distribution of estimates of variance components.
    """
    n = ratings.n_items
    if ratings.group is None:
        return n - 1.0
    means = np.bincount(ratings.item, ratings.value) / ratings.sizes
    return _satterthwaite(means - means.mean(), ratings.group)


def _satterthwaite(means: FloatArray, group: IntArray) -> float:
    sizes = np.bincount(group)
    between = float((np.bincount(group, means) ** 2 / sizes).sum())
    total = float(means @ means)
    within, n, groups = max(total - between, 0.0), len(means), len(sizes)
    if total == 0 or groups in {1, n}:
        return n - 1.0
    return total**2 / (between**2 / (groups - 1) + within**2 / (n - groups))


def over_groups(interval: Interval, ratings: Ratings) -> Interval:
    """The interval of items that may belong to groups: refused, or with its caution, where groups are few.

    Parameters
    ----------
    interval
        Limits that count groups by `item_df`.
    ratings
        The ratings that the figure is of.

    Returns
    -------
    Interval
        Without limits for fewer than five groups, as in `Resampling.interval`.
    """
    if ratings.group is None or interval.reason:
        return interval
    groups = int(ratings.group.max()) + 1
    if groups < FEWEST_UNITS:
        return Interval.missing(TOO_FEW_GROUPS, interval.method)
    settings = [interval.settings, f"item-df:{item_df(ratings):.4g}"]
    settings += [FEW_GROUPS] if groups < FEW_GROUPS_BELOW else []
    return replace(interval, settings="|".join(filter(None, settings)))
