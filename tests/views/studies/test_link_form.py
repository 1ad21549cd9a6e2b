"""The codes of a link can be read again by who may make links, and a refused form keeps what was typed."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Invitation
from tests.support.layout import folded
from tests.support.people import Cast, make_cast

pytestmark = pytest.mark.django_db
CODES = {
    "completion_code": "DONE1",
    "screenout_code": "OUT1",
    "no_consent_code": "NO1",
    "failed_checks_code": "FAIL1",
}


@pytest.fixture
def cast() -> Cast:
    return make_cast()


def signed_in(cast: Cast, who: str) -> Client:
    client = Client()
    client.force_login(cast.users[who])
    return client


def make_link(cast: Cast, **given: Any) -> Any:
    return signed_in(cast, "admin").post(reverse("study-links", args=[cast.slug]), given)


def links_page(cast: Cast, who: str) -> str:
    return signed_in(cast, who).get(reverse("study-links", args=[cast.slug])).content.decode()


def test_every_code_of_a_link_is_shown_again_with_a_button_to_copy_it(cast):
    make_link(cast, kind="prolific", **CODES, failed_checks_from=2)
    page = links_page(cast, "admin")
    words = " ".join(folded(page).split())
    for name, code in (
        ("Completion code", "DONE1"),
        ("Screen-out code", "OUT1"),
        ("Code for people who do not consent", "NO1"),
        ("Code for failed attention checks (after 2 failed checks)", "FAIL1"),
    ):
        assert f"<dt>{name}</dt>" in words
        assert f'data-copy="{code}"' in page


def test_return_addresses_of_another_platform_are_shown_again(cast):
    given = {"kind": "other", "person_param": "w", "completion_url": "https://crowd.example/end?cc={code}"}
    make_link(cast, **given)
    page = links_page(cast, "owner")
    assert 'data-copy="https://crowd.example/end?cc={code}"' in page
    assert "<dt>Screen-out code</dt>" not in folded(page)


def test_who_may_not_make_links_sees_no_code(cast):
    make_link(cast, kind="prolific", **CODES, failed_checks_from=2)
    page = links_page(cast, "researcher")
    assert [code for code in CODES.values() if code in page] == []


@pytest.mark.parametrize(
    ("given", "field", "sentence"),
    [
        ({"completion_code": "same", "screenout_code": "SAME"}, "screenout_code", "Enter different codes."),
        ({"failed_checks_code": "F1"}, "failed_checks_from", "how many failed attention checks"),
        ({"cap": "0"}, "cap", "greater than or equal to 1"),
        ({"kind": "other"}, "person_param", "Enter the URL parameter"),
    ],
)
def test_a_refused_link_keeps_what_was_typed_with_the_error_at_its_field(cast, given, field, sentence):
    before = Invitation.objects.count()
    answer = make_link(cast, **{"kind": "prolific", "label": "Monday, R&D", **given})
    page = answer.content.decode()
    assert (answer.status_code, Invitation.objects.count()) == (422, before)
    form = answer.context["link_form"]
    assert sentence in str(form[field].errors)
    assert str(form[field].errors) in page
    assert 'value="Monday, R&amp;D"' in page
    assert f'<option value="{given.get("kind", "prolific")}" selected>' in page
    assert "Link not created." in page
    # The form is open, so that the error is seen.
    assert '<details class="confirm" id="new-link" open>' in page


def folded_away(page: str) -> bool:
    """Whether the fields of a crowd platform are closed."""
    opening = page[: page.index("Codes and return addresses for a crowd platform")].rpartition("<details")[2]
    return " open" not in opening


def test_a_plain_link_shows_its_own_four_fields_and_folds_those_of_a_platform(cast):
    page = signed_in(cast, "admin").get(reverse("study-links", args=[cast.slug]))
    form = page.context["link_form"]
    assert [field.name for field in form.plain_fields] == ["kind", "label", "cap", "expires_on"]
    assert folded_away(page.content.decode())


def test_a_refused_link_for_a_platform_shows_the_fields_that_are_wrong(cast):
    assert not folded_away(make_link(cast, kind="other").content.decode())
