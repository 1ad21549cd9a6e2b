"""A rater who has joined a study with media, and the addresses of its files."""

from __future__ import annotations

from django.test import Client

from annotation.models import Rater
from annotation.services.people.invitations import invite
from annotation.services.rating.enrolment import consent
from annotation.views.rating.media.addresses import Grant
from tests.support.people import Cast


def joined(cast: Cast) -> tuple[Client, Rater]:
    rater = consent(invitation=invite(study=cast.study, actor=cast.users["admin"], label="x"), user=None)
    client = Client()
    session = client.session
    session["raters"] = {str(cast.study.pk): rater.pk}
    session.save()
    return client, rater


def address(cast: Cast, grant: Grant) -> str:
    return f"/rate/{cast.slug}/media/{grant.token}/"
