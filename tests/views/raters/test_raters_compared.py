"""Two raters compared: a correlation that cannot be computed says why."""

from __future__ import annotations

import pytest
from django.urls import reverse

from annotation.models import Rater, Rating
from scoring.selectors.raters.rater_list import compare_raters
from tests.support.people import Cast, make_cast
from tests.support.studies.pay import worked

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    return make_cast(items=2, overlap=3)


@pytest.mark.parametrize(
    ("pages", "reason", "words"),
    [(2, "constant_ratings", "ratings do not vary"), (1, "too_few_items", "too few items")],
)
def test_a_missing_correlation_has_its_reason(cast, client, pages, reason, words):
    """Both give every item the same value, or have one item in common."""
    Rater.objects.filter(study=cast.study).delete()
    pair = worked(cast, *[30] * pages), worked(cast, 30, 30)
    found = compare_raters(cast.study, *pair)["criteria"]
    assert [(one["pearson"], one["correlation_reason"]) for one in found] == [(None, reason)] * 2
    address = reverse("study-raters-compared", args=[cast.slug])
    client.force_login(cast.users["owner"])
    page = client.get(address, {"a": pair[0].code, "b": pair[1].code}).content.decode()
    assert page.count(words) == 4


def test_a_correlation_needs_no_reason(cast):
    pair = worked(cast, 30, 30), worked(cast, 30, 30)
    lamp = cast.study.items.first()
    Rating.objects.filter(response__assignment__item=lamp, criterion__key="quality").update(value=1)
    found = compare_raters(cast.study, *pair)["criteria"][0]
    assert (found["pearson"], found["correlation_reason"]) == (pytest.approx(1.0), "")
