"""Criteria made of other criteria, and ratings beside norms published elsewhere."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from scoring.stats.base.association import Coefficient, associations
from scoring.stats.base.resampling import FloatArray
from scoring.stats.base.result import CONSTANT_RATINGS, TOO_FEW_ITEMS
from scoring.stats.base.rounding import settled
from scoring.stats.data.rated_items import MeasuredItems, MeasuredItemsError

How = Literal["sum", "mean"]
Missing = Literal["complete", "available"]


@dataclass(frozen=True)
class DerivedCriterion:
    """A criterion computed from others.

    Parameters
    ----------
    name
        Its name.
    parts
        The criteria it is made of.
    how
        `sum` or `mean`.
    missing
        `complete`: no value where a part is missing. `available`: over the parts that are there; a sum is
        their mean times the number of parts, so that items remain comparable.
    """

    name: str
    parts: tuple[str, ...]
    how: How = "mean"
    missing: Missing = "complete"

    def __post_init__(self) -> None:
        """Refuse a criterion made of nothing, or of the same part twice."""
        if not self.parts or len(set(self.parts)) < len(self.parts):
            raise ValueError(f"{self.name}: give one or more different parts, not {self.parts}")


@dataclass(frozen=True)
class NormAgreement:
    """Ratings beside an external norm.

    Parameters
    ----------
    criterion, coefficient
        What was compared.
    correlation
        NaN exactly when `reason` is set.
    mean_absolute_difference
        In points of the scale; NaN without shared items. It means something on the same scale only.
    n_items
        Items that have both.
    n_rated, n_norm
        Items with a rating, and items in the norm.
    reason
        Why there is no correlation.
    """

    criterion: str
    coefficient: Coefficient
    correlation: float
    mean_absolute_difference: float
    n_items: int
    n_rated: int
    n_norm: int
    reason: str = ""


def with_derived(items: MeasuredItems, derived: Sequence[DerivedCriterion]) -> MeasuredItems:
    """The items with further criteria.

    Parameters
    ----------
    items
        Mean ratings.
    derived
        The criteria to add; one may be made of an earlier one.

    Returns
    -------
    MeasuredItems
        The given criteria, then the derived ones.

    Raises
    ------
    MeasuredItemsError
        `unknown_criterion` for a part that is not there, `doubled_criterion` for a name that is.

    References
    ----------
    Miyazawa & Miyao (2017), overall score; HANNA (2022), table 4, average.
    """
    for criterion in derived:
        if criterion.name in items.criteria:
            raise MeasuredItemsError(
                "doubled_criterion", f"there is a criterion {criterion.name!r} already; choose another name"
            )
        column = _combined(items.select(criteria=criterion.parts).human, criterion)
        items = replace(
            items,
            criteria=(*items.criteria, criterion.name),
            human=np.column_stack([items.human, column]),
        )
    return items


def against_norm(
    items: MeasuredItems, criterion: str, norm: Mapping[str, float], coefficient: Coefficient = "pearson"
) -> NormAgreement:
    """Compare mean ratings with values published elsewhere.

    Parameters
    ----------
    items
        Mean ratings.
    criterion
        Name of the criterion.
    norm
        Value of each item key; keys that are no items are not shared.
    coefficient
        `pearson`, `spearman` or `kendall`.

    Returns
    -------
    NormAgreement
        Correlation and mean absolute difference over the shared items.

    Raises
    ------
    MeasuredItemsError
        `unknown_criterion`.

    References
    ----------
    Miyazawa & Miyao (2017), section 4, against the ratings of Nabeshima.
    """
    rated = items.select(criteria=[criterion]).human[:, 0]
    published = np.array([norm.get(item, np.nan) for item in items.items], dtype=np.float64)
    both = np.isfinite(rated) & np.isfinite(published)
    n, own, other = int(both.sum()), rated[both], published[both]
    r = float(associations(own[:, None], other[:, None], coefficient)[0, 0]) if n > 1 else float("nan")
    reason = (CONSTANT_RATINGS if n > 1 else TOO_FEW_ITEMS) if np.isnan(r) else ""
    difference = float(np.abs(own - other).mean()) if n else float("nan")
    return NormAgreement(
        criterion, coefficient, r, difference, n, int(np.isfinite(rated).sum()), len(norm), reason
    )


def _combined(parts: FloatArray, criterion: DerivedCriterion) -> FloatArray:
    """Sum or mean over the parts, shape (items,), settled so that equal sums of tenths tie."""
    known = np.isfinite(parts)
    number = known.sum(axis=1)
    needed = parts.shape[1] if criterion.missing == "complete" else 1
    total = np.where(known, parts, 0.0).sum(axis=1)
    mean = np.divide(total, number, out=np.full(len(parts), np.nan), where=number >= needed)
    return settled(mean * parts.shape[1] if criterion.how == "sum" else mean)
