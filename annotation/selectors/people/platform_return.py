"""The way back to the crowd platform somebody came from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from annotation.domain.base.platforms import (
    PARAMETERS,
    PROLIFIC_COMPLETION,
    Entry,
    Parameters,
    Platform,
    completion_address,
    submit_address,
)
from annotation.domain.base.states import SEQUENCE, Purpose
from annotation.models import Invitation, PlatformIdentity, Rater


@dataclass(frozen=True)
class PlatformReturn:
    """An address to follow, or, with `fields`, to post to; and the code to type where that fails."""

    platform: str
    address: str = ""
    code: str = ""
    fields: Mapping[str, str] = field(default_factory=dict)


def parameters_of(invitation: Invitation) -> Parameters:
    """What the platform of a link calls its parameters."""
    built_in = PARAMETERS.get(Platform(invitation.platform))
    return built_in or Parameters(invitation.person_param, invitation.task_param, invitation.session_param)


def return_when_finished(rater: Rater) -> PlatformReturn | None:
    """Where a rater goes for whom nothing is left; None for those who came from no platform.

    The code for finished work is for those who have done some.
    """
    identity = _identity(rater)
    if identity is None:
        return None
    entry = _entry(identity)
    done = rater.assignments.filter(purpose=Purpose.MAIN, submitted_at__isnull=False).exists()
    if entry.platform is not Platform.MTURK:
        return _by_address(identity.invitation, entry, done=done)
    if not done:
        return PlatformReturn("Mechanical Turk")
    return PlatformReturn("Mechanical Turk", submit_address(entry), fields=_finished_work(entry, rater))


def return_without_participation(invitation: Invitation, entry: Entry | None) -> PlatformReturn | None:
    """Where somebody goes who does not agree, or comes when nothing is left."""
    if entry is None:
        return None
    if entry.platform is Platform.MTURK:
        return PlatformReturn("Mechanical Turk")
    return _by_address(invitation, entry, done=False)


def return_when_screened_out(rater: Rater) -> PlatformReturn | None:
    """Where a rater goes who has not qualified; None for those who came from no platform."""
    identity = _identity(rater)
    return None if identity is None else return_without_participation(identity.invitation, _entry(identity))


def _identity(rater: Rater) -> PlatformIdentity | None:
    return PlatformIdentity.objects.select_related("invitation").filter(rater=rater).first()


def _entry(identity: PlatformIdentity) -> Entry:
    return Entry(
        Platform(identity.platform), identity.person, identity.task, identity.session, identity.submit_to
    )


def _by_address(invitation: Invitation, entry: Entry, *, done: bool) -> PlatformReturn:
    code = invitation.completion_code if done else invitation.screenout_code
    template = invitation.completion_url if done else invitation.screenout_url
    if entry.platform is Platform.PROLIFIC:
        template = PROLIFIC_COMPLETION if code else ""
    name = "Prolific" if entry.platform is Platform.PROLIFIC else ""
    return PlatformReturn(name, completion_address(template, entry, code), code)


def _finished_work(entry: Entry, rater: Rater) -> dict[str, str]:
    answered = rater.assignments.filter(purpose__in=SEQUENCE, submitted_at__isnull=False).count()
    return {"assignmentId": entry.session, "rater": rater.code, "answers": str(answered)}
