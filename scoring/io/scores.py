"""A long file of metric scores, and ratings and scores of the same items side by side."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from scoring.io.long_files import LongFileRefused, read_long
from scoring.io.ratings import LongRatings
from scoring.stats.data.rated_items import MeasuredItems
from scoring.stats.data.table import RatingsTable

PLACES = ("group", "system")


@dataclass(frozen=True)
class LongScores:
    """Scores ready for statistics."""

    # Index item, one column per metric, both in the order of the file; NaN where there is no score
    values: pd.DataFrame
    places: pd.DataFrame  # Index item; `group` and `system` if the file has them
    missing: int  # Rows without a value


def read_scores(source: str, *, file_format: str = "") -> LongScores:
    """Read a long file of scores.

    Parameters
    ----------
    source : str
        A path, or `-` for standard input.
    file_format : str
        Format, where the file extension does not show it.

    Returns
    -------
    LongScores
        One value of each metric for each item; an empty value is a missing score.

    Raises
    ------
    LongFileRefused
        The file cannot be read, a column is missing, a value is not a number, a label is empty, the same item
        has two scores of a metric, or an item two groups or systems; rows or items are named.
    """
    file = read_long(source, needed=("item", "metric", "value"), file_format=file_format)
    long = pd.DataFrame({"item": file.labels("item"), "metric": file.labels("metric")})
    value = file.numbers("value", np.ones(len(long), dtype=np.bool_))
    twice = long.duplicated(keep=False).to_numpy(dtype=np.bool_)
    file.refuse(
        twice, "duplicate_score", "the same item and metric more than once; use the rows of only one run"
    )
    table = long.assign(value=value).pivot(index="item", columns="metric", values="value")
    values = table.reindex(index=long["item"].unique(), columns=long["metric"].unique())
    return LongScores(values, places_of(file.frame, file.name), int(np.isnan(value).sum()))


def places_of(frame: pd.DataFrame, name: str) -> pd.DataFrame:
    """Group and system of every item.

    Parameters
    ----------
    frame : DataFrame
        Long rows with `item`; empty cells are ignored.
    name : str
        Name of the source in messages.

    Returns
    -------
    DataFrame
        Index item, a column for each of `group` and `system` that the rows have; empty cells where unknown.

    Raises
    ------
    LongFileRefused
        `conflicting_group` or `conflicting_system`, naming an item.
    """
    items = frame["item"].drop_duplicates()
    groupings = pd.DataFrame(index=pd.Index(items, name="item"))
    for column in [column for column in PLACES if column in frame.columns]:
        stated = frame[["item", column]].drop_duplicates()
        stated = stated[stated[column].ne("")]
        twice = stated[stated["item"].duplicated(keep=False)]
        if len(twice):
            item = twice["item"].iloc[0]
            labels = " and ".join(repr(label) for label in twice[twice["item"].eq(item)][column])
            message = f"{name}: column {column}: item {item!r} is in {labels}; give each item one {column}"
            raise LongFileRefused(f"conflicting_{column}", message)
        groupings[column] = stated.set_index("item")[column].reindex(groupings.index).fillna("")
    return groupings


def side_by_side(ratings: LongRatings, scores: LongScores) -> MeasuredItems:
    """Mean ratings and scores of the items that have ratings.

    Parameters
    ----------
    ratings : LongRatings
        Ratings that count.
    scores : LongScores
        Scores; those of items without ratings are left out.

    Returns
    -------
    MeasuredItems
        Items in the order of the ratings; group and system from either file.

    Raises
    ------
    LongFileRefused
        `conflicting_group` or `conflicting_system`.
    RatingsTableError
        The ratings cannot be coded.
    MeasuredItemsError
        `no_shared_items`, `partly_group` or `partly_system`.
    """
    own = places_of(ratings.frame, "ratings")
    both = pd.concat([own.reset_index(), scores.places.reset_index()]).fillna("")
    groupings = places_of(both[both["item"].isin(own.index)], "ratings and scores")
    table = RatingsTable.from_frame(ratings.frame, identified=ratings.identified)
    human = pd.DataFrame(index=own.index)
    for criterion, rated in table.criteria.items():
        means = np.bincount(rated.item, rated.value, minlength=rated.n_items) / rated.sizes
        human[criterion] = pd.Series(means, index=list(rated.items), dtype=float)
    samples = {criterion: rated.sample for criterion, rated in table.criteria.items()}
    return MeasuredItems.from_frames(human, scores.values, groupings, samples)
