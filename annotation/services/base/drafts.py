"""Drafts: what only a draft allows is refused under the lock of the study's row."""

from __future__ import annotations

from annotation.domain.base.errors import NotAllowedNow
from annotation.domain.base.states import StudyState
from annotation.models import Study

ITEMS_IN_DRAFTS = "Items are added to a draft only."


def refuse_unless_draft(study: Study, message: str) -> None:
    """Refuse (`not_a_draft`) where a study is no draft; `{state}` in the message is its state."""
    if study.state != StudyState.DRAFT:
        raise NotAllowedNow(message.format(state=study.state), code="not_a_draft")


def lock_draft(study_id: int, message: str) -> Study:
    """The draft as it is now, its row locked until the caller's transaction ends; else refused.

    Parameters
    ----------
    study_id : int
        Primary key of the study.
    message : str
        As for `refuse_unless_draft`.
    """
    study = Study.objects.select_for_update(no_key=True).get(pk=study_id)
    refuse_unless_draft(study, message)
    return study
