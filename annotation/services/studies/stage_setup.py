"""Setup of stages in a draft: which form receives its items from which earlier form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from django.db import transaction

from annotation.domain.base.errors import InvalidContent
from annotation.domain.base.messages import joined, message
from annotation.models import Form, StageFeed, Study, User
from annotation.protocols.definition_stages import stage_problems
from annotation.protocols.template import FeedTemplate
from annotation.selectors.questions.form_versions import form_versions
from annotation.selectors.studies.definition import form_as_document
from annotation.services.base import audit
from annotation.services.base.drafts import CHANGES_IN_DRAFTS, lock_draft


def set_feed(*, form: Form, feed: FeedTemplate | None, actor: User) -> Form:
    """Set which items a form of a draft receives: those that an earlier form admits, or all (None).

    Parameters
    ----------
    form : Form
        A form of a draft.
    feed : FeedTemplate or None
        The earlier stage; None for all items.
    actor : User
        The member who sets it.

    Raises
    ------
    NotAllowedNow
        The study is no draft (`not_a_draft`).
    InvalidContent
        `stage_impossible`; `fields` maps each problem to a sentence.
    """
    with transaction.atomic():
        study = lock_draft(form.study_id, CHANGES_IN_DRAFTS)
        store_feed(form=form, feed=feed)
        check_stages(study)
        detail = None if feed is None else {"from": feed.form, "rule": feed.rule.value}
        audit.record(study=study, actor=actor, act="set_feed", form=form.key, feed=detail)
    return form


def store_feed(*, form: Form, feed: FeedTemplate | None) -> None:
    """Replace the earlier stage of a form; called inside a transaction, before `check_stages`.

    Parameters
    ----------
    form : Form
        A form of a draft.
    feed : FeedTemplate or None
        Earlier form and rule; None for every item.

    Raises
    ------
    InvalidContent
        `stage_impossible`: there is no such other form.
    """
    StageFeed.objects.filter(target=form).delete()
    if feed is None:
        return
    source = Form.objects.filter(study=form.study_id, key=feed.form).exclude(pk=form.pk).first()
    if source is None:
        raise _impossible({"form": message("The study has no other form “%(key)s”.", key=feed.form)})
    fields: dict[str, Any] = {**asdict(feed), "form": None}
    del fields["form"]
    StageFeed.objects.create(target=form, source=source, **fields)


def check_stages(study: Study) -> None:
    """Refuse impossible stages, such as an earlier stage that comes later or an answer that does not exist.

    Parameters
    ----------
    study : Study
        The study with the new forms.

    Raises
    ------
    InvalidContent
        `stage_impossible`; `fields` maps each problem to a sentence.
    """
    if not StageFeed.objects.filter(target__study=study).exists():
        return
    forms = [form_as_document(one) for one in form_versions(study=study) if not one.form.planted]
    problems = {
        path.rpartition(".")[2] if ".fed_by." in path else "fed_by": problem
        for path, problem in stage_problems(forms, study.design)
    }
    if problems:
        raise _impossible(problems)


def _impossible(problems: Mapping[str, str]) -> InvalidContent:
    sentence = message("These stages are not possible. %(problems)s", problems=joined(problems.values()))
    return InvalidContent(sentence, code="stage_impossible", fields=problems)
