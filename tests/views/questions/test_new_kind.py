"""A kind of question that only a module, a registry line and a template add is asked, stored and analysed."""

from __future__ import annotations

import uuid
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from annotation.domain.questions.kinds.likert import Likert
from annotation.domain.questions.kinds.registry import KINDS
from annotation.domain.rating.simulated_raters import AnsweringPattern
from annotation.models import Assignment, Criterion, Rating
from annotation.selectors.adjudication.case_page import answer_words
from annotation.selectors.questions.long_table import long_ratings
from annotation.services.rating.simulation import simulate
from scoring.services.agreement.scales import scale_part
from tests.support.people import Cast, make_cast

pytestmark = pytest.mark.django_db


class Stars(Likert):
    key = "stars"
    title = "a number of stars"


@pytest.fixture
def cast(monkeypatch, settings, tmp_path: Path) -> Cast:
    """A study all of whose criteria are of the new kind."""
    folder = tmp_path / "annotation" / "questions" / "stars"
    folder.mkdir(parents=True)
    (folder / "answer.html").write_text('<meter data-of="{{ count }}">{{ criterion.chosen }}</meter>')
    engine = settings.TEMPLATES[0]
    settings.TEMPLATES = [{**engine, "DIRS": [tmp_path, *engine["DIRS"]]}]
    monkeypatch.setitem(KINDS, "stars", Stars())
    made = make_cast(items=4, overlap=2)
    Criterion.objects.update(kind="stars")
    return made


def client_of(cast: Cast, who: str) -> Client:
    client = Client()
    client.force_login(cast.users[who])
    return client


def test_raters_answer_it_on_the_page(cast):
    client = client_of(cast, "rater")
    page = client.get(client.get(reverse("rate", args=[cast.slug])).headers["Location"])
    assert page.content.decode().count('<meter data-of="5">') == 2
    assignment = Assignment.objects.get()
    sent = {
        "submission_key": str(uuid.uuid4()),
        "assignment": assignment.pk,
        "version": assignment.version_id,
    }
    url = reverse("rate-assignment", args=[cast.slug, assignment.pk])
    refused = client.post(url, {**sent, "answer-quality": "9", "answer-creativity": "1"})
    assert refused.status_code == 422
    assert "9 is outside the scale from 1 to 5." in refused.content.decode()
    assert not Rating.objects.exists()
    client.post(url, {**sent, "answer-quality": "4", "answer-creativity": "1"})
    assert set(Rating.objects.values_list("value", flat=True)) == {1, 4}
    assert "4</meter>" in client.get(url).content.decode()


def test_researchers_choose_it_in_the_form_editor(cast):
    url = reverse("study-form", args=[cast.slug, "similes"])
    html = client_of(cast, "owner").get(url).content.decode()
    assert html.count('<option value="stars" selected>a number of stars</option>') == 2


def test_its_answers_are_analysed_by_what_they_yield(cast):
    cast.study.raters.all().delete()
    simulate(study=cast.study, raters=3, mix={AnsweringPattern.CAREFUL: 1.0}, seed=1)
    values = [row["value"] for row in long_ratings(cast.study)]
    assert len(values) == 4 * 2 * 2
    assert set(values) <= set(range(1, 6))
    part = scale_part(cast.study, pool_versions=False)
    assert part is not None
    assert part.counted["value"].notna().sum() == len(values)
    rating = Rating.objects.select_related("criterion").first()
    assert rating is not None
    assert answer_words(rating.criterion, rating) == str(rating.value)
