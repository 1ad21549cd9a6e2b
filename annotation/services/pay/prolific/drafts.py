"""A draft on Prolific, made from our study."""

from __future__ import annotations

import secrets

from annotation.domain.base.platforms import Platform
from annotation.models import Invitation, Job, Study, User
from annotation.services.pay.crowd.creation import request_creation
from annotation.services.pay.prolific.draft_content import Draft, check_draft, fields_of


def request_draft(*, study: Study, invitation: Invitation, address: str, draft: Draft, actor: User) -> Job:
    """Enqueue the creation of a draft on Prolific, where a person publishes it.

    Parameters
    ----------
    study, actor
        A connected study with its pay set, and who drafts.
    invitation : Invitation
        An open link of the study for Prolific, with a completion code.
    address : str
        The full address of the link.
    draft : Draft
        What people read, and what they are paid.

    Raises
    ------
    InvalidContent
        `bad_draft`: `fields` says what is wrong.
    NotAllowedNow
        `currency_not_on_prolific`: Prolific pays in others; and as of `request_creation`.
    """
    check_draft(study=study, invitation=invitation, draft=draft)
    return request_creation(
        study=study,
        platform=Platform.PROLIFIC,
        invitation=invitation,
        places=draft.places,
        reward=draft.reward,
        content=lambda row: fields_of(row, address=address, draft=draft),
        actor=actor,
        screen_out_code=secrets.token_hex(4).upper() if draft.screen_out_reward is not None else "",
    )
