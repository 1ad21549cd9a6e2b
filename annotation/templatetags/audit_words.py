"""Words for entries of the audit log and for jobs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import template
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.domain.base.states import JobState
from annotation.models import AuditEntry

register = template.Library()
LESS_THAN_A_MINUTE, IN_MINUTES = 45, 5400


@register.filter
def act_words(act: str) -> str:
    """`change_state` → `change state`."""
    return act.replace("_", " ")


@register.filter
def actor_words(entry: AuditEntry) -> str:
    """Who acted: an account, a rater who withdrew, or the program."""
    if entry.actor is not None:
        return str(entry.actor)
    if entry.study_id is None:
        return _("Groundwork or a command-line user")
    return str(entry.detail.get("rater", "–")) if entry.act == "withdraw" else "–"


@register.filter
def job_words(kind: str) -> str:
    """The name of a kind of job."""
    words = {
        "metrics": _("Comparison of metrics and systems"),
        "comparison": _("Comparison of two metrics"),
        "exclusion_preview": _("Preview of an exclusion rule"),
        "multiverse": _("Multiverse table"),
        "item_figures": _("Statistics of items and raters"),
        "reliability": _("Reliability"),
        "score": _("Scores"),
        "score_file": _("Scores for a file"),
        "corpus": _("Results by corpus size"),
        "bundle": _("Data bundle"),
        "replication": _("Replication"),
        "import_items": _("Item import"),
        "import_scores": _("Score import"),
        "read_upload": _("Reading an uploaded file"),
        "webhook": _("Webhook message"),
        "nightly": _("Erasing expired data"),
    }
    return words.get(kind, act_words(kind).capitalize())


@register.filter
def job_state_words(state: str) -> str:
    """The name of a state of a job."""
    words = {
        JobState.QUEUED: _("queued"),
        JobState.RUNNING: _("running"),
        JobState.DONE: _("done"),
        JobState.FAILED: _("failed"),
        JobState.CANCELLED: _("stopped"),
    }
    return words[JobState(state)]


@register.filter
def left_words(seconds: int) -> str:
    """The estimated time left of a job."""
    if seconds < LESS_THAN_A_MINUTE:
        return _("less than a minute left")
    if seconds < IN_MINUTES:
        minutes = round(seconds / 60)
        return ngettext("about %(n)d minute left", "about %(n)d minutes left", minutes) % {"n": minutes}
    hours = round(seconds / 3600)
    return ngettext("about %(n)d hour left", "about %(n)d hours left", hours) % {"n": hours}


@register.filter
def detail_words(detail: Mapping[str, Any]) -> str:
    """The details that are not empty, as `name: value` pairs."""
    said = {name: value for name, value in detail.items() if value not in ("", None, [])}
    return "; ".join(f"{act_words(name)}: {_value(value)}" for name, value in said.items())


def _value(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
