"""Applying an exclusion rule as it was previewed, and lifting it again."""

from __future__ import annotations

from annotation.domain.base.errors import NotAllowedNow
from annotation.domain.base.messages import message
from annotation.models import ExclusionRule, User
from annotation.services.quality.exclusion_rules import apply_rule, lift_rule
from scoring.selectors.raters.rules import is_fresh, latest_preview
from scoring.services.raters.item_figures import request_figures


def apply_as_previewed(*, rule: ExclusionRule, actor: User) -> int:
    """Exclude what the newest preview of a rule caught, and request new figures of items.

    Parameters
    ----------
    rule : ExclusionRule
        The rule, its study loaded.
    actor : User
        User who decides.

    Returns
    -------
    int
        Exclusions made.

    Raises
    ------
    NotAllowedNow
        There is no preview of the present data (`preview_stale`), or nothing is caught that the rule does
        not exclude already (`nothing_caught`).
    """
    preview = latest_preview(rule)
    if preview is None or not is_fresh(rule, preview):
        raise NotAllowedNow(
            message("The data have changed since the preview. Preview the rule again, then apply it."),
            code="preview_stale",
        )
    excluded = apply_rule(rule=rule, actor=actor, **preview.tables["caught"])
    request_figures(study=rule.study, actor=actor)
    return excluded


def lift_and_request_figures(*, rule: ExclusionRule, reason: str, actor: User) -> int:
    """Lift the exclusions of a rule, and request new figures of items.

    Parameters
    ----------
    rule, reason, actor
        As for `lift_rule`.

    Returns
    -------
    int
        Exclusions lifted.

    Raises
    ------
    InvalidContent
        No reason is given (`no_reason`).
    NotAllowedNow
        No exclusion of the rule is active (`nothing_to_lift`).
    """
    lifted = lift_rule(rule=rule, reason=reason, actor=actor)
    request_figures(study=rule.study, actor=actor)
    return lifted
