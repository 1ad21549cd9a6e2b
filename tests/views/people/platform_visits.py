"""Links for crowd platforms, and people who come by them."""

from __future__ import annotations

from django.test import Client
from django.urls import reverse

from annotation.domain.base.platforms import Platform
from annotation.models import Invitation
from annotation.services.people.invitations import invite
from tests.support.people import Cast

PROLIFIC = {"PROLIFIC_PID": "person-one", "STUDY_ID": "study", "SESSION_ID": "first"}


def link(cast: Cast, platform: Platform, **ways) -> Invitation:
    return invite(study=cast.study, actor=cast.users["admin"], platform=platform, **ways)


def come(invitation: Invitation, given: dict[str, str], client: Client | None = None):
    browser = client or Client()
    address = reverse("join", args=[invitation.token])
    query = "&".join(f"{name}={value}" for name, value in given.items())
    shown = browser.get(f"{address}?{query}")
    if shown.status_code != 200 or "I agree – start" not in shown.content.decode():
        return browser, shown
    return browser, browser.post(f"{address}?{query}", {"join_key": shown.context["join_key"]})
