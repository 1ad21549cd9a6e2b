"""The history of a form: what each version changed, who saw it, and the decision to pool it."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from scoring.services.reports.reliability import compute_report, request_report
from tests.bundle.studies import quick
from tests.services.questions.rewording import rate, reword
from tests.support.people import Cast, make_cast
from tests.views.questions.form_pages import client_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    cast = make_cast()
    study, owner = cast.study, cast.users["owner"]
    rate(study, "R-11", ["L00", "L01"], study.forms.get().versions.get())
    rate(study, "R-12", ["L00"], reword(study, owner, "How good?", correction=True))
    rate(study, "R-13", ["L00", "L02"], reword(study, owner, "How apt?", correction=False))
    return cast


def address(cast: Cast) -> str:
    return reverse("study-form-versions", args=[cast.slug, "similes"])


def words(page: Any) -> str:
    return " ".join(page.content.decode().split())


def test_each_version_is_shown_with_its_texts_and_responses(cast):
    shown = words(client_of(cast.users["researcher"]).get(address(cast)))
    for one in ("Version 1.1", "2 responses, since", "1 response, since", "How good is it?", "How apt?"):
        assert one in shown
    assert "Pooled with version 1." in shown
    assert "Analysed separately from version 1.1." in shown


def test_an_admin_pools_and_separates_and_a_researcher_has_no_button(cast):
    admin = client_of(cast.users["admin"])
    version = cast.study.forms.get().versions.get(number=2)
    sent = {"act": "pool", "version": version.pk, "reason": "Same meaning."}
    assert "Pool with version 1.1" not in words(client_of(cast.users["researcher"]).get(address(cast)))
    shown = words(admin.post(address(cast), sent, follow=True))
    assert "Versions pooled." in shown
    assert "Analyse separately from version 1.1" in shown
    shown = words(admin.post(address(cast), {**sent, "act": "separate"}, follow=True))
    assert "Versions separated." in shown
    assert "Pool with version 1.1" in shown


def test_without_a_reason_the_page_says_what_is_missing(cast):
    version = cast.study.forms.get().versions.get(number=2)
    answer = client_of(cast.users["owner"]).post(address(cast), {"act": "pool", "version": version.pk})
    assert answer.status_code == 422
    assert "Enter a reason." in words(answer)


def test_the_comparison_on_the_reliability_page_leads_to_the_decision(cast):
    study = cast.study
    compute_report(lease=quick(request_report(study=study, actor=None, pool_versions=True, announce=False)))
    shown = words(client_of(cast.users["owner"]).get(reverse("study-reliability", args=[cast.slug])))
    assert address(cast) in shown
    assert "Similes, version 1.1: 1 response" in shown


def test_the_history_takes_as_many_queries_for_six_versions_as_for_three(cast):
    client = client_of(cast.users["owner"])
    client.get(address(cast))
    with CaptureQueriesContext(connection) as few:
        client.get(address(cast))
    for n in range(3):
        reword(cast.study, cast.users["owner"], f"How good, {n}?", correction=bool(n % 2))
    with CaptureQueriesContext(connection) as many:
        client.get(address(cast))
    assert len(many) == len(few) <= 14
