"""Reasons why an item could not be rated, in words."""

from __future__ import annotations

from django import template
from django.utils.translation import gettext as _

register = template.Library()


@register.filter
def cannot_rate_words(reason: str) -> str:
    """Say what a reason code means; a reason that an imported file gave stays as it is."""
    return {"lacks_context": _("not enough context"), "other": _("another reason")}.get(reason, reason)
