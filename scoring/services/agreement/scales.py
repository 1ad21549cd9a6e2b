"""The part of a reliability report that is about ratings on scales."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import pandas as pd

from annotation.domain.questions.wording.version_numbers import PLACES, label_at
from annotation.models import Study
from annotation.selectors.questions.long_table import ratings_frame
from scoring.services.agreement.binary_sets import binary_sets
from scoring.services.agreement.differences import HEADLINE_DIFFERENCES, difference_rows
from scoring.services.agreement.without_exclusions import headline_rows, load_unfiltered_table
from scoring.services.data.counting import criterion_names, select_ratings
from scoring.services.data.sums import with_sums
from scoring.services.data.tables import ratings_table, scales_by_name
from scoring.stats.agreement.distribution import distribution
from scoring.stats.agreement.internal_consistency import analyse_tests, kr20
from scoring.stats.agreement.pairwise import connected_raters, rater_pairs
from scoring.stats.agreement.reliability import reliability
from scoring.stats.agreement.variance.pilot import PilotError, pilot_components
from scoring.stats.base.parallel import Progress
from scoring.stats.base.resampling import Resampling
from scoring.stats.data.table import Ratings, RatingsTable

# Most levels of a factor in a table of crossed means.
MOST_LEVELS = 80
# More raters than this make no readable matrix; their pairs are not stored.
MOST_RATERS = 30


@dataclass(frozen=True)
class ScalePart:
    """The ratings that count, and those they are compared with."""

    study: Study
    counted: pd.DataFrame  # Rows that count
    table: RatingsTable  # The same rows, coded
    before: RatingsTable | None  # The table without exclusions; None where nothing is excluded
    versions: Mapping[str, RatingsTable]  # A table for each version of a form, where versions are pooled
    data: dict[str, Any]  # Counts for a report

    @property
    def fingerprint(self) -> str:
        """Fingerprint of the ratings."""
        return self.table.fingerprint

    @property
    def in_logarithms(self) -> set[str]:
        """Names of the criteria whose numbers are logarithms of what was answered."""
        scales = scales_by_name(self.study, self.counted, criterion_names(self.counted))
        return {name for name, scale in scales.items() if scale.logarithmic}

    @property
    def cannot_rate(self) -> dict[str, int]:
        """Answers without a value, by criterion."""
        return {name: ratings.cannot_rate for name, ratings in self.table.criteria.items()}

    @property
    def method(self) -> dict[str, Any]:
        """Which other ratings the figures are compared with."""
        before = {} if self.before is None else {"before": self.before.fingerprint}
        versions = {number: part.fingerprint for number, part in self.versions.items()}
        method = before | ({"versions": versions} if versions else {})
        return method | ({"differences": list(HEADLINE_DIFFERENCES)} if method else {})

    def computed(
        self, method: Mapping[str, Any], progress: Progress
    ) -> tuple[list[dict[str, Any]], dict[str, Any]]:
        """Figures as rows of the contract's JSON, and further tables."""
        how = {"seed": method["seed"], "replicates": method["replicates"]}
        result = reliability(self.table, **how, progress=progress)
        tables = side_tables(self.table, Resampling(**how))
        for name in self.in_logarithms & tables["distributions"].keys():
            tables["distributions"][name]["logarithmic"] = True
        tables["crossed"] = crossed_means(self.study, self.counted.assign(name=criterion_names(self.counted)))
        if self.before is not None:
            tables["before"] = headline_rows(self.before, **how)
        if self.versions:
            tables["versions"] = {
                number: headline_rows(part, **how) for number, part in self.versions.items()
            }
        if self.before is not None or self.versions:
            tables["differences"] = difference_rows(self.table, self.before, self.versions, Resampling(**how))
        sets = binary_sets(self.study, self.counted)
        if sets:
            tables["sets"] = [row for one_set in sets for row in analyse_tests(one_set)]
        figures = [*result.figures, *(kr20(one_set, Resampling(**how)) for one_set in sets)]
        return [figure.to_row() for figure in figures], tables


def scale_part(study: Study, *, pool_versions: bool) -> ScalePart | None:
    """The ratings on scales that count.

    Parameters
    ----------
    study : Study
        Study of the ratings.
    pool_versions : bool
        Take all versions of a form together; otherwise the newest one that was answered.

    Raises
    ------
    GroundworkError
        The code of what is wrong with the ratings.
    """
    frame = ratings_frame(study)
    if frame.empty:
        return None
    counting, data = select_ratings(study, frame, pool_versions=pool_versions)
    if not counting["value"].notna().any():
        return None
    counting = with_sums(study, counting)
    before = load_unfiltered_table(study, frame, pool_versions=pool_versions) if data["excluded"] else None
    return ScalePart(
        study, counting, ratings_table(study, counting), before, _by_version(study, counting), data
    )


def _by_version(study: Study, counting: pd.DataFrame) -> dict[str, RatingsTable]:
    """The ratings that count by version number, such as 2 or 2.1, of the forms with several versions.

    It is empty where all forms have one version.
    """
    rated = counting[counting["value"].notna()]
    if rated.empty:
        return {}
    place = rated["form_version"] * PLACES + rated["form_correction"]
    several = place.groupby(rated["form"]).transform("nunique") > 1
    names = criterion_names(counting)
    return {
        label_at(int(at)): ratings_table(study, part, names)
        for at, part in sorted(rated[several].groupby(place[several]))
    }


def crossed_means(study: Study, rated: pd.DataFrame) -> dict[str, Any]:
    """Mean rating of every combination of two factors of the items' metadata.

    Parameters
    ----------
    study : Study
        Study whose item metadata name the factors.
    rated : DataFrame
        Rows that count: `item`, `name` (criterion) and `value`.

    Returns
    -------
    dict
        `factors` (two keys) and `criteria`: for each the labels of `rows` and `columns`, both ordered by
        their sums, the greatest first, and `means`. Empty where no two factors cross completely.
    """
    metadata = dict(study.items.values_list("key", "metadata"))
    factors = _crossing(list(metadata.values()))
    if not factors:
        return {}
    first, second = factors
    known = rated.dropna(subset=["value"])
    labelled = known.assign(
        first=[str(metadata[item][first]) for item in known["item"]],
        second=[str(metadata[item][second]) for item in known["item"]],
    )
    return {
        "factors": [first, second],
        "criteria": {str(name): _table(rows) for name, rows in labelled.groupby("name", sort=False)},
    }


def _crossing(metadata: list[dict[str, Any]]) -> tuple[str, str] | None:
    """Find two metadata keys whose values occur in every combination exactly once."""
    if not metadata:
        return None
    shared = [key for key in metadata[0] if all(key in one for one in metadata)]
    levels = {key: {str(one[key]) for one in metadata} for key in shared}
    usable = [key for key in shared if 2 <= len(levels[key]) <= MOST_LEVELS]
    for first, second in combinations(usable, 2):
        pairs = {(str(one[first]), str(one[second])) for one in metadata}
        if len(pairs) == len(metadata) == len(levels[first]) * len(levels[second]):
            return first, second
    return None


def _table(rows: pd.DataFrame) -> dict[str, Any]:
    means = rows.pivot_table(index="first", columns="second", values="value", aggfunc="mean")
    by_row = means.sum(axis=1).sort_values(ascending=False, kind="stable").index
    by_column = means.sum(axis=0).sort_values(ascending=False, kind="stable").index
    ordered = means.loc[by_row, by_column]
    values = [
        [None if pd.isna(cell) else round(float(cell), 6) for cell in row] for row in ordered.to_numpy()
    ]
    return {"rows": list(ordered.index), "columns": list(ordered.columns), "means": values}


def side_tables(table: RatingsTable, resampling: Resampling) -> dict[str, Any]:
    """Pairs of raters, components of the design and distributions, by criterion.

    Parameters
    ----------
    table : RatingsTable
        The ratings of a report.
    resampling : Resampling
        Replicates and seed of the report, so that a plan starts from the same interval.

    Returns
    -------
    dict
        JSON values: `pairs`, `components`, `distributions` and `pilots`, each by criterion. Pairs are missing
        for slots and beyond 30 raters; a figure that is not defined is null.
    """
    rated = {name: ratings for name, ratings in table.criteria.items() if ratings.n_ratings}
    return {
        "pairs": {
            name: _pairs(ratings)
            for name, ratings in rated.items()
            if ratings.identified and len(ratings.raters) <= MOST_RATERS
        },
        "components": {
            name: int(connected_raters(ratings).max()) + 1
            for name, ratings in rated.items()
            if ratings.identified
        },
        "distributions": {name: _distribution(ratings) for name, ratings in rated.items()},
        "pilots": {name: pilot for name, ratings in rated.items() if (pilot := _pilot(ratings, resampling))},
    }


def _pilot(ratings: Ratings, resampling: Resampling) -> dict[str, Any]:
    """Variance components to plan with; empty where the ratings give none."""
    try:
        pilot = pilot_components(ratings, resampling)
    except PilotError:
        return {}
    ranges = {"item": pilot.ranges.item, "rater": pilot.ranges.rater, "residual": pilot.ranges.residual}
    found: dict[str, Any] = {name: [one.low, one.high] for name, one in ranges.items()}
    return {**found, "assumptions": list(pilot.assumptions)}


def _pairs(ratings: Ratings) -> dict[str, Any]:
    pairs = rater_pairs(ratings)
    return {
        "raters": list(pairs.raters),
        "cells": [
            {
                "first": int(pairs.first[position]),
                "second": int(pairs.second[position]),
                "shared": int(pairs.shared[position]),
                "kappa": _number(pairs.kappa["quadratic"][position]),
                "kappa_unweighted": _number(pairs.kappa["identity"][position]),
                "pearson": _number(pairs.pearson[position]),
                "spearman": _number(pairs.spearman[position]),
                "exact": _number(pairs.exact[position]),
                "within_one": _number(pairs.within_one[position]),
                "difference": _number(pairs.difference[position]),
            }
            for position in range(len(pairs))
        ],
    }


def _distribution(ratings: Ratings) -> dict[str, Any]:
    found = distribution(ratings)
    by_rater = len(ratings.raters) <= MOST_RATERS
    return {
        "values": found.categories.tolist(),
        "counts": found.counts.sum(axis=0).tolist(),
        "raters": [
            {"rater": label, "counts": counts.tolist(), "mean": float(mean)}
            for label, counts, mean in zip(ratings.raters, found.counts, found.means, strict=True)
        ]
        if by_rater
        else [],
    }


def _number(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None
