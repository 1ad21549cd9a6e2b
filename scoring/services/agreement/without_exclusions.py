"""The headline figures without exclusions, for comparison with those of the report."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from annotation.models import Study
from annotation.selectors.questions.counting import newest_counting
from scoring.services.data.counting import select_ratings
from scoring.services.data.sums import with_sums
from scoring.services.data.tables import ratings_table
from scoring.stats.agreement.coefficients import HEADLINE
from scoring.stats.agreement.reliability import reliability
from scoring.stats.data.table import RatingsTable


def load_unfiltered_table(study: Study, frame: pd.DataFrame, *, pool_versions: bool) -> RatingsTable:
    """The ratings without any exclusion; late ones and those of other versions stay out, as in the report.

    Parameters
    ----------
    study : Study
        Says whether late answers count.
    frame : DataFrame
        From `ratings_frame`.
    pool_versions : bool
        As for the report.
    """
    counting, _ = select_ratings(
        study, ignore_exclusions(study, frame, pool_versions=pool_versions), pool_versions=pool_versions
    )
    return ratings_table(study, with_sums(study, counting))


def ignore_exclusions(study: Study, frame: pd.DataFrame, *, pool_versions: bool) -> pd.DataFrame:
    """Answers without exclusions, but not those to a newer version than the one that counts.

    Parameters
    ----------
    study : Study
        Study with the setting for late answers.
    frame : DataFrame
        From `ratings_frame` or `choices_frame`.
    pool_versions : bool
        As for the report; with it no version is left out.
    """
    if not pool_versions:
        frame = frame[~_newer_than_counts(study, frame)]
    return frame.assign(excluded=False)


def _newer_than_counts(study: Study, frame: pd.DataFrame) -> pd.Series:
    """Whether each answer belongs to a newer version than the one that counts, all of it excluded."""
    counting = ~frame["excluded"] & (study.include_late | ~frame["late"])
    newest = newest_counting(frame["form"], frame["pool"], counting.to_numpy(dtype=np.bool_))
    return frame["pool"] > frame["form"].map(newest)


def headline_rows(table: RatingsTable, *, seed: int, replicates: int) -> list[dict[str, Any]]:
    """The headline coefficients of a table as rows of the contract's JSON.

    Parameters
    ----------
    table : RatingsTable
        From `load_unfiltered_table`.
    seed, replicates : int
        Settings of the intervals, as for the report.
    """
    figures = reliability(table, seed=seed, replicates=replicates).figures
    rows = [figure.to_row() for figure in figures if figure.coefficient in HEADLINE]
    return [row for row in rows if not str(row["variant"]).startswith("rater:")]
