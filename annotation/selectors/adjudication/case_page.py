"""The content of the page of a case: all responses, and the decisions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Q, QuerySet

from annotation.domain.adjudication.differences import (
    LAST_LETTER_WITH_KEY,
    LETTERS,
    in_seeded_order,
    letter,
)
from annotation.domain.base.states import Purpose
from annotation.domain.questions.kinds.kind import Yields
from annotation.domain.questions.marked_text import (
    MarkedText,
    TupleSummary,
)
from annotation.models import (
    Assignment,
    Case,
    Criterion,
    FinalAnswer,
    FormVersion,
    Rater,
    Rating,
    Response,
    Verdict,
)
from annotation.selectors.questions.errors.in_words import errors_in_words
from annotation.selectors.questions.rubrics import criteria_of
from annotation.selectors.questions.shown_options import own_words
from annotation.selectors.questions.tuples_in_words import tuples_in_words
from annotation.selectors.rating.annotations import annotations_of
from annotation.selectors.rating.rating_page import Given, shown_criteria

ORDERS = "adjudication"


@dataclass(frozen=True)
class Answered:
    """One criterion with an answer in words; `differs` where not all annotators gave the same.

    An answer that is a number has the `label` of its point, if there is one.
    Tuples and errors come also one by one, and marked in the text where the form has them marked.
    """

    key: str
    name: str
    words: str
    kind: str
    answer: str
    disputed: bool
    differs: bool
    label: str = ""
    tuples: Sequence[TupleSummary] = ()
    errors: Sequence[Mapping[str, str]] = ()
    marked: MarkedText | None = None


@dataclass(frozen=True)
class Annotation:
    """The response of one rater, under a letter; `code` is the rater code, empty if it is hidden."""

    letter: str
    code: str
    response: Response
    rows: Sequence[Answered]

    @property
    def key(self) -> str:
        """The shortcut that copies it; none from K on, which are shortcuts of the page, nor for A2."""
        return self.letter.lower() if self.letter in LETTERS and self.letter <= LAST_LETTER_WITH_KEY else ""


def annotations_of_case(case: Case, *, named: bool) -> list[Annotation]:
    """The annotations of a case under letters, which stay the same whatever is excluded or added.

    Parameters
    ----------
    case : Case
        With study, item and form.
    named : bool
        Add the codes of the raters.
    """
    responses = annotations_of(case.study, case.item, case.form_id)
    disputed = {one.criterion for one in case.disputes.all()}
    given: dict[str, set[str]] = {}
    for response in responses:
        for rating in response.ratings.all():
            given.setdefault(rating.criterion.key, set()).add(str(rating))
    numbers = _letter_numbers(case)
    return [
        Annotation(
            letter=letter(numbers[response.assignment_id]),
            code=response.assignment.rater.code if named else "",
            response=response,
            rows=_rows(case, response.version, response.ratings.all(), disputed, given),
        )
        for response in sorted(responses, key=lambda one: numbers[one.assignment_id])
    ]


def _letter_numbers(case: Case) -> dict[int, int]:
    """The number of the letter of each assignment that was ever answered, including erased answers."""
    answered = Assignment.objects.filter(
        Q(submitted_at__isnull=False) | Q(responses__isnull=False),
        item=case.item_id,
        form=case.form_id,
        purpose=Purpose.MAIN,
    )
    first: list[int] = []
    later: list[int] = []
    for pk, when in answered.order_by("submitted_at", "pk").values_list("pk", "submitted_at").distinct():
        (later if when and when > case.created_at else first).append(pk)
    place = f"{ORDERS}/{case.pk}"
    in_order = in_seeded_order(sorted(first), later, seed=case.study.seed, place=place)
    return {pk: number for number, pk in enumerate(in_order)}


def _rows(
    case: Case,
    version: FormVersion,
    answers: Iterable[Rating | FinalAnswer],
    disputed: set[str],
    given: Mapping[str, set[str]],
) -> list[Answered]:
    by_criterion = {one.criterion_id: one for one in answers}
    return [
        Answered(
            key=criterion.key,
            name=criterion.name,
            words=answer_words(
                criterion, by_criterion[criterion.pk], own_words(criterion, version, case.item)
            ),
            kind=criterion.kind,
            answer=str(by_criterion[criterion.pk]),
            disputed=criterion.key in disputed,
            differs=len(given.get(criterion.key, ())) > 1,
            label=_label_of_number(criterion, str(by_criterion[criterion.pk])),
            **tuples_in_words(criterion, version, case.item, str(by_criterion[criterion.pk])),
            **errors_in_words(criterion, version, case.item, str(by_criterion[criterion.pk])),
        )
        for criterion in criteria_of(version, case.study)
        if criterion.pk in by_criterion
    ]


def _label_of_number(criterion: Criterion, answer: str) -> str:
    if criterion.question_kind.yields is not Yields.NUMBER:
        return ""
    return next((point.label for point in criterion.points.all() if point.value == answer), "")


def answer_words(
    criterion: Criterion, answer: Rating | FinalAnswer, own: Mapping[str, str] | None = None
) -> str:
    """Return an answer in words.

    Parameters
    ----------
    criterion : Criterion
        The criterion, with its points prefetched.
    answer : Rating or FinalAnswer
        An answer to it.
    own : mapping of str to str, optional
        What its options say for this item alone.
    """
    kind = criterion.question_kind
    labels = {point.value: point.label for point in criterion.points.all()} | dict(own or {})
    return kind.in_words(kind.values(str(answer)), labels)


def verdicts_of(case: Case) -> QuerySet[Verdict]:
    """All decisions on a case, the current one first."""
    found = case.verdicts.select_related("author", "version").prefetch_related(
        "answers__criterion", "answers__chosen_from"
    )
    return found.order_by("-revision")


def verdict_rows(
    case: Case, verdict: Verdict, annotations: Sequence[Annotation], *, named: bool
) -> list[dict[str, Any]]:
    """The final answers of a verdict in words, and where each comes from.

    Parameters
    ----------
    case : Case
        The case.
    verdict : Verdict
        One of its verdicts, from `verdicts_of`.
    annotations : sequence of Annotation
        From `annotations_of_case`; raters appear under the letters there.
    named : bool
        Add the code of a rater who is not among them.
    """
    finals = {one.criterion.key: one for one in verdict.answers.all()}
    letters = {one.response.assignment.rater_id: one for one in annotations}
    disputed = {one.criterion for one in case.disputes.all()}
    rows = _rows(case, verdict.version, finals.values(), disputed, {})
    return [
        {
            "answer": row,
            "chosen": finals[row.key].chosen,
            "source": letters.get(finals[row.key].chosen_from_id or 0),
            "code": _code(finals[row.key]) if named else "",
        }
        for row in rows
    ]


def source_among(verdict: Verdict | None, annotations: Sequence[Annotation]) -> Annotation | None:
    """The response that a decision was copied from, if it is still shown."""
    if verdict is None:
        return None
    raters = {one.chosen_from_id for one in verdict.answers.all() if one.chosen_from_id}
    return next((one for one in annotations if one.response.assignment.rater_id in raters), None)


def _code(final: FinalAnswer) -> str:
    return "" if final.chosen_from is None else final.chosen_from.code


def version_for(case: Case, verdict: Verdict | None) -> FormVersion:
    """Return the form version for the final answer: that of the current verdict, else the newest.

    Parameters
    ----------
    case : Case
        The case with the form.
    verdict : Verdict or None
        Its current verdict, if there is one.
    """
    if verdict is not None:
        return verdict.version
    return FormVersion.objects.filter(form=case.form_id).latest("number", "correction")


def as_form_fields(answers: Iterable[Rating | FinalAnswer], cannot_rate: str = "", remark: str = "") -> Given:
    """Stored answers as the fields of a form show them.

    Parameters
    ----------
    answers : iterable of Rating or FinalAnswer
        With their criteria.
    cannot_rate, remark : str
        The reason why the item cannot be rated, and the comment.
    """
    return Given(
        answers={one.criterion.key: _values(one) for one in answers}, cannot_rate=cannot_rate, remark=remark
    )


def _values(answer: Rating | FinalAnswer) -> list[str]:
    kind = answer.criterion.question_kind
    return kind.values(kind.as_written(str(answer), answer.criterion.settings))


def case_criteria(
    case: Case, version: FormVersion, given: Given, errors: Mapping[str, str] | None = None
) -> list[dict[str, Any]]:
    """The criteria of a form as its raters see them, for a member who is not a rater.

    Parameters
    ----------
    case : Case
        With study and item.
    version : FormVersion
        A version of its form.
    given : Given
        What the fields show.
    errors : mapping of str to str, optional
        What is wrong with which criterion.
    """
    unsaved_rater = Rater(study=case.study, code="", seed=case.study.seed)
    page = Assignment(item=case.item, form=case.form, version=version, rater=unsaved_rater)
    # Each question is in a row of its own, with its texts.
    return [
        criterion | {"pair": ""}
        for criterion in shown_criteria(criteria_of(version, case.study), page, given, errors)
    ]
