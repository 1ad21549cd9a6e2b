"""Why ratings have no coefficient: what it needs of them, and what their values leave undefined."""

from dataclasses import dataclass

from scoring.stats.base.result import (
    ANONYMOUS_RATERS,
    CONSTANT_RATINGS,
    CONTINUOUS_SCALE,
    INCOMPLETE_DESIGN,
    NO_OVERLAP,
    TOO_FEW_ITEMS,
    TOO_FEW_RATERS,
)
from scoring.stats.data.table import Ratings

# Expected disagreement is that between items: of one item it cannot be estimated.
FEWEST_ITEMS = 2


@dataclass(frozen=True)
class Needs:
    """What ratings must be for a coefficient to be defined, whatever their values."""

    categories: bool = False  # On a scale whose points are categories, see `Ratings.has_categories`
    identified: bool = False  # By raters who are the same persons from item to item
    complete: bool = False  # Of every item by every rater

    def refusal(self, ratings: Ratings) -> str:
        """Why the ratings are not what the coefficient needs; empty when they are.

        Parameters
        ----------
        ratings
            All ratings of a criterion.

        Returns
        -------
        str
            `continuous_scale`, `anonymous_raters` or `incomplete_design`; where no two ratings can be
            compared that is the reason, and not the design.
        """
        if self.categories and not ratings.has_categories:
            return CONTINUOUS_SCALE
        if self.identified and not ratings.identified:
            return ANONYMOUS_RATERS
        if self.complete and not ratings.is_complete:
            return no_pairs_reason(ratings, ratings.pairable()) or INCOMPLETE_DESIGN
        return ""


NOTHING = Needs()


def no_pairs_reason(ratings: Ratings, pairable: Ratings) -> str:
    """Why no two ratings can be compared; empty when some can.

    Parameters
    ----------
    ratings
        All ratings of a criterion.
    pairable
        Those of items with at least two.
    """
    if ratings.n_ratings == 0:
        return TOO_FEW_ITEMS
    if len(ratings.raters) < 2:
        return TOO_FEW_RATERS
    return NO_OVERLAP if pairable.n_ratings == 0 else ""


def no_agreement_reason(ratings: Ratings, pairable: Ratings) -> str:
    """Why no chance-corrected agreement over value counts can be computed; empty when it can.

    Parameters
    ----------
    ratings, pairable
        As for `no_pairs_reason`.
    """
    reason = no_pairs_reason(ratings, pairable)
    if reason:
        return reason
    if pairable.n_items < FEWEST_ITEMS:
        return TOO_FEW_ITEMS
    return CONSTANT_RATINGS if pairable.is_constant else ""
