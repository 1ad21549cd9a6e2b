"""Creating, changing, moving and removing forms; responses are never edited."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from annotation.domain.base.errors import InvalidContent, NotAllowedNow
from annotation.domain.base.messages import joined, message
from annotation.domain.base.states import TAKING_ANSWERS, StudyState
from annotation.domain.base.text_validation import validated_text
from annotation.domain.quality.calibration import read_reference
from annotation.domain.quality.check_settings import read_check
from annotation.domain.quality.checks import CheckKind
from annotation.domain.questions.text_languages import remaining_translations
from annotation.domain.questions.wording.changes import is_wording_only
from annotation.io.studies.definitions import checked_form
from annotation.models import (
    Assignment,
    CalibrationItem,
    Check,
    Form,
    FormVersion,
    RaterKind,
    Rating,
    Response,
    Study,
    User,
)
from annotation.protocols.definition_forms import form_template
from annotation.protocols.definition_stages import feed_document
from annotation.selectors.questions.wording_change import WordingChange, wording_change
from annotation.selectors.studies.definition import feed_of, form_as_document, pairing_template
from annotation.services.base import audit
from annotation.services.base.drafts import lock_draft
from annotation.services.questions.criteria import question_of
from annotation.services.studies.forms import add_version, create_form
from annotation.services.studies.stage_setup import check_stages
from annotation.services.studies.texts.item_texts import check_texts

Document = Mapping[str, Any]
NOT_A_CORRECTION = message(
    "This change is more than a correction: it changes what raters are asked, not only the wording. Save it "
    "as a new version."
)


def add_form(*, study: Study, document: Document, actor: User) -> Form:
    """Add a form, in the shape of a definition, to a draft.

    Parameters
    ----------
    study : Study
        A draft.
    document : mapping
        A form in the shape of a definition; without `overlap`, the number set for the study applies.
    actor : User
        The member who adds it.

    Raises
    ------
    NotAllowedNow
        The study is no draft.
    InvalidContent
        `invalid_definition`, where `fields` names each path; `form_key_taken`; `stage_impossible`.
    """
    read = checked_form(document)
    with transaction.atomic():
        locked = _draft(study)
        if Form.everything.filter(study=locked, key=read["key"]).exists():
            taken = message("The study already has a form “%(key)s”. Choose another name.", key=read["key"])
            raise InvalidContent(taken, code="form_key_taken", fields={"key": taken})
        wanted = None if "overlap" in document else locked.ratings_per_item
        form = create_form(study=locked, template=form_template(read), overlap=wanted or read["overlap"])
        check_stages(locked)
        audit.record(study=locked, actor=actor, act="add_form", form=form.key)
    return form


def change_form(
    *, form: Form, document: Document, actor: User, correction: bool = False, reason: str = ""
) -> FormVersion:
    """Change a form; if raters have already received it, the change is a correction or a new version.

    In an open or paused study, raters see the new wording from their next item. `preview_change` reports
    the effect on the statistics.

    Parameters
    ----------
    form, actor
        A form of a draft or of an open or paused study, and the member who changes it.
    document : mapping
        The form as in a definition; its key, ratings per item, limit per rater and stage are ignored.
    correction : bool
        The meaning is the same: the version keeps its number, is analysed with the one before, and has its
        translations.
    reason : str
        For the audit log.

    Returns
    -------
    FormVersion
        The newest version; the existing one if nothing has changed.

    Raises
    ------
    NotAllowedNow
        The study is closed or published, or its items lack a text that the form shows now.
    InvalidContent
        `invalid_definition`, where `fields` has each path; `form_in_use` if a check or a calibration item
        needs a removed part, `stage_impossible` if a stage does; `not_a_correction` if more than the wording
        changes.
    """
    with transaction.atomic():
        read = _changed_form(form, document, correction=correction)
        study = Study.objects.select_for_update(no_key=True).get(pk=form.study_id)
        if study.source or study.state not in {StudyState.DRAFT, *TAKING_ANSWERS}:
            raise NotAllowedNow(
                message("You cannot change the forms of a closed study."), code="study_closed"
            )
        newest = newest_version(form)
        before = form_as_document(newest)
        if before == read:
            return newest
        place = _place_of_change(study, newest, correction=correction)
        if place.correction and not is_wording_only(before, read):
            raise InvalidContent(NOT_A_CORRECTION, code="not_a_correction")
        version = _put_in_place(study, form, newest, read, place)
        audit.record(
            study=study,
            actor=actor,
            act="change_form",
            form=form.key,
            version=version.number,
            correction=version.correction,
            reason=validated_text(reason),
        )
    return version


@dataclass(frozen=True)
class _Place:
    """Where a changed form goes among its versions; `replaces` if it takes the place of the newest one."""

    number: int
    correction: int = 0
    pool: int = 0
    replaces: bool = False


def _put_in_place(
    study: Study, form: Form, newest: FormVersion, read: Mapping[str, Any], place: _Place
) -> FormVersion:
    """Store a changed form at its place among the versions, if the rest of the study fits it."""
    if place.replaces:
        newest.delete()
    if form.title != read["title"]:
        form.title = read["title"]
        form.save(update_fields=["title"])
    version = add_version(
        form=form,
        template=form_template(read),
        number=place.number,
        correction=place.correction,
        pool=place.pool,
    )
    _refuse_orphans(form, version)
    check_stages(study)
    if study.state != StudyState.DRAFT:
        check_texts(study)
    return version


def _place_of_change(study: Study, newest: FormVersion, *, correction: bool) -> _Place:
    if study.state == StudyState.DRAFT and not newest.assignments.exists():
        return _Place(newest.number, newest.correction, newest.pool, replaces=True)
    if correction:
        return _Place(newest.number, newest.correction + 1, newest.pool)
    return _Place(newest.number + 1)


def preview_change(*, form: Form, document: Document) -> WordingChange | None:
    """Report how saving this document would affect the statistics; nothing is stored.

    None where nothing has changed or the form has no responses yet.

    Parameters
    ----------
    form : Form
        Of a study.
    document : mapping
        As for `change_form`.

    Returns
    -------
    WordingChange or None
        None where nothing has changed or the form has no responses yet.

    Raises
    ------
    InvalidContent
        `invalid_definition`, where `fields` names each path.
    """
    read = _changed_form(form, document)
    before = form_as_document(newest_version(form))
    return None if before == read else wording_change(form, before, read)


def move_form(*, form: Form, earlier: bool, actor: User) -> None:
    """Move a form of a draft one position earlier or later.

    Parameters
    ----------
    form, actor
        A form of a draft, and the member named in the log.
    earlier : bool
        True for one position earlier, False for one later.

    Raises
    ------
    NotAllowedNow
        The study is no draft.
    InvalidContent
        `stage_impossible`: a form would come before the one that feeds it.
    """
    with transaction.atomic():
        study = _draft(form.study)
        order = list(study.forms.order_by("position", "pk"))
        index = order.index(form)
        other = index - 1 if earlier else index + 1
        if not 0 <= other < len(order):
            return
        order[index], order[other] = order[other], order[index]
        for position, one in enumerate(order):
            one.position = position
        Form.objects.bulk_update(order, ["position"])
        check_stages(study)
        audit.record(study=study, actor=actor, act="move_form", form=form.key)


def remove_form(*, form: Form, actor: User) -> None:
    """Remove a form from a draft, with its preview responses.

    Raises
    ------
    NotAllowedNow
        The study is no draft, ratings were imported for the form (`holds_ratings`), or a check, a
        calibration item or another stage uses it (`form_in_use`).
    """
    with transaction.atomic():
        study = _draft(form.study)
        given = Assignment.objects.filter(form=form)
        if given.exclude(rater__kind=RaterKind.TRIAL).exists():
            raise NotAllowedNow(
                message("You cannot remove this form, because it has imported ratings."), code="holds_ratings"
            )
        if Check.objects.filter(form=form).exists() or CalibrationItem.objects.filter(form=form).exists():
            raise NotAllowedNow(
                message("Attention checks or calibration items use this form. Remove them first."),
                code="form_in_use",
            )
        if form.feeds.exists():
            raise NotAllowedNow(
                message(
                    "Another form receives its items from this form. Set that form to receive all items "
                    "first."
                ),
                code="form_in_use",
            )
        trials = Response.objects.filter(assignment__in=given)
        Rating.objects.filter(response__in=trials).delete()
        trials.delete()
        given.delete()
        key = form.key
        form.delete()
        audit.record(study=study, actor=actor, act="remove_form", form=key)


def _changed_form(form: Form, document: Document, *, correction: bool = False) -> dict[str, Any]:
    """The checked document, with the settings that only other pages change.

    Missing translations are restored if their text has not changed, or is only corrected.
    """
    pairing = pairing_template(form)
    unchanged = {
        "key": form.key,
        "overlap": form.overlap,
        "per_rater": form.per_rater,
        "fed_by": feed_document(feed_of(form)),
        "pairing": pairing and dict(vars(pairing)),
    }
    read = checked_form({**document, **unchanged})
    if "translations" in document:
        return read
    before = form_as_document(newest_version(form))
    return {**read, "translations": remaining_translations(before, read, same_meaning=correction)}


def newest_version(form: Form) -> FormVersion:
    """Load the current version of a form, with the rows that its definition needs.

    Parameters
    ----------
    form : Form
        Of a study.
    """
    return (
        form.versions.prefetch_related("criteria__points")
        .select_related("form")
        .latest("number", "correction")
    )


def _draft(study: Study) -> Study:
    return lock_draft(study.pk, message("You can only add, move or remove forms while the study is a draft."))


def _refuse_orphans(form: Form, version: FormVersion) -> None:
    """Refuse a version on whose page checks or calibration items can no longer be answered."""
    questions = [question_of(one) for one in version.criteria.prefetch_related("points")]
    problems = {}
    for check in Check.objects.filter(form=form):
        try:
            read_check(CheckKind(check.kind), check.settings, questions)
        except InvalidContent as refusal:
            problems[f"check {check.key}"] = refusal.message
    for one in CalibrationItem.objects.filter(form=form).select_related("item"):
        try:
            read_reference(one.reference, questions, one.item.fields)
        except InvalidContent as refusal:
            problems[f"calibration item {one.item.key}"] = refusal.message
    if problems:
        named = joined(
            message("%(name)s: %(problem)s", name=name, problem=problem) for name, problem in problems.items()
        )
        raise InvalidContent(
            message(
                "Attention checks or calibration items need parts of this form. Change or remove them first. "
                "%(problems)s",
                problems=named,
            ),
            code="form_in_use",
            fields=problems,
        )
