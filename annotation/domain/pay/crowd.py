"""Studies on crowd platforms: the offer of each platform, and the rules that propose a decision."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from annotation.domain.base.messages import message
from annotation.domain.base.platforms import Outcome, Platform

# Statuses of a submission, as Prolific documents them; those of other platforms are read as these.
AWAITING_REVIEW = "AWAITING REVIEW"
APPROVED = "APPROVED"
RETURNED = "RETURNED"
SCREENED_OUT = "SCREENED OUT"
REJECTED = "REJECTED"
UNPUBLISHED = "UNPUBLISHED"
# The kinds of the jobs that call a platform: about submissions, and about the account and the study there.
SUBMISSIONS_JOB = "crowd_submissions"
STUDY_JOB = "crowd_study"
LONGEST_REASON = 200


class Decision(StrEnum):
    """What a member can do with a submission that awaits review."""

    APPROVE = "approve"
    RETURN = "return"
    SCREEN_OUT = "screen_out"
    REJECT = "reject"


class DecisionState(StrEnum):
    """The progress of a decision; in doubt if no answer came, and then never sent again automatically.

    `SENDING` is stored before the call, so that nothing is decided again while it is under way.
    """

    WAITING = "waiting"
    SENDING = "sending"
    SENT = "sent"
    DONE = "done"
    REFUSED = "refused"
    IN_DOUBT = "in_doubt"


DECISIONS: Mapping[str, str] = {
    Decision.APPROVE: message("approve"),
    Decision.RETURN: message("ask for return"),
    Decision.SCREEN_OUT: message("screen out"),
    Decision.REJECT: message("reject"),
}
DECISION_STATES: Mapping[str, str] = {
    DecisionState.WAITING: message("waiting to be sent"),
    DecisionState.SENDING: message("being sent"),
    DecisionState.SENT: message("sent"),
    DecisionState.DONE: message("done"),
    DecisionState.REFUSED: message("refused by the platform"),
    DecisionState.IN_DOUBT: message("in doubt"),
}


@dataclass(frozen=True)
class Offer:
    """What a platform offers for our studies.

    Parameters
    ----------
    name : str
        As people know it.
    currencies : tuple of str
        In which it pays.
    decisions : tuple of Decision
        What can be done with a submission there.
    has_codes : bool
        Whether people enter a completion code there.
    """

    name: str
    currencies: tuple[str, ...]
    decisions: tuple[Decision, ...]
    has_codes: bool


OFFERS: Mapping[Platform, Offer] = {
    Platform.PROLIFIC: Offer(
        "Prolific",
        ("GBP", "USD"),
        (Decision.APPROVE, Decision.RETURN, Decision.SCREEN_OUT),
        has_codes=True,
    ),
    Platform.MTURK: Offer("Mechanical Turk", ("USD",), (Decision.APPROVE, Decision.REJECT), has_codes=False),
}

# In these states another decision is possible. In the others one is being sent, or has taken effect.
UNDECIDED = ("", DecisionState.REFUSED, DecisionState.IN_DOUBT)

# Text for a person on Prolific who is asked to return a submission.
RETURN_REASONS: Mapping[Outcome | None, str] = {
    None: "Did not finish study.",
    Outcome.NO_CONSENT: "Withdrew consent.",
    Outcome.SCREENED_OUT: "Did not meet the requirements of this study.",
    Outcome.FAILED_CHECKS: "Failed attention checks.",
    Outcome.FINISHED: "Asked by the research team.",
}


class Reason(StrEnum):
    """The reason for a proposal about a submission, or for making none."""

    FINISHED = "finished"
    FINISHED_OTHER_CODE = "finished_other_code"
    FINISHED_WITHOUT_CODES = "finished_without_codes"
    EXCLUDED = "excluded"
    FAILED_CHECKS = "failed_checks"
    SCREENED_OUT = "screened_out"
    NO_CONSENT = "no_consent"
    NOT_FINISHED = "not_finished"
    UNMATCHED = "unmatched"


REASONS: Mapping[str, str] = {
    Reason.FINISHED: message("Finished here, with the completion code of the link."),
    Reason.FINISHED_OTHER_CODE: message("Finished here, but with another completion code."),
    Reason.FINISHED_WITHOUT_CODES: message("Finished here."),
    Reason.EXCLUDED: message("Excluded after working. The work stays paid."),
    Reason.FAILED_CHECKS: message("Failed too many attention checks. Decide yourself."),
    Reason.SCREENED_OUT: message("Screened out before working."),
    Reason.NO_CONSENT: message("Did not agree, or withdrew."),
    Reason.NOT_FINISHED: message("Not finished here."),
    Reason.UNMATCHED: message("No rater of this study has this ID. Decide yourself."),
}


@dataclass(frozen=True)
class Participation:
    """The participation of the person who made a submission.

    Parameters
    ----------
    outcome : Outcome or None
        How the participation ended; None while it continues.
    has_answered, is_excluded : bool
        Whether they have answered an item that counts, and whether the research team excluded them.
    codes : mapping of Outcome to str
        The codes of the link by which they joined.
    """

    outcome: Outcome | None
    has_answered: bool
    is_excluded: bool
    codes: Mapping[Outcome, str]


@dataclass(frozen=True)
class Proposal:
    """A proposal of the rules; `decision` is None where a member has to decide without a proposal."""

    decision: Decision | None
    reason: Reason


def propose(
    participation: Participation | None, *, code: str, offer: Offer, can_screen_out: bool = False
) -> Proposal:
    """Propose a decision about a submission that awaits review, among those that the platform offers.

    Parameters
    ----------
    participation : Participation or None
        None if no rater has the ID.
    code : str
        The completion code that the person entered on the platform; empty for none.
    offer : Offer
        Of the platform.
    can_screen_out : bool
        Whether the study there has a code for a paid screen-out.
    """
    found = _by_outcome(participation, code if offer.has_codes else None, can_screen_out=can_screen_out)
    return found if found.decision in offer.decisions else Proposal(None, found.reason)


def _by_outcome(participation: Participation | None, code: str | None, *, can_screen_out: bool) -> Proposal:
    if participation is None:
        return Proposal(None, Reason.UNMATCHED)
    outcome = participation.outcome
    if outcome is Outcome.FAILED_CHECKS:
        return Proposal(None, Reason.FAILED_CHECKS)
    if outcome in {None, Outcome.NO_CONSENT}:
        reason = Reason.NOT_FINISHED if outcome is None else Reason.NO_CONSENT
        return Proposal(Decision.RETURN, reason)
    if outcome is Outcome.SCREENED_OUT and not participation.has_answered:
        return Proposal(Decision.SCREEN_OUT if can_screen_out else Decision.RETURN, Reason.SCREENED_OUT)
    return Proposal(Decision.APPROVE, _reason_to_approve(participation, code))


def _reason_to_approve(participation: Participation, code: str | None) -> Reason:
    if participation.is_excluded:
        return Reason.EXCLUDED
    if code is None:
        return Reason.FINISHED_WITHOUT_CODES
    expected = participation.codes.get(Outcome.FINISHED, "")
    as_expected = not expected or code.strip() == expected
    return Reason.FINISHED if as_expected else Reason.FINISHED_OTHER_CODE


def raters_to_fill(*, open_slots: int, pages_per_rater: int) -> int:
    """How many raters it takes to fill open rating slots, each with so many pages; 0 if no rater can join.

    Parameters
    ----------
    open_slots, pages_per_rater : int
        Rating slots that are neither filled nor reserved, and the items that one new rater is given.
    """
    if open_slots <= 0 or pages_per_rater <= 0:
        return 0
    return -(-open_slots // pages_per_rater)
