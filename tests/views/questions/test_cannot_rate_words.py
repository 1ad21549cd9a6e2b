"""Why an item could not be rated is shown in words on every page, never as its code."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Response
from annotation.services.adjudication.case_selection import send_items
from annotation.services.adjudication.decisions import write
from tests.support.studies.adjudication_study import cases_of, make_case_study, owner_of, sent
from tests.views.questions.form_pages import client_of, form_url

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("place", ["case", "decision", "rater", "item"])
def test_a_page_says_what_is_missing_and_shows_no_code(place: str) -> None:
    study = make_case_study()
    client, owner = Client(), owner_of(study)
    client.force_login(owner)
    send_items(study=study, keys=["I-0"], actor=owner)
    case = cases_of(study)["I-0"]
    if place == "decision":
        decision = replace(sent(), cannot_rate="lacks_context")
        write(case=case, version=case.form.versions.get(), sent=decision, actor=owner)
    else:
        Response.objects.filter(assignment__rater__code="R-001").update(cannot_rate="lacks_context")
    address = {
        "rater": reverse("study-rater", args=[study.slug, "R-001"]),
        "item": reverse("study-item", args=[study.slug, "I-0"]),
    }.get(place, reverse("study-case", args=[study.slug, case.pk]))
    page = client.get(address).content.decode()
    assert re.search(r">\s*not enough context\s*<", page)
    assert "lacks_context" not in page.replace('value="lacks_context"', "")


def test_the_preview_of_a_form_says_it_as_the_rating_page_does() -> None:
    study = make_case_study()
    client = client_of(owner_of(study))
    page = client.get(form_url(study)).content.decode()
    assert "Can’t rate: not enough context" in page
    assert "lacks context" not in page
