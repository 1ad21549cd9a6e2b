"""Groups of raters by their answers to a demographic question, compared for each criterion."""

from __future__ import annotations

from dataclasses import dataclass

from annotation.domain.base.errors import GroundworkError, NotAllowedNow
from annotation.domain.base.messages import message
from annotation.domain.people.demographics import DemographicKind
from annotation.domain.questions.kinds.kind import QuestionKind, Yields
from annotation.domain.questions.kinds.registry import KINDS
from annotation.models import Criterion, DemographicAnswer, DemographicQuestion, Study
from annotation.selectors.questions.counting import criterion_names as names_of
from annotation.selectors.questions.long_table import ratings_frame
from scoring.services.data.counting import NOTHING_YET, criterion_names, select_ratings
from scoring.services.data.tables import ratings_table, scales_by_name
from scoring.stats.raters.perspectives import Perspectives, compare_groups

# The page computes while it is asked for.
MOST_RATINGS = 50_000
# A seed from all ratings would reveal those that no figure may depend on.
SEED = 1


@dataclass(frozen=True)
class CriterionByGroup:
    """The comparison on one criterion."""

    criterion: str
    logarithmic: bool  # Whether means are of logarithms of what was answered
    found: Perspectives


def questions_with_groups(study: Study) -> list[DemographicQuestion]:
    """The demographic questions whose answers are options, in their order.

    Parameters
    ----------
    study : Study
        The study.
    """
    return list(study.demographic_questions.filter(kind=DemographicKind.CHOICE))


def criteria_without_scale(study: Study) -> list[tuple[str, QuestionKind]]:
    """The criteria that are not compared, because their answers are no numbers, with their kinds.

    Parameters
    ----------
    study : Study
        The study.

    Returns
    -------
    list of tuple
        The name in statistics and the kind, once for each criterion, in the order of the forms.
    """
    asked = Criterion.objects.filter(version__form__study=study, version__form__planted=False)
    rows = list(
        asked.order_by(
            "version__form__position", "version__form", "version__number", "position", "pk"
        ).values_list("version__form__key", "key", "kind")
    )
    names = names_of((form, key) for form, key, _ in rows)
    kinds = {(form, key): KINDS[kind] for form, key, kind in rows}
    return [(names[one], kind) for one, kind in kinds.items() if kind.yields is not Yields.NUMBER]


def compare_perspectives(study: Study, question: DemographicQuestion) -> list[CriterionByGroup]:
    """Compare the raters who gave different answers to a question, on each criterion on a scale.

    Parameters
    ----------
    study : Study
        The study.
    question : DemographicQuestion
        One of `questions_with_groups`.

    Returns
    -------
    list of CriterionByGroup
        From the ratings that count; the seed of intervals and permutations is always the same.

    Raises
    ------
    GroundworkError
        No ratings on a scale count (`no_ratings`).
    NotAllowedNow
        There are more than 50,000 ratings (`too_many_ratings`).
    """
    frame = ratings_frame(study)
    if len(frame) > MOST_RATINGS:
        raise NotAllowedNow(
            message("With more than %(most)s ratings, groups are not compared here.", most=MOST_RATINGS),
            code="too_many_ratings",
        )
    rows, _ = select_ratings(study, frame, pool_versions=False)
    names = criterion_names(rows)
    if not rows["value"].notna().any():
        raise GroundworkError(NOTHING_YET, code="no_ratings")
    table = ratings_table(study, rows, names)
    scales, answers = scales_by_name(study, rows, names), _answers(question)
    return [
        CriterionByGroup(
            criterion=name,
            logarithmic=scales[name].logarithmic,
            found=compare_groups(
                ratings,
                answers,
                level="interval" if ratings.continuous else "ordinal",
                seed=SEED,
            ),
        )
        for name, ratings in table.criteria.items()
    ]


def _answers(question: DemographicQuestion) -> dict[str, str]:
    """The option that each rater chose, by the rater's code; raters who declined are in no group."""
    given = DemographicAnswer.objects.filter(question=question, declined=False).exclude(value="")
    return dict(given.values_list("rater__code", "value"))
