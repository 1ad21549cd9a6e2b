"""The return of raters to their crowd platform."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from annotation.domain.base.platforms import (
    FIELDS,
    PARAMETERS,
    PROLIFIC_COMPLETION,
    Entry,
    Outcome,
    Parameters,
    Platform,
    completion_address,
    submit_address,
)
from annotation.domain.base.states import SEQUENCE
from annotation.models import Invitation, PlatformIdentity, Rater
from annotation.selectors.people.outcomes import outcome_of, with_outcomes

# A task on Mechanical Turk is submitted with work to be paid or reviewed, and returned without any.
WORK_WAS_DONE = frozenset({Outcome.FINISHED, Outcome.FAILED_CHECKS})


@dataclass(frozen=True)
class PlatformReturn:
    """How a rater returns: an address to follow or, with `fields`, to post to; or a code to type."""

    platform: str
    outcome: Outcome
    address: str = ""
    code: str = ""
    fields: Mapping[str, str] = field(default_factory=dict)


def parameters_of(invitation: Invitation) -> Parameters:
    """What the platform of a link calls its parameters."""
    built_in = PARAMETERS.get(Platform(invitation.platform))
    return built_in or Parameters(invitation.person_param, invitation.task_param, invitation.session_param)


def return_of(rater: Rater, *, nothing_left: bool = False) -> PlatformReturn | None:
    """The return of a rater whose participation has ended; None for others and without a platform.

    With `nothing_left` it ends now.
    """
    identity = PlatformIdentity.objects.select_related("invitation").filter(rater=rater).first()
    if identity is None:
        return None
    found = with_outcomes(Rater.objects.filter(pk=rater.pk)).get()
    outcome = outcome_of(found, nothing_left=nothing_left)
    if outcome is None:
        return None
    entry = Entry(
        Platform(identity.platform), identity.person, identity.task, identity.session, identity.submit_to
    )
    if entry.platform is Platform.MTURK and outcome in WORK_WAS_DONE:
        fields = _finished_work(entry, rater, outcome)
        return PlatformReturn("Mechanical Turk", outcome, submit_address(entry), fields=fields)
    return return_with(identity.invitation, entry, outcome)


def return_with(invitation: Invitation, entry: Entry | None, outcome: Outcome) -> PlatformReturn | None:
    """The return for an outcome, with the code of that outcome if there is one."""
    if entry is None:
        return None
    if entry.platform is Platform.MTURK:
        return PlatformReturn("Mechanical Turk", outcome)
    code: str = getattr(invitation, f"{FIELDS[outcome]}_code")
    template: str = getattr(invitation, f"{FIELDS[outcome]}_url")
    if entry.platform is Platform.PROLIFIC:
        template = PROLIFIC_COMPLETION
    name = "Prolific" if entry.platform is Platform.PROLIFIC else ""
    return PlatformReturn(name, outcome, completion_address(template, entry, code), code)


def _finished_work(entry: Entry, rater: Rater, outcome: Outcome) -> dict[str, str]:
    answered = rater.assignments.filter(purpose__in=SEQUENCE, submitted_at__isnull=False).count()
    return {
        "assignmentId": entry.session,
        "rater": rater.code,
        "answers": str(answered),
        "outcome": outcome.value,
    }
