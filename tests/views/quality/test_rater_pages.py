"""Everything about a rater on one page: signs that ask for a look, and decisions with a reason."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import AuditEntry, Exclusion, ExclusionRule, Response
from annotation.selectors.quality.rater_profile import profile_of, profiles
from annotation.selectors.questions.long_table import long_ratings
from annotation.services.people.invitations import invite
from annotation.services.rating.enrolment import consent
from tests.support.people import Cast, make_cast
from tests.views.quality.reviewing import client, rate, raters

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    """Twelve items; two raters who follow the items, and one who always chooses 3 in a second."""
    cast = make_cast(items=12, overlap=3)
    for kind in ("careful", "careful", "line"):
        rate(consent(invitation=cast.invitation), kind)
    return cast


def test_the_profile_flags_the_one_who_does_not_read(cast):
    found = {one.rater.code: {sign.key for sign in one.flagged} for one in profiles(cast.study, raters(cast))}
    careful, other, line = (rater.code for rater in raters(cast))
    assert found[careful] == found[other] == set()
    assert {"too_fast", "spread"} <= found[line]


def test_the_correlation_holds_the_rater_out(cast):
    careful = profile_of(raters(cast)[0])["correlation"]
    # The two careful raters agree, the third adds a constant to the mean of the others.
    assert careful.value == pytest.approx(1.0)
    assert careful.detail["n"] == 12


def test_the_review_lists_those_to_look_at_first(cast):
    page = client(cast, "researcher").get(reverse("study-review", args=[cast.slug]))
    assert page.context["profiled"][0].rater == raters(cast)[2]
    assert "faster than reading speed" in page.content.decode()


def test_the_page_names_the_rule_that_excludes_responses_of_a_rater(cast):
    admin, careless = cast.users["admin"], raters(cast)[2]
    rule = ExclusionRule.objects.create(study=cast.study, key="fast", name="Fast responses", author=admin)
    given = Response.objects.filter(assignment__rater=careless)
    Exclusion.objects.bulk_create(
        Exclusion(study=cast.study, response=one, rule=rule.key, by_rule=rule, author=admin) for one in given
    )
    address = reverse("study-rater", args=[cast.slug, careless.code])
    text = " ".join(client(cast, "researcher").get(address).content.decode().split())
    assert f"{len(given)} responses excluded. Rule: <a href=" in text
    assert ">Fast responses</a>" in text
    assert "Included in statistics." not in text


def test_a_rater_is_excluded_with_a_reason_and_counted_again_when_it_is_lifted(cast):
    rater = raters(cast)[2]
    address = reverse("study-rater-exclude", args=[cast.slug, rater.code])
    admin = client(cast, "admin")
    own, other = (reverse("study-rater", args=[cast.slug, one.code]) for one in (rater, raters(cast)[0]))
    refused = admin.post(address, {"act": "exclude", "reason": " ", "next": other}, follow=True)
    assert "Enter a reason." in refused.content.decode()
    assert refused.redirect_chain[-1][0] == own, "not the page of the rater who comes next"
    admin.post(address, {"act": "exclude", "reason": "One value throughout."})
    assert sum(row["excluded"] for row in long_ratings(cast.study)) == 24
    shown = admin.get(reverse("study-rater", args=[cast.slug, rater.code])).content.decode()
    assert "One value throughout." in shown
    admin.post(address, {"act": "lift", "reason": "Asked; was honest."})
    assert sum(row["excluded"] for row in long_ratings(cast.study)) == 0
    assert Exclusion.objects.get().lift.reason == "Asked; was honest."
    assert list(AuditEntry.objects.filter(act__contains="exclu").values_list("act", flat=True)) == [
        "lift_exclusion",
        "exclude_rater",
    ]


def test_the_decision_comes_before_the_evidence_and_says_what_it_does(cast):
    address = reverse("study-rater", args=[cast.slug, raters(cast)[2].code])
    shown = client(cast, "admin").get(address).content.decode()
    above, _, below = shown.partition('id="profile"')
    assert 'name="act" value="keep"' in above
    assert 'name="act" value="exclude"' in above
    assert "An exclusion leaves 12 responses out of statistics." in above
    assert 'name="act"' not in below
    assert 'name="act"' not in client(cast, "researcher").get(address).content.decode()


def test_lifting_what_was_lifted_already_excludes_no_rater(cast):
    rater = cast.study.raters.filter(user=None).latest("code")
    admin = Client()
    admin.force_login(cast.users["admin"])
    address = reverse("study-rater-exclude", args=[cast.slug, rater.code])
    admin.post(address, {"act": "exclude", "reason": "a bot"})
    for _ in range(2):
        admin.post(address, {"act": "lift", "reason": "no bot"})
    assert not rater.exclusions.filter(lift__isnull=True).exists()
    assert admin.post(address, {"act": "rubbish", "reason": "x"}).status_code == 400
    assert rater.exclusions.count() == 1
    page = admin.get(reverse("study-rater", args=[cast.slug, rater.code])).content.decode()
    assert "no bot" in page


def test_the_log_does_not_tell_whose_a_personal_link_is(cast):
    invite(study=cast.study, actor=cast.users["owner"], label="Aunt Ada", personal=True)
    researcher = Client()
    researcher.force_login(cast.users["researcher"])
    page = researcher.get(reverse("study-audit", args=[cast.slug])).content.decode()
    assert "Aunt Ada" not in page


def test_excluding_a_rater_and_lifting_it_say_what_happened_and_how_to_undo_it(cast):
    admin, rater = client(cast, "admin"), raters(cast)[2]
    address = reverse("study-rater-exclude", args=[cast.slug, rater.code])
    page = admin.post(address, {"act": "exclude", "reason": "same value"}, follow=True).content.decode()
    assert f"{rater.code} excluded. 12 responses are no longer included in statistics." in page
    own = reverse("study-rater", args=[cast.slug, rater.code])
    assert f'<a href="{own}#decision">Lift the exclusion of {rater.code}</a>' in page
    assert re.search(rf"<h1>{rater.code} <span[^>]*>excluded</span></h1>", admin.get(own).content.decode())
    page = admin.post(address, {"act": "lift", "reason": "a mistake"}, follow=True).content.decode()
    assert f"Exclusion of {rater.code} lifted. 12 responses are included in statistics again." in page
    assert "To undo this, exclude the rater on this page." in page


def test_selected_raters_are_excluded_with_one_reason_all_or_none(cast: Cast) -> None:
    admin, address = client(cast, "admin"), reverse("study-raters-decide", args=[cast.slug])
    codes = [one.code for one in raters(cast)][:2]
    admin.post(address, {"act": "exclude", "reason": "bots", "rater": [*codes, "R-999"]})
    admin.post(address, {"act": "exclude", "rater": codes})
    assert not Exclusion.objects.exists()
    page = admin.post(address, {"act": "exclude", "reason": "bots", "rater": codes}, follow=True)
    assert "2 raters excluded." in page.content.decode()
    excluded = Exclusion.objects.order_by("rater__code").values_list("rater__code", "reason")
    assert list(excluded) == [(code, "bots") for code in codes]
    again = admin.post(address, {"act": "exclude", "reason": "bots", "rater": codes}, follow=True)
    assert "All selected raters are already excluded." in again.content.decode()


def test_selected_raters_with_flags_are_retained_and_the_others_stay_as_they_are(cast: Cast) -> None:
    admin, address = client(cast, "admin"), reverse("study-raters-decide", args=[cast.slug])
    careful, line = raters(cast)[0].code, raters(cast)[2].code
    admin.post(address, {"act": "keep", "rater": [careful, line]})
    (entry,) = AuditEntry.objects.filter(act="keep_rater")
    assert entry.detail["rater"] == line
    flags = {one.key for one in profiles(cast.study, [raters(cast)[2]])[0].flagged}
    assert set(entry.detail["flags"]) == flags
    page = admin.post(address, {"act": "keep", "rater": [careful]}, follow=True)
    assert "None of the selected raters has a flag" in page.content.decode()


def test_only_an_exclusion_of_selected_raters_waits_for_a_reason(cast: Cast) -> None:
    page = client(cast, "admin").get(reverse("study-raters", args=[cast.slug])).content.decode()
    assert re.search(r'<input id="why" name="reason"[^>]* required>', page)
    waits = {
        words: "formnovalidate" not in button
        for button, words in re.findall(
            r'<button class="btn"([^>]*)>\s*([^<]*selected raters[^<]*?)\s*</button>', page
        )
    }
    assert waits == {
        "Exclude selected raters": True,
        "Keep selected raters with flags": False,
        "Write message to selected raters …": False,
    }


def test_times_of_raters_have_their_unit_in_the_language_of_the_page(cast: Cast) -> None:
    admin = client(cast, "admin")
    pages = [reverse("study-raters", args=[cast.slug])]
    pages += [reverse("study-rater", args=[cast.slug, rater.code]) for rater in raters(cast)[:1]]
    for address in pages:
        page = admin.get(address, headers={"accept-language": "ja"}).content.decode()
        assert "20秒" in page
        assert not re.search(r"\d s\b", page)
