"""Studies of questions with options, their raters over HTTP, and their reports."""

from __future__ import annotations

import html
import re
import uuid
from collections.abc import Callable
from typing import Any

from django.test import Client
from django.urls import reverse

from annotation.domain.base.states import StudyState
from annotation.models import Item, Study, User
from annotation.protocols.registry import TEMPLATES
from annotation.services.base.jobs import claim
from annotation.services.people.invitations import invite
from annotation.services.studies.lifecycle import change_state, create_from_template
from scoring.models import Report
from scoring.services.reports.reliability import compute_report, request_report

OPTION = re.compile(r'name="answer-(\w+)" value="(\w+)"[^>]*>\s*<span[^>]*>([^<]*)<')
HIDDEN = re.compile(r'name="(submission_key|version|assignment|seen_revision)" value="([^"]*)"')


def draft(protocol: str, *, overlap: int = 1, slug: str = "choices") -> Study:
    """A draft without items, and its owner."""
    owner, _ = User.objects.get_or_create(email="owner@example.org")
    template = TEMPLATES[protocol]
    return create_from_template(
        template=template, slug=slug, title=template.title, owner=owner, overlap=overlap, seed=42
    )


def opened(study: Study) -> Study:
    owner = User.objects.get(email="owner@example.org")
    return change_state(study=study, to=StudyState.OPEN, actor=owner)


def joined(study: Study) -> tuple[Client, str]:
    """A rater's browser, and the address of their first page."""
    link = reverse(
        "join", args=[invite(study=study, actor=User.objects.get(email="owner@example.org")).token]
    )
    client = Client()
    key = client.get(link).context["join_key"]
    agreed = client.post(link, {"agree": "yes", "join_key": key}, follow=True)
    return client, agreed.redirect_chain[-1][0]


Chooser = Callable[[Item, dict[str, str]], dict[str, str]]


def answer_all(client: Client, address: str, choose: Chooser, *, most: int = 10_000) -> list[int]:
    """Answer page after page as `choose` says, who is shown the item and its options by value.

    What it returns is sent with the page; where the page comes back it is asked again, with no options.
    Returns the status of every answer.
    """
    statuses = []
    for _ in range(most):
        shown = client.get(address)
        if shown.status_code != 200 or "assignment" not in shown.context:
            break
        text = shown.content.decode()
        item = Item.objects.get(assignments__pk=shown.context["assignment"])
        options = {value: html.unescape(label) for _, value, label in OPTION.findall(text)}
        sent = {**dict(HIDDEN.findall(text)), **choose(item, options)}
        answer = client.post(address, sent)
        statuses.append(answer.status_code)
        if answer.status_code == 422:
            again = {**sent, "submission_key": str(uuid.uuid4()), **choose(item, {})}
            answer = client.post(address, again)
            statuses.append(answer.status_code)
        address = answer.headers["Location"]
    return statuses


def report_of(study: Study, *, replicates: int = 50, **asked: Any) -> Report:
    lease = claim(
        job_id=request_report(study=study, actor=None, replicates=replicates, announce=False, **asked).pk
    )
    assert lease is not None
    return compute_report(lease=lease)
