"""The language of raters' pages: preset by the study, stored with what was answered on them, and exported."""

from __future__ import annotations

import csv
import io
import re
import uuid
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.domain.rating.simulated_raters import AnsweringPattern
from annotation.models import Agreement, Assignment, Rater, Response
from annotation.selectors.questions.long_table import long_ratings
from annotation.selectors.rating.personal_data import personal_data
from annotation.services.people.consent import change_text
from annotation.services.rating.enrolment import consent
from annotation.services.rating.simulation import simulate
from annotation.services.studies.definitions import copy_study
from tests.support.people import Cast, join, make_cast
from tests.support.studies.answers import answer_for

pytestmark = pytest.mark.django_db


def shown_in(client: Client, address: str) -> str:
    page = client.get(address, follow=True).content.decode()
    return page.partition('<html lang="')[2].partition('"')[0]


def joined(cast: Cast, client: Client) -> Rater:
    """Agrees on the page as it was sent, with its hidden fields."""
    address = reverse("join", args=[cast.invitation.token])
    language = shown_in(client, address)
    client.post(address, {"interface_language": language, "join_key": str(uuid.uuid4())})
    return Rater.objects.latest("pk")


def answer(client: Client, cast: Cast, language: str, **answers: int) -> Response:
    page = client.get(reverse("rate", args=[cast.slug]), follow=True)
    return sent(client, Assignment.objects.get(pk=page.context["assignment"]), language, **answers)


def sent(client: Client, shown: Assignment, language: str, **answers: int) -> Response:
    stored = client.post(
        reverse("rate-assignment", args=[shown.item.study.slug, shown.pk]),
        {
            "submission_key": str(uuid.uuid4()),
            "version": shown.version_id,
            "interface_language": language,
            **{f"answer-{key}": value for key, value in answers.items()},
        },
    )
    assert stored.status_code == 303
    return Response.objects.latest("pk")


class TestThePreset:
    @pytest.fixture
    def cast(self) -> Cast:
        made = make_cast()
        made.study.interface_language = "ja"
        made.study.save(update_fields=["interface_language"])
        return made

    def test_pages_begin_in_it_whatever_the_browser_asks_for(self, cast: Cast) -> None:
        client = Client(headers={"Accept-Language": "zh-hans"})
        joined(cast, client)
        for name in ("rate", "rate-guide", "rate-pause"):
            assert shown_in(client, reverse(name, args=[cast.slug])) == "ja"

    def test_the_choice_of_the_rater_wins_and_is_stored(self, cast: Cast) -> None:
        client, address = Client(), reverse("join", args=[cast.invitation.token])
        client.post(reverse("set_language"), {"language": "en", "next": address})
        assert shown_in(client, address) == "en"
        joined(cast, client)
        assert shown_in(client, reverse("rate", args=[cast.slug])) == "en"

    def test_a_language_without_pages_here_is_passed_over(self, cast: Cast) -> None:
        cast.study.interface_language = "tlh"
        cast.study.save(update_fields=["interface_language"])
        assert shown_in(Client(), reverse("join", args=[cast.invitation.token])) == "en"

    def test_it_is_set_in_a_draft_by_page_and_by_the_api_and_copied(self) -> None:
        cast = make_cast(slug="draft", opened=False)
        api = cast.client("owner")
        refused = api.patch(cast.base + "/", {"interface_language": "tlh"}, format="json")
        assert refused.status_code == 400
        set_by_api = api.patch(
            cast.base + "/", {"interface_language": "zh-hans", "break_after": 20}, format="json"
        )
        assert (set_by_api.json()["interface_language"], set_by_api.json()["break_after"]) == ("zh-hans", 20)
        cast.study.refresh_from_db()
        made = copy_study(
            study=cast.study,
            slug="copy",
            title="Copy",
            owner=cast.users["owner"],
            with_items=False,
            with_pay=False,
        )
        assert (made.study.interface_language, made.study.break_after) == ("zh-hans", 20)
        client = Client()
        client.force_login(cast.users["owner"])
        page = client.get(reverse("study-texts", args=[cast.slug])).content.decode()
        assert re.search('<option value="zh-hans"[^>]* selected', page)


class TestWhatIsStored:
    def test_each_showing_has_its_own_and_every_table_says_it(self) -> None:
        cast, client = make_cast(), Client(headers={"Accept-Language": "ja"})
        rater = joined(cast, client)
        first = answer(client, cast, "ja", quality=4, creativity=2)
        second = sent(client, first.assignment, "zh-hans", quality=5, creativity=2)
        unknown = answer(client, cast, "tlh", quality=3, creativity=3)
        assert [one.interface_language for one in (first, second, unknown)] == ["ja", "zh-hans", ""]
        assert Agreement.objects.get(rater=rater).interface_language == "ja"

        rows = [one for one in long_ratings(cast.study, all_revisions=True) if one["rater"] == rater.code]
        assert {(one["revision"], one["interface_language"]) for one in rows} == {
            (1, "ja"),
            (2, "zh-hans"),
            (1, ""),
        }
        assert table(cast, "raters")[rater.code]["consent_language"] == "ja"
        data = personal_data(rater, with_review=False)
        assert [one["interface_language"] for one in data["responses"]] == ["ja", "zh-hans", ""]
        assert data["taking_part"]["agreed"][0]["interface_language"] == "ja"

    def test_a_changed_consent_text_is_agreed_to_in_the_language_of_its_page(self) -> None:
        cast, client = make_cast(), Client()
        rater = joined(cast, client)
        change_text(study=cast.study, actor=cast.users["owner"], text="You agree again.")
        client.post(
            reverse("rate-consent", args=[cast.slug]), {"consent_number": 2, "interface_language": "zh-hans"}
        )
        agreed = rater.agreements.order_by("text__number").values_list("interface_language", flat=True)
        assert list(agreed) == ["en", "zh-hans"]

    def test_a_client_of_the_api_may_say_it(self) -> None:
        cast = make_cast()
        _, api = join(cast.invitation)
        address = f"/api/v1/rate/{cast.slug}/next/"
        page = api.get(address).json()
        for language, status in (("tlh", 400), ("ja", 201)):
            given = api.post(address, {**answer_for(page), "interface_language": language}, format="json")
            assert given.status_code == status, given.json()
        assert given.json()["answer"]["interface_language"] == "ja"

    def test_it_is_empty_where_no_page_was_seen(self) -> None:
        cast = make_cast()
        rater = consent(invitation=cast.invitation)
        assert rater.agreements.get().interface_language == ""
        simulated = make_cast(slug="simulated")
        simulate(study=simulated.study, raters=1, mix={AnsweringPattern.CAREFUL: 1}, seed=1)
        found = Response.objects.filter(assignment__rater__study=simulated.study)
        assert {one.interface_language for one in found} == {""}


def table(cast: Cast, name: str) -> dict[str, dict[str, Any]]:
    client = Client()
    client.force_login(cast.users["owner"])
    answered = client.get(f"/studies/{cast.slug}/exports/{name}/?format=csv")
    text = b"".join(answered).decode("utf-8-sig")
    return {row["rater"]: row for row in csv.DictReader(io.StringIO(text))}
