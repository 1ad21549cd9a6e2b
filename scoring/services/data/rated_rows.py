"""The ratings that count as rows for models with raters, items and groups."""

from __future__ import annotations

import hashlib
from typing import Any

import pandas as pd

from annotation.domain.base.errors import GroundworkError
from annotation.domain.base.messages import message
from annotation.models import Study
from annotation.selectors.questions.long_table import ratings_frame
from scoring.services.data.counting import NOTHING_YET, criterion_names, select_ratings

COLUMNS = ["item", "rater", "form", "criterion", "value", "system", "group"]
# Fewest groups whose variance is estimated.
FEWEST_GROUPS = 3


def rated_rows(study: Study) -> tuple[pd.DataFrame, dict[str, Any]]:
    """The ratings on scales that count, one row each, and their counts.

    Parameters
    ----------
    study : Study
        With identified raters.

    Returns
    -------
    tuple of DataFrame and dict
        Columns `item`, `rater`, `form`, `criterion`, `value`, `system` and `group`, the last two empty where
        an item has none; and the counts of a report's `data`.

    Raises
    ------
    GroundworkError
        The study has no ratings on a scale (`no_ratings`), or its raters are not identified
        (`anonymous_raters`).
    """
    if not study.identified:
        raise GroundworkError(
            message(
                "The raters of this study are not identified, so the model cannot separate raters from items."
            ),
            code="anonymous_raters",
        )
    counting, data = select_ratings(study, ratings_frame(study), pool_versions=False)
    rated = counting.assign(criterion=criterion_names(counting)).dropna(subset=["value"])[COLUMNS]
    if rated.empty:
        raise GroundworkError(NOTHING_YET, code="no_ratings")
    return rated, data


def with_groups(rated: pd.DataFrame) -> pd.DataFrame:
    """An item without a group is a group of its own; too few groups, or groups of one item, are left out.

    Parameters
    ----------
    rated : DataFrame
        With columns `item` and `group`.
    """
    grouped = rated.assign(group=rated["group"].where(rated["group"] != "", "\0" + rated["item"].astype(str)))
    groups = grouped["group"].nunique()
    has_groups = FEWEST_GROUPS <= groups < grouped["item"].nunique()
    return grouped if has_groups else grouped.drop(columns="group")


def rows_fingerprint(rated: pd.DataFrame) -> str:
    """SHA-256 of the ratings, whatever the order of the rows.

    Parameters
    ----------
    rated : DataFrame
        The columns that the figures depend on.
    """
    lines = sorted("\x1f".join(map(str, row)) for row in rated.itertuples(index=False, name=None))
    return hashlib.sha256("\x1e".join([*rated.columns, *lines]).encode()).hexdigest()
