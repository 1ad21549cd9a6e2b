"""The ratings of each version of a form apart, for a comparison that is asked for."""

from __future__ import annotations

import pandas as pd

from annotation.models import Study
from scoring.services.data.counting import criterion_names
from scoring.services.data.tables import ratings_table
from scoring.stats.data.table import RatingsTable


def by_version(study: Study, kept: pd.DataFrame) -> dict[str, RatingsTable]:
    """The ratings that count, split by the wording that was answered.

    Parameters
    ----------
    study : Study
        Whose ratings.
    kept : DataFrame
        From `select_ratings`, versions pooled.

    Returns
    -------
    dict of RatingsTable
        By version number, for every number of which some form has ratings; empty where all forms have
        one version.
    """
    rated = kept[kept["value"].notna()]
    if rated.empty or rated.groupby("form")["form_version"].nunique().max() < 2:
        return {}
    several = rated.groupby("form")["form_version"].transform("nunique") > 1
    names = criterion_names(kept)
    return {
        str(number): ratings_table(study, part, names)
        for number, part in sorted(rated[several].groupby("form_version"))
    }
