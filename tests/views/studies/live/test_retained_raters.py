"""A rater with flags who was reviewed and retained is not listed until flags are new or clearly worse."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from annotation.domain.base.errors import InvalidContent
from annotation.models import AuditEntry, Rater, Response
from annotation.selectors.quality import raters_to_review
from annotation.selectors.quality.raters_to_review import find_raters_to_review
from annotation.services.quality.review_decisions import keep_rater, list_rater_again
from annotation.services.rating.enrolment import consent
from annotation.services.rating.erasure import erase_rater
from tests.support.people import Cast, make_cast
from tests.views.studies.live.raters import ITEMS, rate

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    return make_cast(items=ITEMS, overlap=5)


@pytest.fixture
def fast(cast: Cast) -> Rater:
    """One careful rater, one who contradicts both others, and one who answers carefully in a second."""
    for kind in ("careful", "against"):
        rate(consent(invitation=cast.invitation), kind)
    rater = rate(consent(invitation=cast.invitation), "careful")
    Response.objects.filter(assignment__rater=rater).update(seconds=1.0)
    return rater


def listed(cast: Cast) -> dict[str, frozenset[str]]:
    return {one.code: one.keys for one in find_raters_to_review(cast.study).named}


def client_of(cast: Cast, who: str) -> Client:
    client = Client()
    client.force_login(cast.users[who])
    return client


def test_a_retained_rater_is_not_listed_and_still_counts(cast: Cast, fast: Rater) -> None:
    flags = listed(cast)[fast.code]
    others = listed(cast).keys() - {fast.code}
    address = reverse("study-rater-keep", args=[cast.slug, fast.code])
    page = (
        client_of(cast, "admin")
        .post(address, {"act": "keep", "flag": [*flags]}, follow=True)
        .content.decode()
    )
    assert f"{fast.code} is kept" in page
    assert listed(cast).keys() == others
    entry = AuditEntry.objects.get(act="keep_rater")
    assert entry.actor == cast.users["admin"]
    assert (entry.detail["rater"], frozenset(entry.detail["flags"])) == (fast.code, flags)
    own = client_of(cast, "owner").get(reverse("study-rater", args=[cast.slug, fast.code])).content.decode()
    assert f"Reviewed and kept by {cast.users['admin']}" in own
    assert "Included in statistics." in own


def test_another_flag_lists_the_rater_again(cast: Cast, fast: Rater) -> None:
    flags = listed(cast)[fast.code]
    keep_rater(rater=fast, flags=flags, actor=cast.users["admin"])
    for response in Response.objects.filter(assignment__rater=fast):
        response.ratings.update(value=3)
    found = listed(cast)[fast.code]
    assert found > flags
    keep_rater(rater=fast, flags=found - flags, actor=cast.users["admin"])
    assert fast.code not in listed(cast)


def test_a_flag_that_is_clearly_worse_lists_the_rater_again(cast: Cast, fast: Rater) -> None:
    responses = Response.objects.filter(assignment__rater=fast).order_by("pk")
    responses.filter(pk__in=[one.pk for one in responses[5:]]).update(seconds=20.0)
    keep_rater(rater=fast, flags=listed(cast)[fast.code], actor=cast.users["admin"])
    assert AuditEntry.objects.get(act="keep_rater").detail["figures"]["too_fast"] == {
        "value": 0.4167,
        "n": 12,
    }
    responses.filter(pk__in=[one.pk for one in responses[:7]]).update(seconds=1.0)
    assert fast.code not in listed(cast)
    responses.update(seconds=1.0)
    page = client_of(cast, "admin").get(reverse("study", args=[cast.slug])).content.decode()
    assert "a flag is new or clearly worse since" in page
    keep_rater(rater=fast, flags=listed(cast)[fast.code], actor=cast.users["admin"])
    assert fast.code not in listed(cast)


def test_a_decision_without_values_lists_the_rater_again_for_other_flags_only(
    cast: Cast, fast: Rater
) -> None:
    flags = sorted(listed(cast)[fast.code])
    detail = {"rater": fast.code, "flags": flags}
    AuditEntry.objects.create(study=cast.study, act="keep_rater", detail=detail)
    assert fast.code not in listed(cast)


def test_a_decision_to_keep_can_be_undone(cast: Cast, fast: Rater) -> None:
    before = listed(cast)
    keep_rater(rater=fast, flags=before[fast.code], actor=cast.users["admin"])
    address = reverse("study-rater-keep", args=[cast.slug, fast.code])
    client_of(cast, "admin").post(address, {"act": "again"})
    assert listed(cast) == before
    keep_rater(rater=fast, flags=before[fast.code], actor=cast.users["admin"])
    list_rater_again(rater=fast, actor=cast.users["owner"])
    assert listed(cast) == before


def test_only_flags_that_the_rater_has_can_be_accepted(cast: Cast, fast: Rater) -> None:
    with pytest.raises(InvalidContent) as caught:
        keep_rater(rater=fast, flags={"checks"}, actor=cast.users["admin"])
    assert caught.value.code == "no_such_flag"
    assert not AuditEntry.objects.filter(act="keep_rater").exists()


def test_members_who_may_not_exclude_may_not_retain(cast: Cast, fast: Rater) -> None:
    page = client_of(cast, "researcher").get(reverse("study", args=[cast.slug])).content.decode()
    assert fast.code in page
    assert f"Keep {fast.code}" not in page
    address = reverse("study-rater-keep", args=[cast.slug, fast.code])
    assert client_of(cast, "researcher").post(address, {"flag": "speed"}).status_code == 403


def test_in_a_large_study_retained_raters_are_examined_last(
    cast: Cast, fast: Rater, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(raters_to_review, "SECONDS", 0)
    monkeypatch.setattr(raters_to_review, "MOST_PAGES", 2 * ITEMS)
    first = set(listed(cast))
    for code in first:
        found = listed(cast)[code]
        keep_rater(rater=cast.study.raters.get(code=code), flags=found, actor=cast.users["admin"])
    monkeypatch.setattr(raters_to_review, "MOST_PAGES", ITEMS)
    examined = find_raters_to_review(cast.study)
    assert examined.examined == 1
    assert not {one.code for one in examined.named} & first


def test_what_was_noticed_about_a_rater_goes_with_the_data_of_the_rater(cast: Cast, fast: Rater) -> None:
    keep_rater(rater=fast, flags=listed(cast)[fast.code], actor=cast.users["admin"])
    erase_rater(rater=fast, actor=cast.users["owner"])
    entry = AuditEntry.objects.get(act="keep_rater")
    assert not entry.detail["flags"]
    assert not entry.detail["figures"]
    assert entry.detail["rater"] == fast.code
