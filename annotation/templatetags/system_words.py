"""Times and sizes of the system page in words."""

from __future__ import annotations

from datetime import datetime, timedelta

from django import template
from django.utils.translation import gettext as _

from annotation.selectors.base.worker_words import for_how_long

register = template.Library()


@register.filter
def ago(at: datetime, now: datetime) -> str:
    """How long ago: “3 seconds ago”."""
    return _("%(span)s ago") % {"span": for_how_long(now - at)}


@register.filter
def since(at: datetime, now: datetime) -> str:
    """How long it has been: “22 minutes”."""
    return for_how_long(now - at)


@register.filter
def span(length: timedelta) -> str:
    return for_how_long(length)


@register.filter
def part_words(part: str) -> str:
    """What a part of the disk holds."""
    words = {
        "database": _("Database"),
        "uploads": _("Uploaded files and bundles"),
        "knowledge": _("Knowledge bases"),
        "models": _("Models"),
        "logs": _("Logs"),
        "static": _("Style sheets and scripts"),
    }
    return words.get(part, part)
