"""The rule by which a rater's part in a study has ended."""

from __future__ import annotations

from annotation.domain.base.platforms import Outcome
from annotation.domain.base.states import RaterState


def decide_outcome(
    state: RaterState, *, is_excluded: bool, has_answered: bool, failed_checks: int, failed_from: int | None
) -> Outcome | None:
    """How a rater's part has ended; None while it has not.

    Parameters
    ----------
    state : RaterState
        `FINISHED` where nothing is left for the rater.
    is_excluded : bool
        Whether the research team has taken them out: their part is over, and never counts as finished.
    has_answered : bool
        Whether they have answered an item that counts.
    failed_checks : int
        How many attention checks they failed.
    failed_from : int or None
        From how many on a rater has failed the checks; None where nobody does.
    """
    if state == RaterState.WITHDRAWN:
        return Outcome.NO_CONSENT
    if state == RaterState.FAILED:
        return Outcome.SCREENED_OUT
    if state != RaterState.FINISHED and not is_excluded:
        return None
    if failed_from is not None and failed_checks >= failed_from:
        return Outcome.FAILED_CHECKS
    return Outcome.FINISHED if has_answered and not is_excluded else Outcome.SCREENED_OUT
