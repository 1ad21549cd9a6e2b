"""Numbers in the form in which statistics take them: as they are, or as logarithms."""

from __future__ import annotations

import math

import pandas as pd

from annotation.domain.questions.kinds.measuring import Measure
from annotation.domain.questions.kinds.registry import ON_RATIOS
from annotation.models import Criterion, Study

# A mean depends in its last digits on the order of what is added.
DECIMALS = 12
PLACE = ["form", "form_version", "form_correction", "criterion"]


def take_measures(study: Study, counting: pd.DataFrame) -> tuple[pd.DataFrame, int]:
    """Take logarithms of the ratings that count, of the criteria on which ratios between answers count.

    Parameters
    ----------
    study : Study
        Study whose forms determine these criteria.
    counting : DataFrame
        Rows that count, with `form`, `form_version`, `form_correction`, `criterion`, `rater` and `value`.

    Returns
    -------
    tuple of DataFrame and int
        The rows; `value` of these criteria is its natural logarithm, from which the mean of the rater's
        logarithms is subtracted where the criterion says so. A rater's only answer to such a criterion would
        always be 0 and is left out; the number says how many answers are.
    """
    asked = Criterion.objects.filter(version__form__study=study, kind__in=ON_RATIOS)
    measures: dict[tuple[str, int, int, str], Measure] = {}
    for one in asked.select_related("version__form"):
        place = one.version.form.key, one.version.number, one.version.correction, one.key
        measures[place] = one.question_kind.measure(one.settings, identified=study.identified)
    of_rows = [measures.get(place) for place in counting[PLACE].itertuples(index=False, name=None)]
    measure = pd.Series(of_rows, index=counting.index, dtype=object)
    if measure.isna().all():
        return counting, 0
    value = counting["value"].astype(float)
    value = value.where(measure.isna(), value.map(_logarithm))
    own = measure == Measure.OWN_LOGARITHMS
    by_rater = value[own].groupby([counting[name] for name in ("form", "criterion", "rater")])
    value = value.where(~own, (value[own] - by_rater.transform("mean")).round(DECIMALS))
    single = own & value.notna() & (by_rater.transform("count") == 1).reindex(own.index, fill_value=False)
    return counting.assign(value=value)[~single], int(single.sum())


def _logarithm(value: float) -> float:
    return math.log(value) if value > 0 else math.nan
