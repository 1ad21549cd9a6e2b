"""What the exclusion of one rater would do to the reliability of a study."""

from __future__ import annotations

from dataclasses import dataclass

from annotation.models import Rater
from annotation.selectors.questions.counting import submitted
from scoring.selectors.data.answers import active_exclusions, study_answers
from scoring.stats.agreement.alpha import alpha
from scoring.stats.base.resampling import Resampling
from scoring.stats.base.result import Figure
from scoring.stats.data.answers import Answers

# A page computes two coefficients of every criterion; beyond so many responses that takes over a second.
MOST_RESPONSES = 20_000
ESTIMATE_ONLY = Resampling(replicates=1)


@dataclass(frozen=True)
class Consequence:
    """Krippendorff's α of a criterion with the ratings that are included now, and without the rater's."""

    criterion: str
    now: Figure
    without: Figure


def consequences_of_exclusion(rater: Rater) -> list[Consequence] | None:
    """α of each numeric criterion now and without a rater; None where the study is too large for a page.

    Parameters
    ----------
    rater : Rater
        A rater of the study who is included in statistics.

    Returns
    -------
    list of Consequence or None
        In the order of the forms; ordinal where the scale has categories, otherwise interval. A coefficient
        that cannot be computed has its reason. Empty while no rater has rated.
    """
    if submitted(rater.study).count() > MOST_RESPONSES:
        return None
    found = study_answers(rater.study)
    included = found.answers.only(~active_exclusions(rater.study, found).out(found.answers))
    others = included.only(included.rater_labels[included.rater] != rater.code)
    return [Consequence(name, _alpha(included, name), _alpha(others, name)) for name in included.values]


def _alpha(answers: Answers, criterion: str) -> Figure:
    ratings = answers.ratings(criterion)
    return alpha(ratings, "ordinal" if ratings.has_categories else "interval", ESTIMATE_ONLY)
