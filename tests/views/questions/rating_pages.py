"""The pages of a rater who has joined a study made from a protocol."""

from __future__ import annotations

import uuid

from django.test import Client
from django.urls import reverse

from annotation.domain.base.states import StudyState
from annotation.models import Assignment, User
from annotation.protocols.registry import TEMPLATES
from annotation.protocols.template import StudyTemplate
from annotation.services.people.invitations import invite
from annotation.services.studies.demo_studies import create_demo_study
from annotation.services.studies.lifecycle import change_state


def joined(protocol: str | StudyTemplate) -> tuple[Client, Assignment]:
    """A rater, and their first page."""
    template = TEMPLATES[protocol] if isinstance(protocol, str) else protocol
    owner = User.objects.create_user("owner@example.org", "simile-and-metaphor-42")
    study = create_demo_study(template=template, slug="demo", title="Demo", owner=owner)
    study = change_state(study=study, to=StudyState.OPEN, actor=owner)
    client = Client()
    link = reverse("join", args=[invite(study=study, actor=owner).token])
    key = client.get(link).context["join_key"]
    client.post(link, {"agree": "yes", "join_key": key}, follow=True)
    return client, Assignment.objects.get(submitted_at=None, position=1)


def save(client: Client, page: Assignment, **fields):
    sent = {
        "submission_key": str(uuid.uuid4()),
        "assignment": page.pk,
        "version": page.version_id,
        **{name.replace("__", "."): value for name, value in fields.items()},
    }
    return client.post(reverse("rate-assignment", args=["demo", page.pk]), sent)


def shown(client: Client, page: Assignment) -> str:
    return client.get(reverse("rate-assignment", args=["demo", page.pk])).content.decode()
