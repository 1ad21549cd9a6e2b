"""How the cells of a file or the scores of a metric become answers to a criterion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any

import numpy as np

from annotation.domain.base.messages import message
from annotation.domain.base.numbers import plain_number
from annotation.domain.questions.kinds.kind import Answer, Yields, outside
from annotation.models import Criterion, Study
from annotation.selectors.questions.long_table import ratings_frame
from annotation.services.questions.criteria import question_of
from scoring.io.score_columns import number_of
from scoring.selectors.judges.criteria import is_scale
from scoring.services.data.counting import criterion_names, select_ratings
from scoring.stats.base.resampling import FloatArray
from scoring.stats.judges.mapping import on_scale_of


class Mapped(StrEnum):
    """What is made of the values of a judge.

    `ANSWERS` must be answers that a rater can give. `NUMBERS` may lie between the points of a scale, as
    means of several answers do. `QUANTILES` are scores on any scale, which get the distribution of the
    ratings.
    """

    ANSWERS = "answers"
    NUMBERS = "numbers"
    QUANTILES = "quantiles"


class NoAnswer(Exception):
    """A value that is no answer, with the code and the sentence that say why."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code, self.sentence = code, sentence


def answer_from(cell: Any, criterion: Criterion, mapped: Mapped, texts: Mapping[str, str]) -> Answer | None:
    """Read the value of a cell as an answer.

    Parameters
    ----------
    cell
        Text or number; an empty text is no answer.
    criterion : Criterion
        With points and version loaded.
    mapped : Mapped
        For `QUANTILES` the number is returned as it is: `on_scale` maps all of them together.
    texts : mapping of str to str
        Texts of the item, by field.

    Raises
    ------
    NoAnswer
        `not_an_answer`, `not_a_number` or `outside_scale`.
    """
    if str(cell).strip() == "":
        return None
    number = number_of(cell)
    if mapped is Mapped.ANSWERS:
        if criterion.question_kind.yields == Yields.NUMBER and number is not None:
            cell = plain_number(number)
        kind, question = criterion.question_kind, question_of(criterion)
        try:
            return kind.checked(question, kind.values(str(cell)), texts)
        except ValueError as problem:
            raise NoAnswer("not_an_answer", problem.args[0]) from problem
    if number is None:
        raise NoAnswer("not_a_number", message("%(cell)r is not a number", cell=str(cell)[:80]))
    low, high = criterion.minimum, criterion.maximum
    if mapped is Mapped.NUMBERS and low is not None and high is not None and not low <= number <= high:
        raise NoAnswer("outside_scale", outside(plain_number(number), plain_number(low), plain_number(high)))
    return Answer(plain_number(number))


def refused_criterion(study: Study, criterion: Criterion, mapped: Mapped) -> str:
    """Why numbers cannot be taken for answers to a criterion; empty where they can.

    Parameters
    ----------
    study : Study
        Says whether raters are persons.
    criterion : Criterion
        The criterion.
    mapped : Mapped
        What is made of the numbers.
    """
    if mapped is Mapped.ANSWERS or is_scale(criterion, identified=study.identified):
        return ""
    return message("“%(name)s” has no scale on which numbers can be placed.", name=criterion.name)


def rated_values(study: Study) -> dict[str, FloatArray]:
    """All ratings that count, by the name of their criterion.

    Parameters
    ----------
    study : Study
        With or without ratings.
    """
    frame = ratings_frame(study)
    if frame.empty:
        return {}
    counting, _ = select_ratings(study, frame, pool_versions=False)
    rated = counting.assign(name=criterion_names(counting)).dropna(subset=["value"])
    return {
        str(name): rows["value"].to_numpy(dtype=np.float64)
        for name, rows in rated.groupby("name", sort=False)
    }


def on_scale(
    values: FloatArray, answers: Sequence[Answer | None], *, lower_is_better: bool = False
) -> list[Answer | None]:
    """Give the scores of a judge the distribution of the ratings.

    Parameters
    ----------
    values : ndarray of float, shape (ratings,)
        All ratings of the criterion.
    answers : sequence of Answer or None
        Scores on any scale.
    lower_is_better : bool
        Whether the lowest score becomes the highest rating.
    """
    scores: FloatArray = np.array(
        [np.nan if answer is None or answer.value is None else answer.value for answer in answers],
        dtype=np.float64,
    )
    mapped = on_scale_of(values, scores, lower_is_better=lower_is_better)
    return [Answer(plain_number(float(one))) if np.isfinite(one) else None for one in mapped]
