"""The page of adaptive pairs: set up in a draft, and read while raters work."""

from __future__ import annotations

import pytest
from django.test import Client

from annotation.models import AdaptivePairing
from annotation.selectors.pay.workload_preview import preview_of
from tests.support.studies.pairs.adaptive_study import QUESTION, adaptive_cast, prefer_until_nothing_is_left
from tests.support.studies.staged_study import rater_of

pytestmark = pytest.mark.django_db


def test_an_owner_chooses_adaptive_pairs_in_a_draft_and_drops_them_again(client: Client) -> None:
    cast = adaptive_cast(opened=False)
    AdaptivePairing.objects.all().delete()
    client.force_login(cast.users["owner"])
    address = "/studies/pairs/settings/forms/preference/pairs/"
    assert "choice of pairs" in client.get("/studies/pairs/settings/forms/").content.decode()
    assert client.post(address, {"criterion": QUESTION, "budget": "30"}).status_code == 422
    client.post(address, {"criterion": QUESTION, "budget": "30", "per_round": "4"})
    stored = AdaptivePairing.objects.get()
    assert (stored.criterion, stored.budget, stored.per_round) == (QUESTION, 30, 4)
    assert "adaptive pairs" in client.get("/studies/pairs/settings/forms/").content.decode()
    client.post(address, {"criterion": ""})
    assert not AdaptivePairing.objects.exists()


def test_the_preview_of_a_draft_asks_for_no_more_ratings_than_the_budget() -> None:
    study = adaptive_cast(candidates=4, per_item=8, budget=20, opened=False).study
    assert preview_of(study).plan.seats == 20
    AdaptivePairing.objects.update(budget=100)
    assert preview_of(study).plan.seats == 6 * 8


def test_the_overview_and_the_page_say_how_far_the_rounds_are_and_why_they_ended(client: Client) -> None:
    cast = adaptive_cast(budget=7, per_round=3)
    prefer_until_nothing_is_left(rater_of(cast.study, "A"))
    prefer_until_nothing_is_left(rater_of(cast.study, "B"))
    client.force_login(cast.users["owner"])
    for address in ("/studies/pairs/", "/studies/pairs/settings/forms/preference/pairs/"):
        page = client.get(address).content.decode()
        assert "7 of at most 7 comparisons added, round 3" in page
        assert "No more pairs are added: all comparisons of the budget were asked for." in page
