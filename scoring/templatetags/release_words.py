"""Words for releases."""

from __future__ import annotations

from typing import Any

from django import template
from django.utils.translation import gettext as _

from annotation.models import Release

register = template.Library()


@register.filter
def parts(release: Release) -> list[dict[str, Any]]:
    """Items, raters, responses, ratings and figures of a release, each with its number and changes."""
    names = {
        "items": _("Items"),
        "raters": _("Raters"),
        "responses": _("Responses"),
        "ratings": _("Ratings"),
        "figures": _("Statistics"),
        "judgements": _("Answers of automatic judges"),
    }
    return [
        {"name": name, "number": release.counts.get(key, 0), "change": release.difference.get(key)}
        for key, name in names.items()
        if key != "judgements" or key in release.counts or key in release.difference
    ]
