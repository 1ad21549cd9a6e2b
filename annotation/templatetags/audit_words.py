"""Entries of the audit log in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import template
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.models import AuditEntry

register = template.Library()
LESS_THAN_A_MINUTE, IN_MINUTES = 45, 5400


@register.filter
def act_words(act: str) -> str:
    """`change_state` → `change state`."""
    return act.replace("_", " ")


@register.filter
def actor_words(entry: AuditEntry) -> str:
    """Who did it: an account, a rater who withdrew, or nobody in particular."""
    if entry.actor is not None:
        return str(entry.actor)
    if entry.study_id is None:
        return _("Groundwork or a command")
    return str(entry.detail.get("rater", "–")) if entry.act == "withdraw" else "–"


@register.filter
def job_words(kind: str) -> str:
    """What a job makes."""
    words = {
        "metrics": _("Comparison of metrics and systems"),
        "comparison": _("Comparison of two metrics"),
        "exclusion_preview": _("Preview of an exclusion rule"),
        "multiverse": _("Exclusion rules side by side"),
        "item_figures": _("Figures of items and raters"),
        "reliability": _("Reliability"),
        "score": _("Scores"),
        "score_file": _("Scores of a file"),
        "corpus": _("Curve by the size of the corpus"),
        "bundle": _("Data bundle"),
        "replication": _("Replication"),
        "import_items": _("Import of items"),
        "import_scores": _("Import of scores"),
        "read_upload": _("Reading a sent file"),
        "webhook": _("Notice to a webhook"),
        "nightly": _("Erasing what has expired"),
    }
    return words.get(kind, act_words(kind).capitalize())


@register.filter
def left_words(seconds: int) -> str:
    """About how long a job still takes."""
    if seconds < LESS_THAN_A_MINUTE:
        return _("less than a minute left")
    if seconds < IN_MINUTES:
        minutes = round(seconds / 60)
        return ngettext("about %(n)d minute left", "about %(n)d minutes left", minutes) % {"n": minutes}
    hours = round(seconds / 3600)
    return ngettext("about %(n)d hour left", "about %(n)d hours left", hours) % {"n": hours}


@register.filter
def detail_words(detail: Mapping[str, Any]) -> str:
    """The details that say something, as `name: value` pairs."""
    said = {name: value for name, value in detail.items() if value not in ("", None, [])}
    return "; ".join(f"{act_words(name)}: {_value(value)}" for name, value in said.items())


def _value(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
