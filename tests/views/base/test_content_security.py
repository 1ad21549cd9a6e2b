"""What a user writes is text wherever it is shown, and no page runs a script that is not ours."""

from __future__ import annotations

import uuid

import pytest
from django.test import Client
from django.urls import reverse

from annotation.domain.questions.answers import Submission
from annotation.models import Study
from annotation.services.rating.enrolment import consent
from annotation.services.rating.next_item import next_assignment, open_assignment
from annotation.services.rating.submission import submit
from tests.support.people import Cast, make_cast

pytestmark = pytest.mark.django_db

MARKUP = "<script>alert('stolen')</script><img src=x onerror=alert(1)>"


@pytest.fixture
def cast() -> Cast:
    return make_cast()


@pytest.fixture
def owner(cast: Cast, client: Client) -> Client:
    client.force_login(cast.users["owner"])
    return client


def test_a_remark_and_a_title_are_text_on_the_pages_of_members(cast: Cast, owner: Client) -> None:
    assignment = open_assignment(assignment=next_assignment(rater=consent(invitation=cast.invitation)))
    answers = {"quality": "2", "creativity": "3"}
    submission = Submission(page_key=uuid.uuid4(), answers=answers, remark=MARKUP)
    submit(assignment=assignment, version=assignment.version, submission=submission)
    Study.objects.update(title=MARKUP)
    pages = [
        reverse("study-rater", args=[cast.slug, assignment.rater.code]),
        reverse("study-item", args=[cast.slug, assignment.item.key]),
        reverse("study", args=[cast.slug]),
        reverse("home"),
    ]
    shown = [owner.get(page).content.decode() for page in pages]
    assert [page.count("&lt;script&gt;alert(") > 0 for page in shown] == [True] * len(pages)
    assert not any("<script>alert(" in page or "<img src=x" in page for page in shown)


def test_pages_run_only_our_own_scripts_and_send_forms_only_here(cast: Cast, owner: Client) -> None:
    addresses = [
        reverse("home"),
        reverse("study", args=[cast.slug]),
        reverse("join", args=[cast.invitation.token]),
        "/account/login/",
        "/nowhere/",
    ]
    for address in addresses:
        headers = owner.get(address).headers
        policy = dict(part.strip().split(" ", 1) for part in headers["Content-Security-Policy"].split(";"))
        assert policy.get("script-src", policy["default-src"]) == "'self'", address
        assert policy["form-action"].split()[0] == "'self'", address
        assert headers["X-Content-Type-Options"] == "nosniff", address
