"""Words on the pages of accounts."""

from __future__ import annotations

from django import template
from django.conf import settings
from django.utils.translation import gettext as _

from annotation.selectors.people.site_accounts import has_institution_only

register = template.Library()
register.filter(has_institution_only)


@register.simple_tag
def institution_label() -> str:
    """The label of the link to the institution; empty if none is set up."""
    if settings.INSTITUTION is None:
        return ""
    return settings.INSTITUTION.label or _("Sign in with your institution")
