"""Before a rater is excluded, the page shows what the exclusion would do to agreement."""

from __future__ import annotations

import pytest
from django.urls import reverse

from annotation.models import Rating
from annotation.services.quality.exclusions import exclude_rater
from scoring.selectors.data.answers import active_exclusions, study_answers
from scoring.selectors.raters import exclusion_consequence
from scoring.selectors.raters.exclusion_consequence import consequences_of_exclusion
from scoring.stats.agreement.alpha import alpha
from scoring.stats.base.resampling import Resampling
from tests.support.people import Cast, make_cast
from tests.support.studies.pay import worked

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    """Two raters agree on which of three lamps is good; the third gives the same value throughout."""
    cast = make_cast(items=3, overlap=3)
    people = [worked(cast, 30, 30, 30) for _ in range(3)]
    for value, lamp in enumerate(cast.study.items.all(), start=1):
        rated = Rating.objects.filter(response__assignment__item=lamp, criterion__key="quality")
        rated.filter(response__assignment__rater__in=people[:2]).update(value=value)
    return cast


def test_alpha_without_the_rater_is_that_of_the_study_after_the_exclusion(cast):
    flat = cast.study.raters.order_by("pk").last()
    foreseen = {one.criterion: one for one in consequences_of_exclusion(flat) or []}
    assert foreseen["quality"].without.estimate == pytest.approx(1.0)
    assert foreseen["quality"].now.estimate < 0.5
    assert foreseen["creativity"].without.reason == "constant_ratings"
    exclude_rater(rater=flat, actor=cast.users["owner"], reason="One value throughout")
    found = study_answers(cast.study)
    left = found.answers.only(~active_exclusions(cast.study, found).out(found.answers))
    after = alpha(left.ratings("quality"), "ordinal", Resampling(replicates=1))
    assert after.estimate == foreseen["quality"].without.estimate


def test_the_page_shows_it_to_who_asks_and_may_exclude(cast, client):
    flat = cast.study.raters.order_by("pk").last()
    address = reverse("study-rater", args=[cast.slug, flat.code])
    client.force_login(cast.users["admin"])
    assert 'href="?consequences#consequences"' in client.get(address).content.decode()
    assert 'href="?review&amp;consequences#consequences"' in client.get(f"{address}?review").content.decode()
    asked = client.get(address, {"consequences": ""})
    assert "1.00" in asked.content.decode()
    client.force_login(cast.users["researcher"])
    assert "consequences" not in client.get(address, {"consequences": ""}).context


def test_a_study_too_large_for_a_page_is_sent_to_the_multiverse_table(cast, client, monkeypatch):
    monkeypatch.setattr(exclusion_consequence, "MOST_RESPONSES", 8)
    client.force_login(cast.users["owner"])
    address = reverse("study-rater", args=[cast.slug, cast.study.raters.first().code])
    page = client.get(address, {"consequences": ""}).content.decode()
    assert reverse("study-multiverse", args=[cast.slug]) in page
