"""Raters with flags are reviewed one after another: each decision opens the next one."""

from __future__ import annotations

import pytest
from django.urls import reverse

from annotation.models import Exclusion, Rater
from annotation.selectors.quality.raters_to_review import find_flagged_raters
from annotation.services.rating.enrolment import consent
from tests.support.people import Cast, make_cast
from tests.views.quality.reviewing import client, rate, raters

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    """One careful rater, and three who always choose 3 in a second."""
    cast = make_cast(items=12, overlap=4)
    for kind in ("careful", "line", "line", "line"):
        rate(consent(invitation=cast.invitation), kind)
    return cast


def test_each_decision_opens_the_next_rater_and_the_last_one_the_review(cast):
    first, second, third = (one.code for one in find_flagged_raters(cast.study))
    admin, review = client(cast, "admin"), reverse("study-review", args=[cast.slug])
    pages = {one: f"{reverse('study-rater', args=[cast.slug, one])}?review" for one in (first, second, third)}
    begun = admin.get(review).content.decode()
    assert f'href="{pages[first]}"' in begun
    assert "3 raters to review" in begun

    def decided(code: str, act: str) -> str:
        shown = admin.get(pages[code])
        flags = [one.key for one in shown.context["profile"].indicators if one.flagged]
        name = "study-rater-keep" if act == "keep" else "study-rater-exclude"
        given = {"act": act, "reason": "One value.", "flag": flags, "next": shown.context["next"]}
        assert f'name="next" value="{given["next"]}"' in shown.content.decode()
        return admin.post(reverse(name, args=[cast.slug, code]), given)["Location"]

    shown = admin.get(pages[second]).content.decode()
    assert "2 of 3 to review" in shown
    assert f'href="{pages[first]}"' in shown
    assert f'href="{pages[third]}"' in shown
    assert decided(second, "exclude") == pages[third]
    assert decided(third, "keep") == pages[first]
    assert decided(first, "exclude") == review
    assert "to review. After each decision" not in admin.get(review).content.decode()
    shown = admin.get(pages[third]).content.decode()
    assert "No rater waits for a review." in shown
    assert shown.count("excluded\n") >= 2
    assert set(Exclusion.objects.values_list("rater__code", flat=True)) == {first, second}


def test_without_the_queue_a_decision_leads_back_to_the_page_of_the_rater(cast):
    code = raters(cast)[1].code
    page = reverse("study-rater", args=[cast.slug, code])
    assert client(cast, "admin").get(page).context["next"] == page


def test_a_researcher_reads_the_queue_and_decides_nothing(cast):
    code = find_flagged_raters(cast.study)[0].code
    page = client(cast, "researcher").get(f"{reverse('study-rater', args=[cast.slug, code])}?review")
    assert "1 of 3 to review" in page.content.decode()
    assert 'name="act"' not in page.content.decode()


def test_raters_to_review_are_on_the_first_page_whatever_their_codes(cast):
    flagged = [one.code for one in find_flagged_raters(cast.study)]
    Rater.objects.bulk_create(Rater(study=cast.study, code=f"A-{number:03d}") for number in range(30))
    admin, review = client(cast, "admin"), reverse("study-review", args=[cast.slug])

    def codes(page: int) -> list[str]:
        return [one.rater.code for one in admin.get(review, {"page": page}).context["profiled"]]

    assert codes(1)[:4] == [*flagged, "A-000"]
    assert codes(1) + codes(2) == [*flagged, *sorted({*codes(1), *codes(2)} - set(flagged))]
    client(cast, "admin").post(
        reverse("study-raters-decide", args=[cast.slug]), {"act": "keep", "rater": flagged[0]}
    )
    assert codes(1)[:4] == [*flagged[1:], flagged[0], "A-000"], "Kept raters follow those to review."
