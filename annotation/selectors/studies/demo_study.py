"""The demo study: the only one of which people without an account see anything."""

from __future__ import annotations

from annotation.domain.base.states import Role
from annotation.models import Study

SLUG = "everyday-similes"
OWNER = "owner@example.org"


def public_demo() -> Study | None:
    """The demo study of this installation, where it has one.

    A study of another owner that has the demo’s address by chance is not the demo.
    """
    owned = Study.objects.filter(memberships__role=Role.OWNER, memberships__user__email=OWNER)
    return owned.filter(slug=SLUG, simulated=True).first()
