"""The rule for the outcome of a rater’s participation."""

from __future__ import annotations

from annotation.domain.base.platforms import Outcome
from annotation.domain.base.states import RaterState


def decide_outcome(
    state: RaterState, *, is_excluded: bool, has_answered: bool, failed_checks: int, failed_from: int | None
) -> Outcome | None:
    """The outcome of a rater’s participation; None while it continues.

    Parameters
    ----------
    state : RaterState
        `FINISHED` if nothing is left for the rater.
    is_excluded : bool
        Whether the research team has excluded the rater, who then never counts as finished.
    has_answered : bool
        Whether they have answered an item that counts.
    failed_checks : int
        Number of failed attention checks.
    failed_from : int or None
        Number of failed checks from which on the outcome is `FAILED_CHECKS`; None for no limit.
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
