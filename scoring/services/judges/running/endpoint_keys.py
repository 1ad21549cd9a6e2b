"""A study’s own key of the chat endpoint: set, replaced and removed."""

from __future__ import annotations

import re

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from annotation.domain.base.errors import InvalidContent, NotAllowedNow
from annotation.domain.base.messages import message
from annotation.models import Study, User
from annotation.services.base import audit
from scoring.models import JudgeKey

LONGEST_KEY = 400
KEY = re.compile(rf"[!-~]{{8,{LONGEST_KEY}}}")


def set_key(*, study: Study, actor: User, key: str) -> JudgeKey:
    """Store a key for the present endpoint, encrypted, in place of an earlier one.

    Parameters
    ----------
    study, actor
        The study, and its owner who sets the key.
    key : str
        As the endpoint shows it.

    Raises
    ------
    NotAllowedNow
        `judge_endpoint_off`: this installation has no chat endpoint.
    InvalidContent
        `bad_judge_key`: the text cannot be a key.
    """
    key = key.strip()
    if not settings.JUDGE_ADDRESS:
        raise NotAllowedNow(
            message(
                "Chat judges are off. An administrator of this installation sets GROUNDWORK_JUDGE_ADDRESS."
            ),
            code="judge_endpoint_off",
        )
    if not KEY.fullmatch(key):
        sentence = message(
            "Enter the key as the endpoint shows it: 8 to %(most)d characters without spaces.",
            most=LONGEST_KEY,
        )
        raise InvalidContent(sentence, code="bad_judge_key", fields={"key": sentence})
    with transaction.atomic():
        Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        stored = JudgeKey.objects.filter(study=study).first() or JudgeKey(study=study)
        stored.address, stored.set_at = settings.JUDGE_ADDRESS, timezone.now()
        stored.key = key
        stored.save()
        audit.record(study=study, actor=actor, act="set_judge_key", address=stored.address)
    return stored


def remove_key(*, study: Study, actor: User) -> None:
    """Delete the study’s key; judges then use that of the installation, if it has one.

    Parameters
    ----------
    study, actor
        The study, and its owner who removes the key.
    """
    with transaction.atomic():
        Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        if JudgeKey.objects.filter(study=study).delete()[0]:
            audit.record(study=study, actor=actor, act="remove_judge_key")
