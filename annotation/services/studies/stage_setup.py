"""Setting up stages: which form is fed by the answers to which, in a draft."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from django.db import transaction

from annotation.domain.base.errors import InvalidContent
from annotation.models import Form, StageFeed, Study, User
from annotation.protocols.definition_stages import stage_problems
from annotation.protocols.template import FeedTemplate
from annotation.selectors.questions.form_versions import form_versions
from annotation.selectors.studies.definition import form_as_document
from annotation.services.base import audit
from annotation.services.base.drafts import lock_draft


def set_feed(*, form: Form, feed: FeedTemplate | None, actor: User) -> Form:
    """Set which items a draft's form is given: those that an earlier form lets through, or all (None).

    Parameters
    ----------
    form : Form
        Of a draft.
    feed : FeedTemplate or None
        The stage before; None for every item.
    actor : User
        Who decides.

    Raises
    ------
    NotAllowedNow
        The study is no draft (`not_a_draft`).
    InvalidContent
        `stage_impossible`; `fields` maps what cannot be to a sentence.
    """
    with transaction.atomic():
        study = lock_draft(form.study_id, "The study is {state}: only a draft can be changed.")
        store_feed(form=form, feed=feed)
        check_stages(study)
        detail = None if feed is None else {"from": feed.form, "rule": feed.rule.value}
        audit.record(study=study, actor=actor, act="set_feed", form=form.key, feed=detail)
    return form


def store_feed(*, form: Form, feed: FeedTemplate | None) -> None:
    """Store what feeds a form in place of what did; called inside a transaction, before `check_stages`.

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
        raise _impossible({"form": f"The study has no other form {feed.form!r}."})
    fields: dict[str, Any] = {**asdict(feed), "form": None}
    del fields["form"]
    StageFeed.objects.create(target=form, source=source, **fields)


def check_stages(study: Study) -> None:
    """Refuse stages that cannot be: a form later than the one it feeds, an answer that nobody can give.

    Parameters
    ----------
    study : Study
        With its forms as they are to be.

    Raises
    ------
    InvalidContent
        `stage_impossible`; `fields` maps what cannot be to a sentence.
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
    named = " ".join(problems.values())
    return InvalidContent(f"The stages cannot be used so. {named}", code="stage_impossible", fields=problems)
