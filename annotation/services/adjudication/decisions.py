"""Decisions and comments on adjudication cases. Final answers never change a rating."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import QuerySet

from annotation.domain.adjudication.differences import CaseState, questions_to_decide
from annotation.domain.base.errors import AnsweredElsewhere, InvalidContent, NotAllowedNow
from annotation.domain.base.limits import LONGEST_REMARK
from annotation.domain.base.messages import message
from annotation.domain.base.states import StudyState
from annotation.domain.base.text_validation import validated_text
from annotation.domain.questions.answers import Submission, check
from annotation.domain.questions.kinds.kind import Answer
from annotation.models import (
    Adjudication,
    Case,
    Comment,
    Criterion,
    FinalAnswer,
    FormVersion,
    Rater,
    Rating,
    Response,
    Study,
    User,
    Verdict,
)
from annotation.models.questions.given_answer import answer_columns
from annotation.selectors.adjudication.second_opinions import is_second
from annotation.selectors.questions.rubrics import criteria_of
from annotation.selectors.rating.annotations import annotations_in
from annotation.services.base import audit
from annotation.services.questions.criteria import question_of

DECIDED_SINCE = message(
    "Not saved: another study member has decided this case since you opened it. Check the decision below."
)
WITHDRAWN = message("Not saved: this case was removed from the queue. Return it to the queue to decide it.")
ANNOTATION_GONE = message(
    "Not saved: this response was corrected, excluded or deleted since you opened the case. Check it again."
)


@dataclass(frozen=True)
class DecisionResult:
    """The result of a decision: the current final answer, and whether this call stored it."""

    verdict: Verdict
    stored: bool


@dataclass(frozen=True)
class _Content:
    """The content of a decision: final answers by criterion, as stored."""

    version: FormVersion
    answers: Sequence[FinalAnswer]
    cannot_rate: str
    note: str

    @property
    def canonical(self) -> str:
        return _canonical(self.version.pk, self.cannot_rate, self.note, self.answers)


def choose(*, case: Case, annotation: int, sent: Submission, actor: User) -> DecisionResult:
    """Make one of the annotations the final answer, unchanged.

    Parameters
    ----------
    case : Case
        Case to decide.
    annotation : int
        Number of the response; the revision that was shown.
    sent : Submission
        Its page key, the revision of the verdict that the page showed, and the note as its remark.
    actor : User
        User who decides.

    Raises
    ------
    AnsweredElsewhere
        `decided_elsewhere`: another member has decided since; `annotation_gone`: the annotation is gone.
    NotAllowedNow
        `study_draft`, or `case_withdrawn`: it is off the queue.
    """
    with transaction.atomic():
        case = locked_case(case)
        # The rater's lock comes first, so that an annotation that is being erased is not named afterwards.
        found = Response.objects.filter(pk=annotation).values_list("assignment__rater", flat=True).first()
        if found is not None:
            Rater.objects.select_for_update(of=("self",)).get(pk=found)
        given = _annotation(case, annotation)
        answers = [
            FinalAnswer(
                chosen=True,
                chosen_from=given.assignment.rater,
                **answer_columns(one.criterion, one.given),
            )
            for one in given.ratings.select_related("criterion").order_by("criterion__position", "pk")
        ]
        content = _Content(given.version, answers, given.cannot_rate, validated_text(sent.remark))
        return _store(case, content, sent, actor)


def write(
    *, case: Case, version: FormVersion, sent: Submission, actor: User, based_on: int | None = None
) -> DecisionResult:
    """Write the final answer by the fields of the form.

    Only what is in dispute needs an answer. What stays as it is in the annotation that the page began from
    counts as chosen from it.

    Parameters
    ----------
    case : Case
        Case to decide.
    version : FormVersion
        Of the case's form: the one whose fields were shown.
    sent : Submission
        Answers, can't-rate and, as its remark, the note.
    actor : User
        User who decides.
    based_on : int, optional
        Number of the response that the fields were filled from.

    Raises
    ------
    InvalidAnswer
        An answer is missing or outside its scale. Nothing is stored.
    AnsweredElsewhere
        As `choose`.
    NotAllowedNow
        `study_draft`.
    """
    with transaction.atomic():
        case = locked_case(case)
        criteria = criteria_of(version, case.study)
        disputed = case.disputes.values_list("criterion", flat=True)
        asked = questions_to_decide([question_of(one) for one in criteria], disputed)
        checked = check(asked, sent, case.item.fields)
        begun = _begun_from(case, based_on)
        answers = [
            _final(criterion, checked[criterion.key], begun)
            for criterion in criteria
            if criterion.key in checked
        ]
        content = _Content(version, answers, sent.cannot_rate, validated_text(sent.remark))
        return _store(case, content, sent, actor)


def comment(*, case: Case, text: str, actor: User) -> Comment:
    """Add a comment to a case; comments cannot be changed.

    Parameters
    ----------
    case : Case
        The case; a decided case stays decided.
    text : str
        Up to 10,000 characters.
    actor : User
        A member of the study.

    Raises
    ------
    InvalidContent
        `no_text`, `too_long`.
    NotAllowedNow
        `study_draft`.
    """
    text = validated_text(text)
    if not text:
        sentence = message("Enter a comment.")
        raise InvalidContent(sentence, code="no_text", fields={"text": sentence})
    if len(text) > LONGEST_REMARK:
        sentence = message("Shorten the comment to %(most)s characters.", most=LONGEST_REMARK)
        raise InvalidContent(sentence, code="too_long", fields={"text": sentence})
    with transaction.atomic():
        case = locked_case(case)
        made = Comment.objects.create(case=case, author=actor, text=text)
        if case.state == CaseState.OPEN:
            set_state(case, CaseState.DISCUSSED)
        audit.record(
            study=case.study, actor=actor, act="discuss_case", item=case.item.key, form=case.form.key
        )
    return made


def show_names(*, study: Study, named: bool, actor: User) -> Adjudication:
    """Show adjudicators the rater codes, or only letters in random order.

    Parameters
    ----------
    study : Study
        In any state.
    named : bool
        True for rater codes.
    actor : User
        User who decides.
    """
    with transaction.atomic():
        stored, _ = Adjudication.objects.select_for_update().get_or_create(study=study)
        if stored.named != named:
            stored.named = named
            stored.save(update_fields=["named"])
            audit.record(study=study, actor=actor, act="set_adjudication", names=named)
    return stored


def check_not_draft(study: Study) -> None:
    """Refuse drafts, which have nothing to adjudicate.

    Raises
    ------
    NotAllowedNow
        `study_draft`.
    """
    if study.state == StudyState.DRAFT:
        sentence = message("Open the study first. A draft has no ratings to adjudicate.")
        raise NotAllowedNow(sentence, code="study_draft")


def locked_case(case: Case) -> Case:
    """A case under the lock of its row, with study, item and form.

    Parameters
    ----------
    case : Case
        In a transaction.

    Raises
    ------
    NotAllowedNow
        `study_draft`.
    """
    found = (
        Case.objects.select_for_update(of=("self",), no_key=True)
        .select_related("study", "item", "form")
        .get(pk=case.pk)
    )
    check_not_draft(found.study)
    return found


def _annotation(case: Case, pk: int) -> Response:
    found = annotations_in(case.study).filter(
        pk=pk, assignment__item=case.item_id, assignment__form=case.form_id
    )
    given = found.select_related("assignment__rater", "version").first()
    if given is None:
        raise AnsweredElsewhere(ANNOTATION_GONE, code="annotation_gone")
    return given


def _begun_from(case: Case, pk: int | None) -> Response | None:
    """The response that the fields were copied from; None if it is no longer there."""
    if pk is None:
        return None
    rater = Response.objects.filter(pk=pk).values_list("assignment__rater", flat=True).first()
    if rater is None:
        return None
    Rater.objects.select_for_update(of=("self",)).get(pk=rater)
    try:
        return _annotation(case, pk)
    except AnsweredElsewhere:
        return None


def _final(criterion: Criterion, answer: Answer, begun: Response | None) -> FinalAnswer:
    given = None
    if begun is not None:
        given = begun.ratings.filter(criterion__key=criterion.key).select_related("criterion").first()
    if begun is None or given is None or not _is_same(criterion, given, answer):
        return FinalAnswer(**answer_columns(criterion, answer))
    # The fields do not hold the places of tuples: they come from the annotation.
    columns = answer_columns(criterion, criterion.question_kind.of_cell(given.cell))
    return FinalAnswer(chosen=True, chosen_from=begun.assignment.rater, **columns)


def _is_same(criterion: Criterion, given: Rating, answer: Answer) -> bool:
    """Whether an annotation, perhaps of a version with another kind of question, gave this very answer."""
    kind, before = criterion.question_kind, given.cell
    if kind.cell(answer) == before:
        return True
    # Fields in which nothing is marked do not hold the places of spans.
    unplaced = given.criterion.kind == criterion.kind and isinstance(before, str)
    return unplaced and kind.as_written(str(before), {}) == kind.cell(answer)


def _store(case: Case, content: _Content, sent: Submission, actor: User) -> DecisionResult:
    """Store a decision, under the lock of the case; the same content again is not stored twice.

    A decision of the second adjudicator is a second opinion: the final answer and the state stay.
    """
    if case.state == CaseState.WITHDRAWN:
        raise NotAllowedNow(WITHDRAWN, code="case_withdrawn")
    as_second = is_second(case, actor)
    own = Verdict.objects.filter(case=case, second=True) if as_second else _current(case)
    current = own.prefetch_related("answers__criterion").order_by("-revision").first()
    key = uuid.uuid5(sent.page_key, f"{case.pk} {content.canonical}")
    if current is not None:
        stored = _canonical(current.version_id, current.cannot_rate, current.note, current.answers.all())
        if current.submission_key == key or stored == content.canonical:
            return DecisionResult(current, stored=False)
    revision = 0 if current is None else current.revision
    if sent.seen_revision not in {None, revision} or Verdict.objects.filter(submission_key=key).exists():
        raise AnsweredElsewhere(DECIDED_SINCE, code="decided_elsewhere")
    if not as_second:
        _current(case).update(current=False)
    verdict = Verdict.objects.create(
        case=case,
        revision=case.verdicts.count() + 1,
        current=not as_second,
        second=as_second,
        submission_key=key,
        version=content.version,
        cannot_rate=content.cannot_rate,
        note=content.note,
        author=actor,
    )
    for answer in content.answers:
        answer.verdict = verdict
    FinalAnswer.objects.bulk_create(content.answers)
    if not as_second:
        set_state(case, CaseState.DECIDED)
    audit.record(
        study=case.study,
        actor=actor,
        act="give_second_opinion" if as_second else "adjudicate",
        item=case.item.key,
        form=case.form.key,
        revision=verdict.revision,
    )
    return DecisionResult(verdict, stored=True)


def _current(case: Case) -> QuerySet[Verdict]:
    return Verdict.objects.filter(case=case, current=True)


def _canonical(version: int, cannot_rate: str, note: str, answers: Iterable[FinalAnswer]) -> str:
    given = {one.criterion.key: [str(one), one.chosen_from_id, one.chosen] for one in answers}
    return json.dumps([version, cannot_rate, note, given], sort_keys=True, ensure_ascii=False)


def set_state(case: Case, state: CaseState) -> None:
    """Set the state of a locked case."""
    case.state = state
    case.save(update_fields=["state"])
