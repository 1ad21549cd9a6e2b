"""Words for rules of adjudication and their results."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import template
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from annotation.selectors.adjudication.case_table import CaseRow
from annotation.selectors.adjudication.queue import QueuePlace, QueueView, Reason
from annotation.templatetags.rater_words import named

register = template.Library()

REASONS = {
    "too_few_items": gettext_lazy("fewer than 3 items"),
    "no_variance": gettext_lazy("no variance"),
    "nothing_marked": gettext_lazy("no spans marked"),
}


@register.filter
def rule_words(rule: str) -> str:
    """What a rule finds."""
    names = {
        "all_differ": _("all differ"),
        "no_majority": _("no majority"),
        "spread": _("large difference on the scale"),
        "overlap": _("spans share few characters"),
        "hand_picked": _("selected manually"),
    }
    return names.get(rule, rule)


@register.filter
def dispute_words(dispute: Reason) -> str:
    """What a rule found, with its threshold."""
    found = dispute.detail
    if dispute.over:
        return _("%(rule)s (no longer)") % {"rule": rule_words(dispute.rule)}
    if dispute.rule == "spread":
        ratio, difference = (
            _("greatest number %(found)g times the least"),
            _("difference of %(found)g on the scale"),
        )
        return (ratio if found.get("ratio") else difference) % {"found": found["found"]}
    if dispute.rule == "overlap":
        return _overlap_words(found)
    if dispute.rule == "all_differ":
        return (
            ngettext("all %(raters)d rater differs", "all %(raters)d raters differ", found["raters"]) % found
        )
    if dispute.rule == "no_majority":
        sentence = ngettext(
            "no majority of %(raters)d rater", "no majority of %(raters)d raters", found["raters"]
        )
        return sentence % found
    return rule_words(dispute.rule)


@register.filter
def agreement_words(row: CaseRow) -> str:
    """How far the responses to a criterion agree."""
    if row.n_answers < 2:
        return _("in dispute") if row.disputed else ""
    if row.low is not None and row.high is not None and row.differs:
        span = {"low": f"{row.low:g}", "high": f"{row.high:g}"}
        if row.disputed:
            return _("%(low)s to %(high)s, in dispute") % span
        return _("%(low)s to %(high)s, no reason for this case") % span
    if row.disputed:
        return _("in dispute")
    return _("answers differ") if row.differs else _("all agree")


@register.filter
def place_words(place: QueuePlace, view: QueueView) -> str:
    """Which case of how many a page shows."""
    numbers = {"number": place.number, "total": place.total}
    if not place.number and not view.parts():
        return ngettext("%(n)d case to decide", "%(n)d cases to decide", place.total) % {"n": place.total}
    if not place.number:
        return ngettext("%(total)d case in this list", "%(total)d cases in this list", place.total) % numbers
    if view.parts():
        return _("Case %(number)d of %(total)d in this list") % numbers
    return _("Case %(number)d of %(total)d to decide") % numbers


@register.filter
def decided_how(verdict: Any) -> str:
    """Whether a final answer was copied or written; the verdict is one of `queue_rows`."""
    if verdict.cannot_rate:
        return _("can’t rate")
    if verdict.n_copied and verdict.n_written:
        return _("copied and changed")
    return _("copied") if verdict.n_copied else _("written by the adjudicator")


def _overlap_words(found: Mapping[str, Any]) -> str:
    """The share of characters in common, with the component if there is one."""
    if found.get("part"):
        return _("%(part)s: shared characters (F1) %(found).2f, below %(below)g") % found
    return _("shared characters (F1) %(found).2f, below %(below)g") % found


@register.filter
def reason_words(reason: str) -> str:
    """The reason for a missing statistic."""
    return named(REASONS, reason)
