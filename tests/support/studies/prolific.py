"""Raters who come from Prolific."""

from __future__ import annotations

from annotation.domain.base.platforms import Entry, Platform
from annotation.models import Rater
from annotation.services.rating.enrolment import consent
from tests.support.people import Cast


def came(cast: Cast, person: str) -> Rater:
    """A rater who came from Prolific under an ID and agreed."""
    entry = Entry(Platform.PROLIFIC, person, "abc", f"session-{person}")
    return consent(invitation=cast.invitation, entry=entry)
