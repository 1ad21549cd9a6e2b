"""Forms: making one from a template, and how it is served."""

from __future__ import annotations

from django.db import transaction
from django.db.models import F

from annotation.domain.base.errors import InvalidContent, NotAllowedNow
from annotation.domain.base.states import DesignKind, StudyState
from annotation.models import Criterion, Form, FormVersion, ScalePoint, Study, User
from annotation.protocols.template import CriterionTemplate, FormTemplate
from annotation.services.base import audit
from annotation.services.base.drafts import lock_draft
from annotation.services.questions.text_languages import offered_translations
from annotation.services.studies.stage_setup import store_feed

MOST_MORE = 1000


def create_form(*, study: Study, template: FormTemplate, overlap: int = 3) -> Form:
    """Create a form in a draft with its first version, criteria and rubric; `overlap` is raters per item.

    Parameters
    ----------
    study : Study
        A draft.
    template : FormTemplate
        What is asked and shown.
    overlap : int
        How many raters each item needs.
    """
    with transaction.atomic():
        form = Form.objects.create(
            study=study, key=template.key, title=template.title, overlap=overlap, position=study.forms.count()
        )
        add_version(form=form, template=template, number=1)
        if template.fed_by is not None:
            store_feed(form=form, feed=template.fed_by)
    return form


def set_serving(*, form: Form, overlap: int, per_rater: int | None, actor: User) -> Form:
    """Set how many raters each item of a draft's form needs, and how many items one rater is given.

    Parameters
    ----------
    form, actor
        Of a draft, and who changes it.
    overlap : int
        At least 1.
    per_rater : int or None
        None for no limit.

    Raises
    ------
    NotAllowedNow
        The study is no draft any more.
    """
    with transaction.atomic():
        study = lock_draft(form.study_id, "The study is {state}: only a draft can be changed.")
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
    """Let every rater of a running study take more: items of each form with a limit, or batches.

    Parameters
    ----------
    study, actor
        Open or paused, and who decides.
    more : int
        How many, at most `MOST_MORE`.

    Raises
    ------
    NotAllowedNow
        The study does not run (`not_running`), or gives every rater as much as there is (`no_cap`).
    InvalidContent
        `bad_cap`: no such number.
    """
    if not 1 <= more <= MOST_MORE:
        raise InvalidContent(f"Say how many more: from 1 to {MOST_MORE}.", code="bad_cap")
    with transaction.atomic():
        study = Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        if study.state not in {StudyState.OPEN, StudyState.PAUSED} or study.source:
            raise NotAllowedNow(
                f"The study is {study.state}: nothing is handed out in it.", code="not_running"
            )
        if study.design in {DesignKind.BATCHES, DesignKind.ALL}:
            capped = Study.objects.filter(pk=study.pk, batches_per_rater__isnull=False)
            raised = capped.update(batches_per_rater=F("batches_per_rater") + more)
        else:
            raised = study.forms.filter(per_rater__isnull=False).update(per_rater=F("per_rater") + more)
        if not raised:
            raise NotAllowedNow(
                "Every rater is given as much as there is: invite more raters.", code="no_cap"
            )
        audit.record(study=study, actor=actor, act="raise_caps", more=more)


def add_version(*, form: Form, template: FormTemplate, number: int) -> FormVersion:
    """Store what a form asks and shows under a new version number, from 1; called inside a transaction.

    Parameters
    ----------
    form : Form
        Without a version of that number.
    template : FormTemplate
        What is asked and shown.
    number : int
        From 1.
    """
    version = FormVersion.objects.create(
        form=form,
        number=number,
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
