"""Forms written by hand: made and changed, moved and removed; what anybody answered is never edited."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from annotation.domain.base.errors import InvalidContent, NotAllowedNow
from annotation.domain.base.states import TAKING_ANSWERS, StudyState
from annotation.domain.quality.calibration import read_reference
from annotation.domain.quality.check_settings import read_check
from annotation.domain.quality.checks import CheckKind
from annotation.domain.questions.text_languages import kept_translations
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
from annotation.selectors.studies.definition import feed_of, form_as_document
from annotation.services.base import audit
from annotation.services.base.drafts import lock_draft
from annotation.services.questions.criteria import question_of
from annotation.services.studies.forms import add_version, create_form
from annotation.services.studies.lifecycle import check_texts
from annotation.services.studies.stage_setup import check_stages

Document = Mapping[str, Any]


def add_form(*, study: Study, document: Document, actor: User) -> Form:
    """Add a form, as a definition describes it, to a draft.

    Parameters
    ----------
    study : Study
        A draft.
    document : mapping
        As a form stands in a definition.
    actor : User
        Who adds it.

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
            message = f"The study has a form {read['key']!r} already: choose another name."
            raise InvalidContent(message, code="form_key_taken", fields={"key": message})
        form = create_form(study=locked, template=form_template(read), overlap=read["overlap"])
        check_stages(locked)
        audit.record(study=locked, actor=actor, act="add_form", form=form.key)
    return form


def change_form(*, form: Form, document: Document, actor: User) -> FormVersion:
    """Change what a form asks; what raters were given stays as it was, so the change is a new version then.

    In an open or paused study raters see the new version from their next item. `preview_change` says what
    that does to the statistics.

    Parameters
    ----------
    form, actor
        Of a draft, or of an open or paused study; and who changes it.
    document : mapping
        The form as in a definition; its key, overlap, cap and feed stay those of the form.

    Returns
    -------
    FormVersion
        The newest version: as before where nothing has changed.

    Raises
    ------
    NotAllowedNow
        The study is closed or published, or its items lack a text that the form shows now.
    InvalidContent
        `invalid_definition`, where `fields` names each path; `form_in_use` where a check or a calibration
        item asks for what would not be there any more, `stage_impossible` where a stage does.
    """
    with transaction.atomic():
        read = _changed_form(form, document)
        study = Study.objects.select_for_update(no_key=True).get(pk=form.study_id)
        if study.source or study.state not in {StudyState.DRAFT, *TAKING_ANSWERS}:
            raise NotAllowedNow("The forms of a closed study stay as they are.", code="study_closed")
        newest = newest_version(form)
        if form_as_document(newest) == read:
            return newest
        number = newest.number
        if study.state == StudyState.DRAFT and not newest.assignments.exists():
            newest.delete()
        else:
            number += 1
        if form.title != read["title"]:
            form.title = read["title"]
            form.save(update_fields=["title"])
        version = add_version(form=form, template=form_template(read), number=number)
        _refuse_orphans(form, version)
        check_stages(study)
        if study.state != StudyState.DRAFT:
            check_texts(study)
        audit.record(study=study, actor=actor, act="change_form", form=form.key, version=number)
    return version


def preview_change(*, form: Form, document: Document) -> WordingChange | None:
    """What saving a form changed to this document would do to the statistics; nothing is stored.

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
    if form_as_document(newest_version(form)) == read:
        return None
    return wording_change(form, {one["kind"] for one in read["criteria"]})


def move_form(*, form: Form, earlier: bool, actor: User) -> None:
    """Let a form of a draft come one place earlier or later.

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
    """Take a form out of a draft; what members answered to it as a trial goes with it.

    Raises
    ------
    NotAllowedNow
        The study is no draft, ratings were imported for the form (`holds_ratings`), or a check or a
        calibration item stands on its page (`form_in_use`).
    """
    with transaction.atomic():
        study = _draft(form.study)
        given = Assignment.objects.filter(form=form)
        if given.exclude(rater__kind=RaterKind.TRIAL).exists():
            raise NotAllowedNow(
                "The form holds imported ratings, and ratings are never deleted.", code="holds_ratings"
            )
        if Check.objects.filter(form=form).exists() or CalibrationItem.objects.filter(form=form).exists():
            raise NotAllowedNow(
                "Attention checks or calibration items stand on the page of this form: remove them first.",
                code="form_in_use",
            )
        if form.feeds.exists():
            raise NotAllowedNow(
                "The answers to this form feed another: let that one be given every item first.",
                code="form_in_use",
            )
        trials = Response.objects.filter(assignment__in=given)
        Rating.objects.filter(response__in=trials).delete()
        trials.delete()
        given.delete()
        key = form.key
        form.delete()
        audit.record(study=study, actor=actor, act="remove_form", form=key)


def _changed_form(form: Form, document: Document) -> dict[str, Any]:
    """The document, checked, with what only other pages change.

    Translations that it leaves out stay where the text they translate does.
    """
    unchanged = {
        "key": form.key,
        "overlap": form.overlap,
        "per_rater": form.per_rater,
        "fed_by": feed_document(feed_of(form)),
    }
    read = checked_form({**document, **unchanged})
    if "translations" in document:
        return read
    return {**read, "translations": kept_translations(form_as_document(newest_version(form)), read)}


def newest_version(form: Form) -> FormVersion:
    """The version of a form that raters are given now, with what its definition needs.

    Parameters
    ----------
    form : Form
        Of a study.
    """
    return form.versions.prefetch_related("criteria__points").select_related("form").latest("number")


def _draft(study: Study) -> Study:
    return lock_draft(study.pk, "Forms are added, moved and removed in a draft only.")


def _refuse_orphans(form: Form, version: FormVersion) -> None:
    """Checks and calibration items must still be answerable on the page."""
    questions = [question_of(one) for one in version.criteria.prefetch_related("points")]
    problems = {}
    for check in Check.objects.filter(form=form):
        try:
            read_check(CheckKind(check.kind), check.settings, questions)
        except InvalidContent as refusal:
            problems[f"check {check.key}"] = refusal.message
    for one in CalibrationItem.objects.filter(form=form).select_related("item"):
        try:
            read_reference(one.reference, questions)
        except InvalidContent as refusal:
            problems[f"calibration item {one.item.key}"] = refusal.message
    if problems:
        named = " ".join(f"{name}: {problem}" for name, problem in problems.items())
        raise InvalidContent(
            f"Remove or change first what this form is used for. {named}", code="form_in_use", fields=problems
        )
