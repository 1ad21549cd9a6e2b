"""Which ratings of a study count, and what their criteria are called."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from annotation.domain.base.errors import GroundworkError
from annotation.domain.base.messages import message
from annotation.domain.questions.wording.version_numbers import version_label
from annotation.models import Study
from annotation.selectors.questions.counting import Counting, newest_counting
from annotation.selectors.questions.counting import criterion_names as names_of
from scoring.services.data.measures import take_measures

NOTHING_YET = message(
    "The study has no ratings on a scale and no choices yet, so there is nothing to compute."
)


def select_ratings(
    study: Study, frame: pd.DataFrame, *, pool_versions: bool
) -> tuple[pd.DataFrame, dict[str, Any]]:
    """Leave out what is excluded, late or of an older wording; count each separately.

    Parameters
    ----------
    study : Study
        Says whether late answers count.
    frame : DataFrame
        From `ratings_frame`.
    pool_versions : bool
        Take all versions of a form together; otherwise the newest one that was answered and those that are
        pooled with it.

    Returns
    -------
    tuple of DataFrame and dict
        The rows that count, with values as statistics take them, and the counts of a report's `data`;
        `from_pilot`, the responses of a pilot that is pooled, and `single_estimates`, the ratings that are
        left out because a standardised criterion has no other of the rater, are among them where there are
        any.

    Raises
    ------
    GroundworkError
        No rater has answered yet (`no_ratings`).
    """
    if frame.empty:
        raise GroundworkError(NOTHING_YET, code="no_ratings")
    counting = Counting.in_statistics(study, pooled=pool_versions)
    excluded = frame[frame["excluded"]]
    rest = frame[~frame["excluded"]]
    late = rest["late"] & (not counting.late)
    rest, late_rows = rest[~late], rest[late]
    newest = newest_counting(rest["form"], rest["pool"], np.ones(len(rest), dtype=np.bool_))
    older = (rest["pool"] < rest["form"].map(newest)) & (not counting.pooled)
    rest, older_rows = rest[~older], rest[older]
    data: dict[str, Any] = {
        "excluded": {rule: _responses(part) for rule, part in excluded.groupby("exclusion_rule")},
        "set_apart": {
            "cannot_rate": _responses(rest[rest["cannot_rate"]]),
            "late": _responses(late_rows),
            "older_versions": _responses(older_rows),
        },
        **_counts(rest),
        "identified": study.identified,
        "versions": _versions(rest),
        "by_version": count_by_version(rest),
    }
    if (frame["study"] != study.slug).any():
        data["from_pilot"] = _responses(rest[rest["study"] != study.slug])
    measured, single = take_measures(study, rest)
    if single:
        data["set_apart"]["single_estimates"] = single
    return measured, data


def _counts(rows: pd.DataFrame) -> dict[str, Any]:
    """Count the responses, ratings, items, raters and simulated responses in these rows."""
    return {
        "n_responses": _responses(rows),
        "n_ratings": int(rows["value"].notna().sum()),
        "n_items": int(rows["item"].nunique()),
        "n_raters": int(rows["rater"].nunique()),
        "n_simulated": _responses(rows[rows["simulated"]]),
    }


def _versions(rows: pd.DataFrame) -> list[str]:
    return list(count_by_version(rows))


def count_by_version(rows: pd.DataFrame) -> dict[str, int]:
    """How many responses each form version has, such as `similes 2.1`, in the order of the versions.

    Parameters
    ----------
    rows : DataFrame
        Rows with `form`, `form_version`, `form_correction` and `response`.
    """
    counts = rows.groupby(["form", "form_version", "form_correction"])["response"].nunique()
    return {
        f"{form} {version_label(int(number), int(correction))}": int(n)
        for form, number, correction, n in counts.reset_index().itertuples(index=False, name=None)
    }


def _responses(rows: pd.DataFrame) -> int:
    return int(rows["response"].nunique())


def criterion_names(frame: pd.DataFrame) -> pd.Series:
    """The criterion's key, with its form's where two forms have the same.

    Parameters
    ----------
    frame : DataFrame
        Rows with `form` and `criterion`.
    """
    asked = frame[["form", "criterion"]].drop_duplicates().itertuples(index=False, name=None)
    names = names_of(asked)
    pairs = zip(frame["form"], frame["criterion"], strict=True)
    return pd.Series([names[pair] for pair in pairs], index=frame.index, dtype=object)
