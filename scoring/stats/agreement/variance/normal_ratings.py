"""Intervals of the ICC suppose normal ratings and raters enough: cautions where they hold less often."""

from dataclasses import replace

from scoring.stats.base.cautions import FEW_RATERS, SKEWED
from scoring.stats.base.result import Interval
from scoring.stats.data.table import Ratings

OF_SEVERITY = ("icc2", "icc2k")
# Share of ratings with the lowest, or with the highest, value beyond which intervals hold clearly less often.
MOST_AT_ONE_END = 0.5
# With fewer raters, the variance between raters decides what limits of ICC2 hold.
FEW_RATERS_BELOW = 20
# With as many items, intervals of ICC2 of few raters by F still hold, and those by pivots; see
# `docs/statistics/coverage.md`.
ITEMS_OF_F, ITEMS_OF_PIVOTS = 50, 200


def share_at_one_end(ratings: Ratings) -> float:
    """The greater share of the ratings that have the lowest, or the highest, value that was given.

    Parameters
    ----------
    ratings
        At least one rating.
    """
    lowest, highest = ratings.value.min(), ratings.value.max()
    return float(max((ratings.value == lowest).mean(), (ratings.value == highest).mean()))


def is_skewed(ratings: Ratings) -> bool:
    """Whether more than half of the ratings have the lowest, or the highest, value that was given.

    Parameters
    ----------
    ratings
        At least one rating.
    """
    return share_at_one_end(ratings) > MOST_AT_ONE_END


def with_cautions(key: str, interval: Interval, ratings: Ratings) -> Interval:
    """The interval of an ICC that supposes normal effects, with the cautions that were measured.

    Parameters
    ----------
    key
        Coefficient key.
    interval
        Limits by the F distribution or by generalised pivots.
    ratings
        The ratings that the figure is of.

    Returns
    -------
    Interval
        Its settings name `skewed_ratings` where more than half of the ratings have the lowest or the highest
        value given, and for ICC2 and ICC2k `few_raters` where fewer than 20 raters rate more than 200 items;
        see `docs/statistics/coverage.md`. Unchanged without limits.
    """
    if interval.reason:
        return interval
    cautions = [FEW_RATERS] if _rests_on_few_raters(key, ratings, ITEMS_OF_PIVOTS) else []
    cautions += [SKEWED] if is_skewed(ratings) else []
    return replace(interval, settings="|".join(filter(None, [interval.settings, *cautions])))


def needs_pivots(key: str, ratings: Ratings) -> bool:
    """Whether F limits of complete ratings rest on too few raters for so many items.

    Parameters
    ----------
    key
        Coefficient key.
    ratings
        Complete ratings.
    """
    return _rests_on_few_raters(key, ratings, ITEMS_OF_F)


def _rests_on_few_raters(key: str, ratings: Ratings, most_items: int) -> bool:
    few = len(ratings.raters) < FEW_RATERS_BELOW and ratings.n_items > most_items
    return key in OF_SEVERITY and few
