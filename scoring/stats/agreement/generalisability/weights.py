"""How much of each variance component is in the means of items, at hand or planned."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy

from scoring.stats.agreement.generalisability.facets import (
    CRITERION,
    GROUP,
    ITEM,
    RATER,
    RESIDUAL,
    Effect,
    FacetDesign,
)
from scoring.stats.base.resampling import FloatArray, IntArray

UNIVERSE = (ITEM, GROUP)
# Part of what an item is worth where the universe has these criteria only.
OF_CRITERIA = (f"{ITEM}:{CRITERION}", f"{GROUP}:{CRITERION}")


@dataclass(frozen=True)
class Weights:
    """Weights of the variance components, each of shape (effects,)."""

    universe: FloatArray  # In the differences between items that other raters would find too
    relative: FloatArray  # In the error of the difference of two items' means, halved
    absolute: FloatArray  # In the error of the mean of one item


def weights_at_hand(design: FacetDesign, names: Sequence[str], *, fixed: bool) -> Weights:
    """Weights for the means of the items as they were rated.

    An item's mean gives each of its ratings the same weight. The absolute weight of an effect is the mean,
    over items, of the sum of squares of what each of its levels has in the item's mean; so n raters, where
    they differ between items, come in by their harmonic mean. The relative weight is less by what the means
    of two items of different groups share on average.

    Parameters
    ----------
    design
        The ratings, with at least two items, in at least two groups if there are any.
    names
        Effects that the components were estimated of.
    fixed
        Whether the universe has these criteria only.

    References
    ----------
    Brennan (2001), Generalizability Theory, sections 3.1 and 7.1; Shavelson & Webb (1991), chapter 6.
    """
    item = design.facets[ITEM]
    group = design.facets.get(GROUP, item)
    each = 1 / np.bincount(item)[item]
    group_of_item = np.zeros(int(item.max()) + 1, dtype=np.int64)
    group_of_item[item] = group
    effects = {effect.name: effect for effect in design.effects}
    found = [_at_hand(effects[name], item, each, group_of_item) for name in names]
    absolute = np.array([one for one, _ in found])
    shared = np.array([two for _, two in found])
    return _weights(names, absolute, np.maximum(absolute - shared, 0.0), fixed=fixed)


def _at_hand(effect: Effect, item: IntArray, each: FloatArray, group: IntArray) -> tuple[float, float]:
    """Mean sum of squares of an item's weights, and mean product of two items of different groups."""
    items = len(group)
    placed = (each, (item, effect.level))
    means = scipy.sparse.coo_array(placed, shape=(items, effect.levels)).tocsr()
    squares = float(means.power(2).sum())
    groups = np.bincount(group)
    member = scipy.sparse.coo_array((np.ones(items), (group, np.arange(items)))).tocsr()
    within = float((member @ means).power(2).sum())
    total = float((np.asarray(means.sum(axis=0)) ** 2).sum())
    return squares / items, (total - within) / float(items**2 - (groups**2).sum())


def planned_weights(
    names: Sequence[str],
    raters: float,
    criteria: float,
    *,
    same_raters: bool,
    fixed: bool,
    merged_in_residual: Sequence[str] = (),
) -> Weights:
    """Weights for the means of items in a D study.

    Parameters
    ----------
    names
        Effects that the components were estimated of.
    raters
        Raters of each item.
    criteria
        Criteria that each rater rates; 1 without criteria as a facet.
    same_raters
        Whether all items have the same raters (crossed), or each has its own (nested).
    fixed
        Whether the universe has these criteria only.
    merged_in_residual
        Effects whose variance is part of the residual, as item × rater is where each rater rates one
        criterion of an item. How much it has is not known, so the residual has the greatest weight of them.

    References
    ----------
    Brennan (2001), Generalizability Theory, sections 1.2 and 4.2; Cronbach, Gleser, Nanda & Rajaratnam
    (1972), The Dependability of Behavioral Measurements.
    """
    absolute = np.array([_share(name, raters, criteria) for name in names])
    in_error = [name for name in merged_in_residual if not (fixed and name in OF_CRITERIA)]
    merged = [_share(name, raters, criteria) for name in in_error]
    absolute[list(names).index(RESIDUAL)] = max([_share(RESIDUAL, raters, criteria), *merged])
    shared = {CRITERION, RATER, f"{RATER}:{CRITERION}"} if same_raters else {CRITERION}
    relative = np.where([name in shared for name in names], 0.0, absolute)
    return _weights(names, absolute, relative, fixed=fixed)


def _share(name: str, raters: float, criteria: float) -> float:
    facets = {RATER, CRITERION} if name == RESIDUAL else set(name.split(":"))
    return (1 / raters if RATER in facets else 1.0) * (1 / criteria if CRITERION in facets else 1.0)


def _weights(names: Sequence[str], absolute: FloatArray, relative: FloatArray, *, fixed: bool) -> Weights:
    of_universe = np.array([name in UNIVERSE or (fixed and name in OF_CRITERIA) for name in names])
    no_error = of_universe | np.array([fixed and name == CRITERION for name in names])
    return Weights(
        np.where(of_universe, absolute, 0.0),
        np.where(no_error, 0.0, relative),
        np.where(no_error, 0.0, absolute),
    )
