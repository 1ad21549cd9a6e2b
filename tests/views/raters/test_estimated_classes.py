"""Estimated classes on their page, in files and over the API."""

from __future__ import annotations

import csv
import io

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Rating, Response, Study
from scoring.services.raters.class_rows import item_classes, rater_rows
from scoring.services.raters.estimated_classes import class_questions
from tests.services.judges.chosen_study import TONES, chosen_study
from tests.services.metrics.rated_study import owner_of, rated_study

pytestmark = pytest.mark.django_db


def text_of(response) -> str:
    return " ".join(response.content.decode().split())


def page_of(study: Study, query: str = "", client: Client | None = None):
    return (client or owner_of(study)).get(reverse("study-classes", args=[study.slug]) + query)


def test_items_whose_class_is_not_the_majority_come_first():
    study = chosen_study()
    rows = item_classes(class_questions(study).estimate("tone", "dawid_skene"))
    assert len(rows) == 44
    order = [(row.differs, row.is_tied) for row in rows]
    assert order == sorted(order, key=lambda one: (not one[0], not one[1]))
    assert sum(row.estimated == TONES[int(row.item[1:]) % 3] for row in rows) >= 38
    for row in rows:
        assert row.probability == pytest.approx(max(row.probabilities.values()))
        assert sum(row.probabilities.values()) == pytest.approx(1.0)


def test_the_page_shows_items_raters_and_what_the_model_assumes():
    study = chosen_study()
    page = page_of(study)
    text = text_of(page)
    assert page.context["chosen"] == "tone"
    assert page.context["fit"].reason == ""
    assert "each item has one true class" in text
    assert "the estimated class is not a correct answer" in text
    assert text.count("M-0") >= 1
    assert "Competence" not in text
    assert "Competence" in text_of(page_of(study, "?criterion=tone&model=mace"))


def test_pairs_and_several_options_are_not_offered_and_an_unknown_question_is_not_found():
    study = chosen_study()
    assert class_questions(study).names == ["tone"]
    assert page_of(study, "?criterion=better").status_code == 404


def test_a_study_without_choices_says_what_will_appear():
    assert "No answers to a question with one option that all items share." in text_of(page_of(rated_study()))


def test_items_with_a_single_answer_have_no_class():
    study = chosen_study()
    others = Response.objects.filter(assignment__item__key="I00").order_by("pk")[1:]
    Response.objects.filter(pk__in=[one.pk for one in others]).update(current=False)
    rows = item_classes(class_questions(study).estimate("tone", "dawid_skene"))
    assert (rows[-1].item, rows[-1].reason, rows[-1].estimated) == ("I00", "too_few_raters", "")
    assert "1 item with a single answer has no class." in text_of(page_of(study))


def test_one_option_chosen_throughout_is_a_reason():
    study = chosen_study()
    Rating.objects.filter(criterion__key="tone").update(answer="warm")
    page = page_of(study)
    assert "No classes are estimated: ratings do not vary." in text_of(page)


@pytest.mark.parametrize(("what", "n_rows"), [("items", 44), ("raters", 4), ("confusion", 4 * 9)])
def test_the_tables_are_files(what: str, n_rows: int):
    study = chosen_study()
    address = reverse("study-classes-download", args=[study.slug, what, "csv"])
    response = owner_of(study).get(address + "?criterion=tone&model=mace")
    rows = list(csv.DictReader(io.StringIO(b"".join(response).decode("utf-8-sig"))))
    assert len(rows) == n_rows
    one = class_questions(study).estimate("tone", "mace")
    if what == "items":
        assert [row["item"] for row in rows] == [row.item for row in item_classes(one)]
        shares = [float(rows[0][f"p_{tone}"]) for tone in TONES]
        assert max(shares) == pytest.approx(float(rows[0]["probability"]))
    if what == "raters":
        expected = [row["competence"] for row in rater_rows(one)]
        assert [float(row["competence"]) for row in rows] == pytest.approx(expected)


def test_no_other_table_is_there():
    study = chosen_study()
    address = reverse("study-classes-download", args=[study.slug, "nothing", "csv"])
    assert owner_of(study).get(address).status_code == 404


def test_the_api_gives_the_same_numbers():
    study = chosen_study()
    client = owner_of(study)
    address = reverse("api_classes", args=[study.slug])
    found = client.get(address, {"criterion": "tone", "model": "mace"}).json()
    one = class_questions(study).estimate("tone", "mace")
    assert found["fit"]["log_likelihood"] == pytest.approx(one.found.log_likelihood)
    assert [row["item"] for row in found["items"]] == [row.item for row in item_classes(one)]
    assert found["raters"] == rater_rows(one)
    assert sum(found["prevalence"].values()) == pytest.approx(1.0)
    for query in ({}, {"criterion": "better"}, {"criterion": "tone", "model": "other"}):
        assert client.get(address, query).status_code == 400
