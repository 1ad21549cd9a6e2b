"""The progress of a rater towards the main work, and calibration answers compared with the reference."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from django.db.models import Q, QuerySet

from annotation.domain.base.states import DesignKind, RaterState
from annotation.domain.quality.calibration import (
    RuleKind,
    deviation_in_numbers,
    in_numbers,
    is_within_tolerance,
    qualification_of,
)
from annotation.domain.quality.qualification import Qualification as Settings
from annotation.domain.questions.kinds.registry import KINDS
from annotation.domain.questions.text_languages import Text
from annotation.models import (
    Assignment,
    BackgroundPage,
    CalibrationItem,
    Criterion,
    Form,
    Qualification,
    QualificationAttempt,
    Rater,
    RaterKind,
    Rating,
    Study,
)
from annotation.selectors.questions.errors.in_words import errors_in_words
from annotation.selectors.questions.text_languages import named_text
from annotation.selectors.questions.tuples_in_words import tuples_in_words

NOT_YET_QUALIFIED = frozenset({RaterState.CONSENTED, RaterState.QUALIFYING})

Numbers = dict[tuple[str, str], float]


class Step(StrEnum):
    """What comes next for a rater: reading, calibration items, another attempt, or the main work."""

    BACKGROUND = "background"
    CALIBRATION = "calibration"
    AGAIN = "again"
    WAITING = "waiting"
    FAILED = "failed"
    PASSED = "passed"


@dataclass(frozen=True)
class QualificationStatus:
    """The step, the latest attempt, and the number of attempts left (None for no limit)."""

    step: Step
    attempt: QualificationAttempt | None = None
    attempts_left: int | None = None


@dataclass(frozen=True)
class ComparedAnswer:
    """One answer and its reference, as a page shows them; `given` is empty if there is no answer."""

    criterion: str
    name: str
    given: str
    reference: str
    within: bool


def settings_of(qualification: Qualification) -> Settings:
    """The pass rule of a study, ready to judge by."""
    return qualification_of(
        RuleKind(qualification.rule),
        tolerance=qualification.tolerance,
        share=qualification.share,
        least=qualification.least,
        attempts=qualification.attempts,
    )


def qualification_for(rater: Rater) -> Qualification | None:
    """The qualification that a rater has to pass; None if the study has none, or for a preview."""
    if rater.kind != RaterKind.PERSON:
        return None
    return Qualification.objects.filter(study=rater.study_id).first()


def qualification_status(rater: Rater, qualification: Qualification) -> QualificationStatus:
    """The step of a rater, with the latest attempt and the attempts left."""
    latest = rater.attempts.order_by("-number").first()
    allowed, used = qualification.attempts, latest.number if latest else 0
    left = None if allowed is None else max(0, allowed - used)
    return QualificationStatus(_step(rater, qualification, latest), latest, left)


def _step(rater: Rater, qualification: Qualification, latest: QualificationAttempt | None) -> Step:
    if rater.state == RaterState.FAILED:
        return Step.FAILED
    if rater.state not in NOT_YET_QUALIFIED:
        return Step.PASSED
    if latest is None:
        unread = rater.pages_read < qualification.pages.count()
        return Step.BACKGROUND if unread else Step.CALIBRATION
    if latest.finished_at is None:
        return Step.CALIBRATION
    return Step.WAITING if latest.passed is None else Step.AGAIN


def items_for(rater: Rater) -> QuerySet[CalibrationItem]:
    """The calibration items that a rater answers: those of their panel where there are panels."""
    found = CalibrationItem.objects.filter(qualification__study=rater.study_id)
    if rater.study.design == DesignKind.PANELS:
        found = found.filter(form=rater.panel_id)
    return found.select_related("item", "form", "qualification").order_by("position", "pk")


@dataclass(frozen=True)
class AttemptItems:
    """The calibration items of one attempt; `repeated` is how many of them an earlier attempt had."""

    items: Sequence[CalibrationItem]
    repeated: int


def attempt_items(rater: Rater, number: int) -> AttemptItems:
    """The calibration items of a rater's attempt: new ones first, then those answered longest ago.

    In the researcher's order, so that raters who are at the same attempt meet the same items.

    Parameters
    ----------
    rater : Rater
        The rater, who has made the attempts before it.
    number : int
        Number of the attempt, from 1; the attempt need not have begun.
    """
    every = list(items_for(rater))
    most = every[0].qualification.items_per_attempt if every else None
    had = Assignment.objects.filter(attempt__rater=rater, attempt__number__lt=number)
    last = dict(had.order_by("attempt__number").values_list("item", "attempt__number"))
    chosen = sorted(every, key=lambda one: last.get(one.item_id, 0))[: most or len(every)]
    repeated = sum(one.item_id in last for one in chosen)
    return AttemptItems([one for one in every if one in chosen], repeated)


def counted_ratings(attempts: Iterable[QualificationAttempt], *, feedback: bool) -> QuerySet[Rating]:
    """The ratings of attempts that count: the first ones where the reference was shown after them."""
    which = Q(response__revision=1) if feedback else Q(response__current=True)
    return Rating.objects.filter(which, response__assignment__attempt__in=attempts)


def answers_and_reference(
    attempt: QualificationAttempt, items: Iterable[CalibrationItem], *, feedback: bool
) -> tuple[Numbers, Numbers]:
    """What an attempt answered and what it should have, by item and criterion, as numbers."""
    ratings = {
        (rating.response.assignment.item_id, rating.criterion.key): rating
        for rating in counted_ratings([attempt], feedback=feedback).select_related(
            "response__assignment", "criterion"
        )
    }
    given: Numbers = {}
    reference: Numbers = {}
    for one in items:
        for key, wanted in one.reference.items():
            rating = ratings.get((one.item_id, key))
            compared = deviation_in_numbers if one.qualification.rule == RuleKind.NEAR else in_numbers
            number, reference[one.item.key, key] = compared(
                wanted,
                rating.cell if rating else None,
                rating.criterion.kind if rating else "",
                rating.criterion.settings if rating else {},
            )
            if number is not None:
                given[one.item.key, key] = number
    return given, reference


def compare_with_reference(
    assignment: Assignment, calibration: CalibrationItem
) -> tuple[ComparedAnswer, ...]:
    """The answer to one calibration item compared with the reference, for feedback."""
    qualification = calibration.qualification
    attempts = [assignment.attempt] if assignment.attempt else []
    counted = counted_ratings(attempts, feedback=qualification.feedback).select_related("criterion")
    ratings = {rating.criterion.key: rating for rating in counted.filter(response__assignment=assignment)}
    asked = {one.key: one for one in assignment.version.criteria.all()}
    return _compared_answer(calibration, ratings, asked, qualification.tolerance)


def marked_answers(assignment: Assignment, calibration: CalibrationItem) -> list[dict[str, Any]]:
    """What a rater marked in a calibration item, for `in_words.html` of its kind, with the criterion."""
    attempts = [assignment.attempt] if assignment.attempt else []
    counted = counted_ratings(attempts, feedback=calibration.qualification.feedback)
    ratings = counted.filter(response__assignment=assignment).select_related("criterion")
    marked = [
        {"name": one.criterion.name, "kind": one.criterion.kind}
        | tuples_in_words(one.criterion, assignment.version, assignment.item, str(one))
        | errors_in_words(one.criterion, assignment.version, assignment.item, str(one))
        for one in ratings.order_by("criterion__position")
    ]
    return [one for one in marked if "tuples" in one or "errors" in one]


def format_reference(reference: float | str, kind: str) -> str:
    """A reference as people write it: 4, 3.5, an option, or errors in words."""
    if not isinstance(reference, str):
        return f"{reference:g}"
    return KINDS[kind].reference_in_words(reference) if kind in KINDS else reference


def references_in_words(calibration: CalibrationItem, asked: Mapping[str, Criterion]) -> dict[str, str]:
    """The reference values of a calibration item for reading, by criterion."""
    kinds = {key: one.kind for key, one in asked.items()}
    return {key: format_reference(value, kinds.get(key, "")) for key, value in calibration.reference.items()}


def format_answer(rating: Rating) -> str:
    """An answer as it is shown next to its reference."""
    return rating.criterion.question_kind.reference_in_words(str(rating))


def calibration_of(assignment: Assignment) -> CalibrationItem | None:
    """The calibration item that an assignment asks about."""
    if assignment.attempt_id is None:
        return None
    found = CalibrationItem.objects.filter(item=assignment.item_id)
    return found.select_related("item", "qualification").first()


def shows_feedback(assignment: Assignment, calibration: CalibrationItem) -> bool:
    """Whether a rater may see the reference now: not while another attempt asks for the same items."""
    if assignment.submitted_at is None or not calibration.qualification.feedback:
        return False
    going_on = QualificationAttempt.objects.filter(rater=assignment.rater_id, finished_at__isnull=True)
    return assignment.attempt_id in {*going_on.values_list("pk", flat=True)} or not going_on.exists()


@dataclass(frozen=True)
class Note:
    """One calibration item of an attempt with the answers, the reference, the reason and the note."""

    texts: tuple[str, ...]
    compared: tuple[ComparedAnswer, ...]
    reason: Text
    note: Text
    translations: Mapping[str, Mapping[str, str]]


def sees_notes(qualification: Qualification, now: QualificationStatus) -> bool:
    """Whether a rater is shown the discussion notes: released, and no attempt of theirs goes on."""
    released = qualification.notes_released_at is not None
    answered = now.attempt is not None and now.step in {Step.WAITING, Step.PASSED, Step.FAILED}
    return released and answered


def notes_for(
    rater: Rater, qualification: Qualification, attempt: QualificationAttempt, language: str = ""
) -> list[Note]:
    """The calibration items as a rater answered them, with the reason and the note for each.

    Reasons and notes are in `language`, that of the page, or else in that of the study.
    """
    counted = counted_ratings([attempt], feedback=qualification.feedback)
    ratings: dict[int, dict[str, Rating]] = {}
    for rating in counted.select_related("response__assignment", "criterion"):
        ratings.setdefault(rating.response.assignment.item_id, {})[rating.criterion.key] = rating
    asked = asked_criteria(rater.study_id)
    return [
        Note(
            texts=tuple(str(text) for text in one.item.fields.values()),
            compared=_compared_answer(one, ratings.get(one.item_id, {}), asked, qualification.tolerance),
            reason=calibration_text(one, "reason", rater.study.language, language),
            note=calibration_text(one, "note", rater.study.language, language),
            translations=one.translations,
        )
        for one in attempt_items(rater, attempt.number).items
    ]


def calibration_text(calibration: CalibrationItem, name: str, own_language: str, language: str) -> Text:
    """The `reason` or the `note` of a calibration item, in a language where it has it."""
    own = getattr(calibration, name)
    return named_text(calibration.translations, name, own, own_language=own_language, language=language)


def asked_criteria(study_id: int) -> dict[str, Criterion]:
    """A study's criteria by key, as its newest forms have them."""
    criteria = Criterion.objects.filter(version__form__study=study_id, version__form__planted=False)
    return {one.key: one for one in criteria.order_by("version__number", "version__correction")}


def _compared_answer(
    calibration: CalibrationItem,
    ratings: Mapping[str, Rating],
    asked: Mapping[str, Criterion],
    tolerance: float | None,
) -> tuple[ComparedAnswer, ...]:
    found = []
    for key, wanted in calibration.reference.items():
        rating = ratings.get(key)
        near = rating is not None and is_within_tolerance(
            wanted, tolerance, rating.cell, rating.criterion.kind, rating.criterion.settings
        )
        one = asked.get(key)
        given = format_answer(rating) if rating else ""
        reference = format_reference(wanted, one.kind if one else "")
        found.append(ComparedAnswer(key, one.name if one else key, given, reference, near))
    return tuple(found)


def count_preparation(study: Study, panel: Form | None) -> dict[str, int]:
    """Count the background pages and calibration items before the first item of a new rater."""
    pages = BackgroundPage.objects.filter(qualification__study=study)
    items = CalibrationItem.objects.filter(qualification__study=study)
    if study.design == DesignKind.PANELS:
        items = items.filter(form=panel)
    most = Qualification.objects.filter(study=study).values_list("items_per_attempt", flat=True).first()
    n_items = items.count()
    return {"pages": pages.count(), "items": min(most or n_items, n_items)}


def attempts_without_repeats(qualification: Qualification) -> int:
    """How many attempts of one rater have different calibration items; 0 where there are none."""
    forms = list(qualification.items.values_list("form", flat=True))
    panels = qualification.study.design == DesignKind.PANELS
    counts = [forms.count(form) for form in set(forms)] if panels else [len(forms)]
    fewest = min(counts, default=0)
    return fewest // min(qualification.items_per_attempt or fewest, fewest) if fewest else 0
