"""Adding judges that answer by a model: they have no answers until they run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from django.conf import settings as site
from django.db import transaction

from annotation.domain.base.errors import NotAllowedNow
from annotation.domain.base.messages import message
from annotation.models import Study, User
from scoring.judging.prompt import template_name
from scoring.models import Judge
from scoring.services.judges.judge_storing import JudgeNotes, checked_notes, store_judge
from scoring.services.judges.running.asking import checked_local
from scoring.services.judges.running.prompts import AskedForm, asked_form
from scoring.services.judges.running.settings import (
    CHAT,
    MODEL,
    ChatSettings,
    LocalSettings,
    checked_chat,
    endpoint,
)


def add_chat_judge(
    *, study: Study, notes: JudgeNotes, criteria: Sequence[str], asked: ChatSettings, actor: User | None
) -> Judge:
    """Add a judge that asks the chat endpoint of this installation; nothing is sent yet.

    Parameters
    ----------
    study : Study
        With items.
    notes : JudgeNotes
        Name of the judge and what is known of it.
    criteria : sequence of str
        As statistics call them.
    asked : ChatSettings
        From `chat_settings`.
    actor : User or None
        Who adds it; None on the command line.

    Raises
    ------
    InvalidContent
        As `checked_chat`, `asked_form` and `checked_notes`.
    NotAllowedNow
        `judge_endpoint_off` or `judge_key_unreadable`.
    """
    form = asked_form(study, criteria)
    endpoint(study, checked_chat(asked))
    return _added(study, notes, form, CHAT, asdict(asked), actor)


def add_model_judge(
    *, study: Study, notes: JudgeNotes, criteria: Sequence[str], asked: LocalSettings, actor: User | None
) -> Judge:
    """Add a judge that is a local transformer, which workers load.

    Parameters
    ----------
    study, notes, criteria, actor
        As of `add_chat_judge`.
    asked : LocalSettings
        Checkpoint, kind and reading.

    Raises
    ------
    InvalidContent
        As `checked_local`, `asked_form` and `checked_notes`.
    ModelRefused
        `bad_checkpoint_name`.
    """
    form = asked_form(study, criteria)
    return _added(study, notes, form, MODEL, asdict(checked_local(asked, form)), actor)


def chat_settings(model: str, **changes: Any) -> ChatSettings:
    """The settings of a chat judge at the endpoint of this installation.

    Parameters
    ----------
    model : str
        Name of the model at the endpoint.
    **changes
        Fields of `ChatSettings`.

    Raises
    ------
    NotAllowedNow
        `judge_endpoint_off`.
    """
    if not site.JUDGE_ADDRESS:
        raise NotAllowedNow(
            message(
                "Chat judges are off. An administrator of this installation sets GROUNDWORK_JUDGE_ADDRESS."
            ),
            code="judge_endpoint_off",
        )
    return ChatSettings(model=model.strip(), address=site.JUDGE_ADDRESS, **changes)


def _added(
    study: Study, notes: JudgeNotes, form: AskedForm, way: str, asked: dict[str, Any], actor: User | None
) -> Judge:
    settings = {
        way: asked,
        "criteria": [criterion.pk for criterion in form.criteria],
        "form": form.version.form.key,
        "form_version": form.version.label,
        "template": template_name(),
    }
    with transaction.atomic():
        locked = Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        return store_judge(
            study=locked,
            actor=actor,
            notes=checked_notes(locked, notes),
            way=way,
            settings=settings,
            judged=(),
        )
