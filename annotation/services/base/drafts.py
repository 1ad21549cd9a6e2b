"""Refusals of what the state of a study does not allow, under the lock of the study's row."""

from __future__ import annotations

from annotation.domain.base.errors import NotAllowedNow
from annotation.domain.base.messages import message
from annotation.domain.base.states import TAKING_ANSWERS, StudyState
from annotation.models import Study

ITEMS_IN_DRAFTS = message("You can only add items while the study is a draft.")
ITEMS_UNTIL_CLOSED = message("You can only add items while the study is a draft, open or paused.")
CHANGES_IN_DRAFTS = message("You can only change this while the study is a draft.")


def refuse_unless_draft(study: Study, sentence: str) -> None:
    """Refuse with a message (`not_a_draft`) if a study is no draft."""
    if study.state != StudyState.DRAFT:
        raise NotAllowedNow(sentence, code="not_a_draft")


def refuse_if_it_takes_no_items(study: Study) -> None:
    """Refuse new items (`takes_no_items`) in a closed study, and in one of published ratings."""
    if study.state != StudyState.DRAFT and (study.source or study.state not in TAKING_ANSWERS):
        raise NotAllowedNow(ITEMS_UNTIL_CLOSED, code="takes_no_items")


def lock_draft(study_id: int, sentence: str) -> Study:
    """Lock the row of a draft until the caller's transaction ends; refuse a study that is no draft.

    Parameters
    ----------
    study_id : int
        Primary key of the study.
    sentence : str
        The message of the refusal.
    """
    study = Study.objects.select_for_update(no_key=True).get(pk=study_id)
    refuse_unless_draft(study, sentence)
    return study
