"""Creation of forms from templates, and their ratings per item and limits per rater."""

from __future__ import annotations

from django.db import transaction
from django.db.models import F

from annotation.domain.base.errors import InvalidContent, NotAllowedNow
from annotation.domain.base.messages import message
from annotation.domain.base.states import DesignKind, StudyState
from annotation.models import Criterion, Form, FormVersion, ScalePoint, Study, User
from annotation.protocols.template import CriterionTemplate, FormTemplate
from annotation.services.base import audit
from annotation.services.base.drafts import CHANGES_IN_DRAFTS, lock_draft
from annotation.services.questions.text_languages import offered_translations
from annotation.services.seats.pairing_setup import store_pairing
from annotation.services.studies.stage_setup import store_feed

MOST_MORE = 1000


def create_form(*, study: Study, template: FormTemplate, overlap: int = 3) -> Form:
    """Create a form in a draft with its first version, criteria and rubric.

    Parameters
    ----------
    study : Study
        A draft.
    template : FormTemplate
        The criteria and the texts shown.
    overlap : int
        Ratings per item.
    """
    with transaction.atomic():
        form = Form.objects.create(
            study=study, key=template.key, title=template.title, overlap=overlap, position=study.forms.count()
        )
        add_version(form=form, template=template, number=1)
        if template.fed_by is not None:
            store_feed(form=form, feed=template.fed_by)
        if template.pairing is not None:
            store_pairing(form=form, pairing=template.pairing)
    return form


def set_serving(*, form: Form, overlap: int, per_rater: int | None, actor: User) -> Form:
    """Set the ratings per item and the limit per rater of a form of a draft.

    Parameters
    ----------
    form, actor
        A form of a draft, and the member who changes it.
    overlap : int
        At least 1.
    per_rater : int or None
        None for no limit.

    Raises
    ------
    NotAllowedNow
        The study is no longer a draft.
    """
    with transaction.atomic():
        study = lock_draft(form.study_id, CHANGES_IN_DRAFTS)
        if (form.overlap, form.per_rater) != (overlap, per_rater):
            form.overlap, form.per_rater = overlap, per_rater
            form.save(update_fields=["overlap", "per_rater"])
            audit.record(
                study=study,
                actor=actor,
                act="set_serving",
                form=form.key,
                overlap=overlap,
                per_rater=per_rater,
            )
    return form


def raise_limits(*, study: Study, more: int, actor: User) -> None:
    """Raise the limit per rater of an open or paused study: items of each limited form, or batches.

    Parameters
    ----------
    study, actor
        An open or paused study, and the member who decides.
    more : int
        How many more items or batches, at most `MOST_MORE`.

    Raises
    ------
    NotAllowedNow
        The study is not open or paused (`not_running`), or has no limit per rater (`no_cap`).
    InvalidContent
        `bad_cap`: not a valid number.
    """
    if not 1 <= more <= MOST_MORE:
        raise InvalidContent(message("Enter a number from 1 to %(most)d.", most=MOST_MORE), code="bad_cap")
    with transaction.atomic():
        study = Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        if study.state not in {StudyState.OPEN, StudyState.PAUSED} or study.source:
            raise NotAllowedNow(
                message("You can only raise the limit while the study is open or paused."), code="not_running"
            )
        if study.design in {DesignKind.BATCHES, DesignKind.ALL}:
            capped = Study.objects.filter(pk=study.pk, batches_per_rater__isnull=False)
            raised = capped.update(batches_per_rater=F("batches_per_rater") + more)
        else:
            raised = study.forms.filter(per_rater__isnull=False).update(per_rater=F("per_rater") + more)
        if not raised:
            raise NotAllowedNow(
                message("Raters have no limit in this design. Invite more raters."), code="no_cap"
            )
        audit.record(study=study, actor=actor, act="raise_caps", more=more)


def add_version(
    *, form: Form, template: FormTemplate, number: int, correction: int = 0, pool: int = 0
) -> FormVersion:
    """Store a version of a form; called inside a transaction.

    Parameters
    ----------
    form : Form
        A form without a version of that number.
    template : FormTemplate
        The criteria and the texts shown.
    number : int
        Version number, from 1.
    correction : int
        Number of the correction of that version; 0 for the version itself.
    pool : int
        `pool` of the versions that it is analysed with; 0 for a version that is analysed separately.
    """
    version = FormVersion.objects.create(
        form=form,
        number=number,
        correction=correction,
        pool=pool,
        title=template.title,
        question=template.question,
        blocks=list(template.blocks),
        cannot_rate=template.cannot_rate,
        examples=[dict(one) for one in template.examples],
        practice=[dict(one) for one in template.practice],
        translations=offered_translations(dict(template.translations)),
    )
    for position, criterion in enumerate(template.criteria):
        _create_criterion(version, criterion, position)
    return version


def _create_criterion(version: FormVersion, template: CriterionTemplate, position: int) -> None:
    criterion = Criterion.objects.create(version=version, position=position, **template.stored())
    ScalePoint.objects.bulk_create(
        ScalePoint(criterion=criterion, **fields) for fields in template.stored_points()
    )
