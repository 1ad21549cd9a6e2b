"""Members answer the questions of the sheet once: what they send is checked, stored, and lost by no one."""

from __future__ import annotations

import json

import pytest
from django.test import Client
from django.urls import reverse

from annotation.domain.base.errors import InvalidContent, NotAllowedNow
from annotation.models import EvaluationSheet
from annotation.services.studies.definitions import copy_study
from annotation.services.studies.texts.evaluation_sheet import save_sheet
from tests.support.people import Cast, make_cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    return make_cast()


def signed_in(cast: Cast, who: str) -> Client:
    client = Client()
    client.force_login(cast.users[who])
    return client


def test_a_researcher_answers_on_the_page_and_reads_it_again(cast: Cast) -> None:
    client, page = signed_in(cast, "researcher"), reverse("study-sheet", args=[cast.slug])
    sent = {
        "seen": "0",
        "text-5.1": "None needed. ",
        "choice-3.1.2": "random",
        "text-3.1.2": "",
        "choice-4.1.1:similes:quality": "goodness",
        "text-3.2.3": "",
    }
    assert client.post(page, sent).status_code == 302
    assert EvaluationSheet.objects.get(study=cast.study).answers == {
        "3.1.2": {"choice": "random", "text": ""},
        "4.1.1:similes:quality": {"choice": "goodness", "text": ""},
        "5.1": {"choice": "", "text": "None needed."},
    }
    text = client.get(page).content.decode()
    assert 'value="random" selected' in text
    assert "None needed.</textarea>" in text
    entry = cast.study.audit.get(act="change_evaluation_sheet")
    assert entry.detail == {"questions": ["3.1.2", "4.1.1:similes:quality", "5.1"]}
    client.post(page, {**sent, "seen": "1"})
    assert cast.study.audit.filter(act="change_evaluation_sheet").count() == 1


def test_two_members_who_answer_at_once_do_not_overwrite_each_other(cast: Cast) -> None:
    owner, other = signed_in(cast, "owner"), signed_in(cast, "researcher")
    page = reverse("study-sheet", args=[cast.slug])
    owner.post(page, {"seen": "0", "text-5.1": "Committee A."})
    refused = other.post(page, {"seen": "0", "text-5.1": "Committee B."})
    assert refused.status_code == 409
    assert "Committee B.</textarea>" in refused.content.decode()
    assert EvaluationSheet.objects.get().answers["5.1"]["text"] == "Committee A."
    with pytest.raises(NotAllowedNow) as refusal:
        save_sheet(study=cast.study, actor=cast.users["owner"], answers={}, seen=0)
    assert refusal.value.code == "sheet_changed"


def test_a_revision_of_thousands_of_digits_is_none(cast: Cast) -> None:
    page = reverse("study-sheet", args=[cast.slug])
    sent = {"seen": "9" * 5000, "text-5.1": "Committee A."}
    assert signed_in(cast, "owner").post(page, sent).status_code == 302


@pytest.mark.parametrize(
    ("place", "answer", "code"),
    [
        ("9.9", {"text": "x"}, "unknown_question"),
        ("4.1.1", {"text": "x"}, "unknown_question"),
        ("4.1.1:similes:beauty", {"text": "x"}, "unknown_question"),
        ("5.1:similes:quality", {"text": "x"}, "unknown_question"),
        ("3.1.2", {"choice": "guessed"}, "unknown_choice"),
        ("5.1", {"text": "x" * 10_001}, "too_long"),
        ("5.1", {"text": "a\x00b"}, "not_text"),
        ("1.1.1", {"text": "In our paper."}, "no_link"),
        ("1.1.1", {"text": "https://"}, "no_link"),
    ],
)
def test_what_cannot_be_an_answer_is_refused_and_nothing_is_stored(
    cast: Cast, place: str, answer: dict[str, str], code: str
) -> None:
    given = {"5.4": {"text": "None."}, place: answer}
    with pytest.raises(InvalidContent) as refusal:
        save_sheet(study=cast.study, actor=cast.users["owner"], answers=given)
    assert refusal.value.code == code
    assert not EvaluationSheet.objects.exists()


@pytest.mark.parametrize(
    "answer",
    [
        {"text": "Section 4 of https://aclanthology.org/2025.gem-1.6/."},
        {"text": "doi:10.18653/v1/2022.humeval-1.6"},
        {"choice": "unpublished"},
        {"choice": "preregistration", "text": "Planned for spring."},
    ],
)
def test_where_the_evaluation_is_described_is_a_link_or_the_reason_why_there_is_none(
    cast: Cast, answer: dict[str, str]
) -> None:
    save_sheet(study=cast.study, actor=cast.users["owner"], answers={"1.1.1": answer})
    stored = EvaluationSheet.objects.get().answers["1.1.1"]
    assert stored == {"choice": "", "text": ""} | answer


def test_the_page_says_which_answer_lacks_a_link_and_keeps_it(cast: Cast) -> None:
    page = reverse("study-sheet", args=[cast.slug])
    refused = signed_in(cast, "researcher").post(page, {"seen": "0", "text-1.1.1": "In our paper."})
    text = refused.content.decode()
    assert refused.status_code == 422
    assert "The answer to question 1.1.1 has no link." in text
    assert "In our paper.</textarea>" in text


def test_a_copy_has_the_answers_about_the_design_and_none_about_results_or_publication(cast: Cast) -> None:
    design = {
        "2.3": {"choice": "", "text": "Simile generation."},
        "3.2.3": {"choice": "", "text": "By email."},
        "4.1.1:similes:quality": {"choice": "goodness", "text": ""},
    }
    own = {
        "1.1.1": {"text": "https://example.org/paper"},
        "1.3.2.1": {"text": "Ines Duarte"},
        "3.1.3.2": {"text": "0.8"},
        "4.3.11.2:similes:quality": {"text": "Fairly."},
        "5.1": {"text": "Committee A."},
        "G.1": {"choice": "yes"},
    }
    owner = cast.users["owner"]
    save_sheet(study=cast.study, actor=owner, answers=design | own)
    made = copy_study(
        study=cast.study, slug="copy", title="Copy", owner=owner, with_items=False, with_pay=False
    )
    assert EvaluationSheet.objects.get(study=made.study).answers == design


def test_the_api_sets_and_gives_the_sheet_and_the_file_is_the_same(cast: Cast) -> None:
    client = cast.client("researcher")
    first = client.get(f"{cast.base}/sheet/").json()
    assert (first["revision"], first["answers"]) == (0, {})
    sent = {"answers": {"5.1": {"text": "None."}, "3.3.7": {"choice": "own_place"}}, "seen": 0}
    second = client.put(f"{cast.base}/sheet/", sent, format="json").json()
    # Where raters chose the place, nothing is asked about how places differed.
    assert (second["revision"], second["n_open"]) == (1, first["n_open"] - 3)
    again = client.put(f"{cast.base}/sheet/", sent, format="json")
    assert (again.status_code, again.json()["code"]) == (409, "sheet_changed")
    refused = client.put(f"{cast.base}/sheet/", {"answers": {"9": {}}}, format="json")
    assert (refused.status_code, refused.json()["code"]) == (422, "unknown_question")
    file = signed_in(cast, "researcher").get(reverse("study-sheet-json", args=[cast.slug]))
    assert json.loads(file.content) == client.get(f"{cast.base}/sheet/").json()["sheet"]
    assert cast.study.audit.get(act="download").detail == {"what": "heds", "format": "json"}
