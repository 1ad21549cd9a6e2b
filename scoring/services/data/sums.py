"""Sums of yes/no tests: what the tests of a set in one response add up to."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from annotation.models import Criterion, Study
from scoring.stats.data.scale import Scale

# What the name of a set has in statistics; no key of a criterion has a colon.
SUM = ":sum"
Version = tuple[str, int, int]
Sets = Mapping[Version, Mapping[str, tuple[str, ...]]]


def sets_of(study: Study) -> Sets:
    """The sets of yes/no tests of each form version.

    Parameters
    ----------
    study : Study
        Any study.

    Returns
    -------
    mapping
        From form, number and correction of a version to the name of each set and its tests, in their order.
    """
    found: dict[Version, dict[str, tuple[str, ...]]] = {}
    criteria = Criterion.objects.filter(version__form__study=study).exclude(settings={})
    for criterion in criteria.select_related("version__form").order_by("version", "position", "pk"):
        name = criterion.question_kind.set_of(criterion.settings)
        if name:
            version = criterion.version.form.key, criterion.version.number, criterion.version.correction
            sets = found.setdefault(version, {})
            sets[name] = (*sets.get(name, ()), criterion.key)
    return found


def with_sums(study: Study, counting: pd.DataFrame) -> pd.DataFrame:
    """The ratings that count, and a row for the sum of each set in each response that answers all its tests.

    Parameters
    ----------
    study : Study
        Study whose forms have the sets.
    counting : DataFrame
        From `select_ratings`, of ratings on scales.
    """
    sums = [rows.assign(value=rows["value"].astype(float)) for rows in _sum_rows(counting, sets_of(study))]
    return pd.concat([counting, *sums], ignore_index=True) if sums else counting


def _sum_rows(counting: pd.DataFrame, sets: Sets) -> list[pd.DataFrame]:
    found = []
    for (form, number, correction), of_version in sets.items():
        here = (counting["form"] == form) & (counting["form_version"] == number)
        rows = counting[here & (counting["form_correction"] == correction) & counting["value"].notna()]
        for name, tests in of_version.items():
            own = rows[rows["criterion"].isin(tests)]
            by_response = own.groupby("response", sort=False)["value"]
            complete = by_response.transform("size") == len(tests)
            first = own[complete].drop_duplicates("response")
            if not first.empty:
                total = first["response"].map(by_response.sum())
                found.append(first.assign(criterion=name + SUM, value=total))
    return found


def sum_scales(study: Study) -> dict[tuple[str, str], Scale]:
    """From 0 to the number of tests, for each form and set; over versions, the longest.

    Parameters
    ----------
    study : Study
        Any study.
    """
    scales: dict[tuple[str, str], Scale] = {}
    for (form, _number, _correction), of_version in sets_of(study).items():
        for name, tests in of_version.items():
            scale = Scale(0, len(tests))
            scales[form, name + SUM] = scale.joined(scales.get((form, name + SUM), scale))
    return scales
