"""The ratings of a study as the table that statistics are computed from."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from annotation.domain.base.errors import GroundworkError
from annotation.domain.questions.kinds.kind import Yields
from annotation.domain.questions.kinds.measuring import Measure
from annotation.domain.questions.kinds.registry import KINDS, keys_yielding
from annotation.models import Criterion, Study
from scoring.services.data.counting import NOTHING_YET, criterion_names
from scoring.services.data.sums import sum_scales
from scoring.stats.data.scale import Scale
from scoring.stats.data.table import RatingsTable, RatingsTableError


def ratings_table(study: Study, frame: pd.DataFrame, names: pd.Series | None = None) -> RatingsTable:
    """Check and code the ratings that count.

    Parameters
    ----------
    study : Study
        Says whether raters are persons, and declares the scales.
    frame : DataFrame
        From `select_ratings`.
    names : Series or None
        Name of each row's criterion where the rows are part of a larger table; else from the rows.

    Returns
    -------
    RatingsTable
        An item without a group, where others have one, is a group of its own.

    Raises
    ------
    GroundworkError
        `no_ratings`, or the code of what is wrong with them.
    """
    if not frame["value"].notna().any():
        raise GroundworkError(NOTHING_YET, code="no_ratings")
    named = criterion_names(frame) if names is None else names[frame.index]
    long = frame[["item", "rater", "value", "group"]].assign(criterion=named)
    try:
        return RatingsTable.from_frame(
            long, identified=study.identified, scales=scales_by_name(study, frame, named)
        )
    except RatingsTableError as problem:
        raise GroundworkError(str(problem), code=problem.code) from problem


def declared_scales(study: Study) -> dict[tuple[str, str], Scale]:
    """The scale of each criterion that has one, by form and criterion; over versions, the widest.

    Parameters
    ----------
    study : Study
        The study.
    """
    declared = Criterion.objects.filter(version__form__study=study, kind__in=keys_yielding(Yields.NUMBER))
    scales: dict[tuple[str, str], Scale] = {}
    columns = ("version__form__key", "key", "kind", "minimum", "maximum", "settings")
    for form, key, kind, low, high, settings in declared.values_list(*columns):
        if low is None or high is None:
            continue
        measure = KINDS[kind].measure(settings, identified=study.identified)
        ends = KINDS[kind].measured_ends(low, high, measure)
        scale = Scale(
            *ends,
            KINDS[kind].continuous,
            logarithmic=measure is not Measure.NUMBERS,
            bounded=KINDS[kind].is_bounded(low, high),
        )
        scales[form, key] = scale.joined(scales.get((form, key), scale))
    return scales


def scales_by_name(study: Study, frame: pd.DataFrame, named: pd.Series) -> Mapping[str, Scale]:
    """The scales of the criteria of some ratings, by the names that a report has for them.

    Parameters
    ----------
    study, frame, named
        As of `ratings_table`; `named` has the name of each row's criterion.
    """
    scales = {**declared_scales(study), **sum_scales(study)}
    pairs = zip(named, frame["form"], frame["criterion"], strict=True)
    return {name: scales[form, key] for name, form, key in set(pairs)}
