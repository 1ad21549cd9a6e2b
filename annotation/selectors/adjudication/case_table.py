"""The responses to a case side by side, criterion by criterion, with the fields of the final answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotation.domain.questions.kinds.kind import IN_A_TEXT, Yields
from annotation.domain.questions.kinds.registry import KINDS
from annotation.models import FormVersion
from annotation.selectors.adjudication.case_page import Annotation, Answered, as_form_fields


@dataclass(frozen=True)
class CaseCell:
    """What one response answers; `answer` is None where it does not."""

    letter: str
    answer: Answered | None


@dataclass(frozen=True)
class CaseRow:
    """One criterion: the answer of each response, and `criterion`, the fields of the final answer.

    `criterion` is None where the shown version of the form does not ask it. `low` and `high` are the
    lowest and the highest value of answers that are numbers. A `wide` row has marked text. `in_dispute`
    says on which pairs of options orders differ.
    """

    key: str
    name: str
    criterion: Mapping[str, Any] | None
    cells: Sequence[CaseCell]
    disputed: bool
    differs: bool
    n_answers: int
    wide: bool
    low: float | None = None
    high: float | None = None
    in_dispute: Sequence[str] = ()


def case_rows(
    criteria: Sequence[Mapping[str, Any]], annotations: Sequence[Annotation], disputed: set[str]
) -> list[CaseRow]:
    """The criteria of a case in the order of the form; those of other versions come last.

    Parameters
    ----------
    criteria : sequence of mapping
        From `case_criteria`, of the version by which the final answer is written.
    annotations : sequence of Annotation
        From `annotations_of_case`, in the order of their letters.
    disputed : set of str
        Keys of the criteria in dispute.
    """
    asked = {one["key"]: one for one in criteria}
    names = {key: one["name"] for key, one in asked.items()}
    for annotation in annotations:
        for answer in annotation.rows:
            names.setdefault(answer.key, answer.name)
    given = [(one.letter, {answer.key: answer for answer in one.rows}) for one in annotations]
    return [
        _row(
            key,
            name,
            asked.get(key),
            [CaseCell(letter, answers.get(key)) for letter, answers in given],
            disputed=key in disputed,
        )
        for key, name in names.items()
    ]


def _row(
    key: str,
    name: str,
    criterion: Mapping[str, Any] | None,
    cells: Sequence[CaseCell],
    *,
    disputed: bool,
) -> CaseRow:
    answers = [one.answer for one in cells if one.answer is not None]
    kinds = {one.kind for one in answers} | ({criterion["kind"]} if criterion else set())
    yields = {KINDS[kind].yields for kind in kinds}
    numbers = [float(one.answer) for one in answers] if yields == {Yields.NUMBER} else []
    return CaseRow(
        key=key,
        name=name,
        criterion=criterion,
        cells=cells,
        disputed=disputed,
        differs=len({one.answer for one in answers}) > 1,
        n_answers=len(answers),
        wide=bool(yields.intersection(IN_A_TEXT)),
        low=min(numbers, default=None),
        high=max(numbers, default=None),
        in_dispute=_in_dispute(criterion, [str(one.answer) for one in answers]),
    )


def _in_dispute(criterion: Mapping[str, Any] | None, answers: Sequence[str]) -> list[str]:
    if criterion is None:
        return []
    labels = {point.value: point.label for point in criterion["points"]}
    return KINDS[criterion["kind"]].in_dispute(answers, labels)


def copied_fields(annotation: Annotation, version: FormVersion) -> dict[str, Any] | None:
    """What a page can put into the fields of a version to copy a response.

    Parameters
    ----------
    annotation : Annotation
        From `annotations_of_case`.
    version : FormVersion
        The version whose fields are shown.

    Returns
    -------
    dict or None
        `response`, `letter`, `answers` by criterion and `cannot_rate`. None if the response answers
        another version or has marked text: the page is then made again.
    """
    response = annotation.response
    if response.version_id != version.pk:
        return None
    if any(KINDS[one.kind].yields in IN_A_TEXT for one in annotation.rows):
        return None
    fields = as_form_fields(response.ratings.all(), response.cannot_rate)
    return {
        "response": response.pk,
        "letter": annotation.letter,
        "answers": {key: list(values) for key, values in fields.answers.items()},
        "cannot_rate": bool(response.cannot_rate),
    }
