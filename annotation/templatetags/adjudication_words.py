"""Rules of adjudication and what they found, in words."""

from __future__ import annotations

from django import template
from django.utils.translation import gettext as _

from annotation.selectors.adjudication.queue import Reason

register = template.Library()

REASONS = {
    "too_few_items": "fewer than 3 items",
    "no_variance": "one of the two does not vary",
    "nothing_marked": "nothing is marked",
}


@register.filter
def rule_words(rule: str) -> str:
    """What a rule looks for."""
    names = {
        "all_differ": _("all differ"),
        "no_majority": _("no majority"),
        "spread": _("far apart on the scale"),
        "overlap": _("marks overlap little"),
        "hand_picked": _("picked by hand"),
    }
    return names.get(rule, rule)


@register.filter
def dispute_words(dispute: Reason) -> str:
    """What was found, with the bound that was asked for."""
    found = dispute.detail
    if dispute.over:
        return _("%(rule)s (no longer)") % {"rule": rule_words(dispute.rule)}
    if dispute.rule == "spread":
        return _("%(found)g points apart") % {"found": found["found"]}
    if dispute.rule == "overlap":
        told = _("overlap F1 %(found).2f, below %(below)g") % {
            "found": found["found"],
            "below": found["below"],
        }
        return f"{found['part']}: {told}" if found.get("part") else told
    if dispute.rule == "all_differ":
        return str(_("all %(raters)d differ") % found)
    if dispute.rule == "no_majority":
        return str(_("no majority among %(raters)d") % found)
    return rule_words(dispute.rule)


@register.filter
def reason_words(reason: str) -> str:
    """Why there is no figure."""
    return _(REASONS[reason]) if reason in REASONS else reason
