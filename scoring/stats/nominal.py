"""Agreement on answers that have no order: a choice of one option, or of several."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from scoring.stats.alpha import alpha
from scoring.stats.fleiss import fleiss
from scoring.stats.gwet import gwet, raw_agreement
from scoring.stats.resampling import Resampling
from scoring.stats.result import Figure
from scoring.stats.sets import SetAnswers, masi_alpha, option_alphas
from scoring.stats.table import RatingsTable


@dataclass(frozen=True)
class ChoiceQuestion:
    """A question with options.

    Parameters
    ----------
    criterion
        Its name.
    options
        The values that can be chosen, in the order of the form.
    several
        Whether more than one may be.
    """

    criterion: str
    options: Sequence[str]
    several: bool = False


def choice_agreement(
    answers: pd.DataFrame, question: ChoiceQuestion, *, identified: bool, resampling: Resampling
) -> list[Figure]:
    """Agreement on one question with options.

    Parameters
    ----------
    answers
        One row an answer: `item`, `rater`, `value` (empty for a "can't rate"; several options joined by `|`),
        and `group` if there are any.
    question
        What was asked.
    identified
        Whether raters are persons.
    resampling
        Replicates, seed and confidence of the intervals.

    Returns
    -------
    list of Figure
        For one option Krippendorff's nominal α, Fleiss' κ, Gwet's AC1 and raw agreement. For several α with
        the MASI distance and α of each option.

    References
    ----------
    Krippendorff (2019); Fleiss (1971); Gwet (2008); Passonneau (2006).
    """
    if question.several:
        return _of_sets(answers, question, resampling)
    code: Mapping[str, int] = {value: place for place, value in enumerate(question.options)}
    long = answers.assign(criterion=question.criterion, value=answers["value"].map(code))
    scales = {question.criterion: (0, len(question.options) - 1)}
    table = RatingsTable.from_frame(long, identified=identified, scales=scales)
    ratings = table.criteria[question.criterion]
    return [
        alpha(ratings, "nominal", resampling),
        fleiss(ratings, resampling),
        gwet(ratings, "identity", resampling),
        raw_agreement(ratings, 0, resampling),
    ]


def _of_sets(answers: pd.DataFrame, question: ChoiceQuestion, resampling: Resampling) -> list[Figure]:
    given = answers[answers["value"] != ""]
    sets = SetAnswers(
        criterion=question.criterion,
        items=list(given["item"]),
        raters=list(given["rater"]),
        answers=[frozenset(value.split("|")) for value in given["value"]],
    )
    return [masi_alpha(sets, resampling), *option_alphas(sets, resampling)]
