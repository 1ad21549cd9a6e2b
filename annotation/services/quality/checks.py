"""Attention checks: their set-up, their positions among a rater's pages, and their results."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.db.models import F

from annotation.domain.base.errors import InvalidContent
from annotation.domain.base.messages import message
from annotation.domain.base.states import IN_BATCHES, SEQUENCE, Purpose
from annotation.domain.quality.chance_pass_rate import chance_level
from annotation.domain.quality.check_placement import (
    PlacedCheck,
    find_due_check,
    item_to_repeat,
)
from annotation.domain.quality.check_settings import read_check, refuse_unpassable, settings_of
from annotation.domain.quality.checks import CheckKind, Verdict, verdict
from annotation.domain.questions.kinds.choice import CHOICE
from annotation.domain.questions.kinds.kind import Answer
from annotation.domain.questions.kinds.text import TEXT
from annotation.models import (
    Assignment,
    Check,
    CheckVerdict,
    Criterion,
    Form,
    FormVersion,
    Item,
    Rater,
    RaterKind,
    Response,
    ScalePoint,
    Study,
    User,
)
from annotation.selectors.quality.checks.proposed import own_question_name
from annotation.selectors.seats.study_features import features_of
from annotation.services.base import audit
from annotation.services.base.drafts import lock_draft
from annotation.services.base.webhook_events import announce
from annotation.services.quality.check_places import planned_checks
from annotation.services.quality.planted_items import CHECKS_IN_DRAFTS, missing_texts, plant_item
from annotation.services.questions.criteria import questions_of
from annotation.services.seats.reservations import reservation_end

DISTANCE = 3
UNDECIDED_YET = frozenset({"waiting_for_original"})


def create_check(
    *,
    study: Study,
    actor: User,
    key: str,
    kind: CheckKind,
    form: Form,
    settings: Mapping[str, Any],
    texts: Mapping[str, str] | None = None,
    original: Item | None = None,
) -> Check:
    """Set up a check in a draft; the item that it shows is planted at once.

    Parameters
    ----------
    study, actor
        A draft, and who sets the check up.
    key, kind
        Its name, unique in the study, and its kind.
    form : Form
        On whose page it comes: one of the study's, or a planted one with a question of its own.
    settings : mapping
        As `read_check` takes them.
    texts : mapping of str to str, optional
        What the planted item shows, `{vehicle:a bell}` marks a component; not for a repeat. A text of a
        twin without marks is marked as its original's is.
    original : Item, optional
        The item that a twin is a degraded copy of.

    Raises
    ------
    NotAllowedNow
        The study is no draft.
    InvalidContent
        The key is taken (`check_key_taken`), a text or the original is missing (`check_incomplete`), or
        the settings cannot be used (`invalid_check`, `check_tells_nothing`, `check_passes_nobody`).
    """
    with transaction.atomic():
        study = lock_draft(study.pk, CHECKS_IN_DRAFTS)
        _refuse_taken(study, key)
        questions = questions_of(form)
        read = read_check(kind, settings, questions)
        refuse_unpassable(read, questions)
        refuse_incomplete(kind, form, texts or {}, original)
        planted = None
        if kind is not CheckKind.REPEAT:
            planted = plant_item(study=study, key=key, texts=texts or {}, original=original)
        check = Check.objects.create(
            study=study,
            key=key,
            kind=kind.value,
            form=form,
            item=planted,
            original=original,
            settings=settings_of(read),
        )
        audit.record(study=study, actor=actor, act="create_check", check=key, kind=kind.value)
    return check


def _refuse_taken(study: Study, key: str) -> None:
    if Check.objects.filter(study=study, key=key).exists():
        raise InvalidContent(
            message("The study already has a check “%(key)s”. Choose another name.", key=key),
            code="check_key_taken",
        )


def create_check_form(*, study: Study, question: str, options: Sequence[str] = ()) -> Form:
    """Create a form for the question of a check: a choice among options, or free text without any.

    It shows the texts of the draft's first form. Its key, which raters' clients see, gives nothing away.

    Parameters
    ----------
    study : Study
        A draft.
    question : str
        What is asked.
    options : sequence of str
        To choose from; none for an answer in words.

    Raises
    ------
    InvalidContent
        The question is empty (`check_incomplete`).
    """
    if not question.strip():
        raise InvalidContent(message("Enter the question that raters answer."), code="check_incomplete")
    shown = FormVersion.objects.filter(form__study=study, form__planted=False).order_by("form", "-number")[:1]
    with transaction.atomic():
        form = Form.everything.create(
            study=study, key=f"page-{secrets.token_hex(4)}", title="Question", planted=True
        )
        version = FormVersion.objects.create(
            form=form, blocks=shown[0].blocks if shown else [], cannot_rate=False
        )
        kind = CHOICE if options else TEXT
        criterion = Criterion.objects.create(
            version=version, key="answer", name=own_question_name(study), question=question, kind=kind.key
        )
        ScalePoint.objects.bulk_create(
            ScalePoint(
                criterion=criterion,
                value=option,
                label=option,
                keyboard=str(position + 1)[:1],
                position=position,
            )
            for position, option in enumerate(options)
        )
    return form


def delete_check(*, check: Check, actor: User) -> None:
    """Take a check out of a draft.

    Raises
    ------
    NotAllowedNow
        The study is no draft.
    """
    with transaction.atomic():
        study = lock_draft(check.study_id, CHECKS_IN_DRAFTS)
        item = check.item
        check.delete()
        if item is not None:
            item.delete()
        audit.record(study=study, actor=actor, act="delete_check", check=check.key)


def due_check(rater: Rater, unanswered: Sequence[Assignment] = ()) -> Assignment | None:
    """The check that comes now for a rater, as an assignment of its own; None where none does.

    Called under the lock of the rater's row.

    Parameters
    ----------
    rater : Rater
        A rater whose row the caller's transaction locks.
    unanswered : sequence of Assignment
        Pages that come before it, counted as if they were answered: the rater's first ones without an answer,
        after which no check waits.
    """
    if rater.kind != RaterKind.PERSON:
        return None
    if not unanswered:
        waiting = rater.assignments.filter(purpose=Purpose.CHECK, submitted_at__isnull=True)
        found = waiting.select_related("item", "form", "seat", "rater__study").first()
        if found is not None:
            return found if _is_due(found, rater) else None
    following = _following_check(rater, unanswered)
    if following is None:
        return None
    return _give(rater, following.check, unanswered)


def insert_checks(rater: Rater, pages: Sequence[Assignment]) -> list[Assignment]:
    """The pages of a new batch and the checks among them, in order; those without a key are not stored yet.

    Checks are created together with the items, so neither numbers nor times distinguish them.

    Parameters
    ----------
    rater : Rater
        A rater whose row the caller's transaction locks, and who has nothing left to answer.
    pages : sequence of Assignment
        The items of the batch in the rater's order, not stored yet.
    """
    if rater.kind != RaterKind.PERSON or not features_of(rater.study).checks:
        return list(pages)
    own = rater.assignments.filter(purpose__in=SEQUENCE)
    # Unanswered checks of an earlier batch that other raters took over are asked in this batch.
    waiting = list(own.filter(purpose=Purpose.CHECK, submitted_at__isnull=True).order_by("position"))
    items, checks = (own.filter(purpose=one, submitted_at__isnull=False).count() for one in SEQUENCE)
    taken = own.filter(purpose=Purpose.MAIN).exclude(seat=None).count()
    planted = planned_checks(rater, items=taken + len(pages))
    arranged: list[Assignment] = []
    for page in pages:
        arranged.append(page)
        items += 1
        due = find_due_check(planted, items_answered=items, checks_answered=checks, last_was_check=False)
        if due is None:
            continue
        check = waiting.pop(0) if waiting else _make(rater, due.check, arranged)
        if check is not None:
            arranged.append(check)
            checks += 1
    return arranged


def _is_due(waiting: Assignment, rater: Rater) -> bool:
    """A check of a batch waits until enough items are answered, even if other raters took over its batch."""
    if rater.study.design not in IN_BATCHES or waiting.opened_at is not None:
        return True
    return _following_check(rater, ()) is not None


def _following_check(rater: Rater, unanswered: Sequence[Assignment]) -> PlacedCheck | None:
    answered = rater.assignments.filter(submitted_at__isnull=False)
    ahead = [page.purpose for page in unanswered]
    items = answered.filter(purpose=Purpose.MAIN).count() + ahead.count(Purpose.MAIN)
    checks = answered.filter(purpose=Purpose.CHECK).count() + ahead.count(Purpose.CHECK)
    planted = planned_checks(rater, items=items)
    if not planted:
        return None
    latest = answered.order_by("-submitted_at", "-pk").values_list("purpose", flat=True)
    last = ahead[-1] if ahead else latest.first()
    return find_due_check(
        planted, items_answered=items, checks_answered=checks, last_was_check=last == Purpose.CHECK
    )


def judge(*, response: Response) -> None:
    """Store the result of a check from a response, once, in the transaction that stores the response.

    The first revision counts. A twin is judged when both it and its original are answered, whichever
    comes second.

    Parameters
    ----------
    response : Response
        Just stored.
    """
    assignment = response.assignment
    if response.revision > 1:
        return
    if assignment.check_planted is not None:
        _judge(assignment.check_planted, assignment, response)
    if assignment.check_planted is not None or assignment.purpose != Purpose.MAIN:
        return
    twins = Assignment.objects.filter(
        rater=assignment.rater_id,
        purpose=Purpose.CHECK,
        check_planted__original=assignment.item_id,
        submitted_at__isnull=False,
        verdict__isnull=True,
    ).select_related("check_planted", "rater")
    for twin in twins:
        first = twin.responses.filter(revision=1).first()
        if twin.check_planted is not None and first is not None:
            _judge(twin.check_planted, twin, first)


def _judge(check: Check, assignment: Assignment, response: Response) -> None:
    questions = questions_of(check.form)
    read = read_check(CheckKind(check.kind), check.settings, questions)
    found = verdict(read, answers_of(response), _other_answers(check, assignment), questions)
    if found.reason not in UNDECIDED_YET:
        _store(assignment, found, float(chance_level(read, questions)))


def _store(assignment: Assignment, found: Verdict, chance: float) -> None:
    _, is_new = CheckVerdict.objects.get_or_create(
        assignment=assignment,
        defaults={"passed": found.passed, "reason": found.reason, "detail": found.detail, "chance": chance},
    )
    if is_new and found.passed is False and assignment.check_planted is not None:
        check = assignment.check_planted
        announce(study=check.study, event="check_failed", detail={"check": check.key})


def _other_answers(check: Check, assignment: Assignment) -> dict[str, Answer] | None:
    """The rater's earlier answers to the repeated item, or those to the twin's original."""
    item = assignment.item_id if check.kind == CheckKind.REPEAT else check.original_id
    if item is None:
        return None
    earlier = Response.objects.filter(
        assignment__rater=assignment.rater_id,
        assignment__item=item,
        assignment__form=check.form_id,
        assignment__purpose=Purpose.MAIN,
        revision=1,
    ).first()
    return None if earlier is None else answers_of(earlier)


def answers_of(response: Response) -> dict[str, Answer]:
    """The answers of a response by criterion, those with parts as files hold them."""
    given = [(one.criterion.key, one) for one in response.ratings.select_related("criterion")]
    return {key: one.given if one.content is None else Answer(text=str(one.cell)) for key, one in given}


def _give(rater: Rater, key: str, unanswered: Sequence[Assignment]) -> Assignment | None:
    check = _make(rater, key, unanswered)
    if check is None:
        return None
    sequence = rater.assignments.filter(purpose__in=SEQUENCE)
    waiting = sequence.filter(submitted_at__isnull=True).exclude(pk__in=[page.pk for page in unanswered])
    first = waiting.order_by("position").values_list("position", flat=True).first()
    check.position = first or sequence.count() + 1
    waiting.update(position=F("position") + 1)
    check.save()
    return check


def _make(rater: Rater, key: str, before: Sequence[Assignment]) -> Assignment | None:
    """A check that follows unanswered pages, not stored yet; None where no item can be repeated so early."""
    check = Check.objects.select_related("item", "form").get(study=rater.study, key=key)
    item = check.item or _repeated(rater, check, before)
    if item is None:
        return None
    return Assignment(
        rater=rater,
        item=item,
        form=check.form,
        version=FormVersion.objects.filter(form=check.form).latest("number", "correction"),
        purpose=Purpose.CHECK,
        check_planted=check,
        held_until=reservation_end(rater.study, check.form_id),
    )


def _repeated(rater: Rater, check: Check, unanswered: Sequence[Assignment]) -> Item | None:
    """An item the rater has rated a while ago, answered and not merely declared impossible to rate.

    Of unanswered pages the latest are too recent to be repeated: they only lie between.
    """
    rated = rater.assignments.filter(
        purpose=Purpose.MAIN, form=check.form, responses__revision=1, responses__cannot_rate=""
    ).order_by("submitted_at", "pk")
    keys = list(rated.values_list("item__key", flat=True))
    keys += [page.item.key for page in unanswered if _is_shown_for(check, page)]
    again = set(rater.assignments.filter(purpose=Purpose.CHECK).values_list("item__key", flat=True))
    again |= {page.item.key for page in unanswered if page.purpose == Purpose.CHECK}
    key = item_to_repeat(keys, again, distance=DISTANCE, seed=rater.study.seed, rater_seed=rater.seed)
    return None if key is None else Item.objects.get(study=rater.study, key=key)


def _is_shown_for(check: Check, page: Assignment) -> bool:
    return page.purpose == Purpose.MAIN and page.form_id == check.form_id


def refuse_incomplete(kind: CheckKind, form: Form, texts: Mapping[str, str], original: Item | None) -> None:
    """Refuse a check whose page lacks a text, or a twin without its original (`check_incomplete`)."""
    if kind is CheckKind.TWIN and original is None:
        raise InvalidContent(message("Enter the item ID of the twin’s original."), code="check_incomplete")
    version = FormVersion.objects.filter(form=form).latest("number", "correction")
    shown: Sequence[str] = [block["field"] for block in version.blocks if not block.get("optional")]
    lacking = [name for name in shown if not texts.get(name, "").strip()]
    if kind is not CheckKind.REPEAT and (lacking or not any(text.strip() for text in texts.values())):
        raise InvalidContent(
            missing_texts(lacking),
            code="check_incomplete",
            fields=dict.fromkeys(lacking, message("Enter a text.")),
        )
