"""A report on several kinds of questions says of each what was counted, on its page as in its file."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from scoring.services.reports.reliability import compute_report, request_report
from tests.bundle.choice_study import answered_study
from tests.bundle.studies import quick
from tests.support.layout import folded

pytestmark = pytest.mark.django_db

COUNTED = re.compile(
    r"<h3>([^<]+)</h3><dl class=\"pairs\">\s*<dt>Ratings</dt><dd>(\d+), from (\d+) responses"
)


def test_each_kind_of_question_is_listed_with_its_counts():
    study = answered_study()
    report = compute_report(lease=quick(request_report(study=study, actor=None, announce=False)))
    client = Client()
    client.force_login(study.memberships.get().user)
    page = client.get(f"/studies/{study.slug}/reliability/").content.decode()
    shown_counts = {
        heading: (int(n), int(responses)) for heading, n, responses in COUNTED.findall(folded(page))
    }
    counts = {kind: (one["n_ratings"], one["n_responses"]) for kind, one in report.data["by_kind"].items()}
    assert shown_counts == {"Questions with options": counts["choice"], "Marked tuples": counts["tuples"]}
