"""Groups of raters on their page: their figures, and what is too small to be shown."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.models import DemographicAnswer, DemographicQuestion, Rater, Rating, Study
from annotation.services.items.answer_storage import LoadedResponse, store_responses
from tests.services.metrics.rated_study import owner_of, rated_study

pytestmark = pytest.mark.django_db


def add_raters(study: Study, number: int) -> list[Rater]:
    """More raters, each with the answers of one of the five who are there."""
    first = list(study.raters.filter(code__startswith="M-").order_by("code"))
    more = [study.raters.create(code=f"N-{n}") for n in range(number)]
    version = study.forms.get().versions.get()
    criteria = {one.pk: one for one in version.criteria.all()}
    loaded = []
    for n, twin in enumerate(more):
        for page in first[n % 5].assignments.select_related("item"):
            ratings = Rating.objects.filter(response__assignment=page, response__current=True)
            values = {criteria[one.criterion_id]: int(one.value or 0) for one in ratings}
            loaded.append(LoadedResponse(item=page.item, rater=twin, version=version, values=values))
    store_responses(loaded=loaded)
    return [*first, *more]


def answer(study: Study, raters: list[Rater], options: list[str]) -> None:
    question = DemographicQuestion.objects.create(
        study=study, key="first-language", text="First language", kind="choice", options=sorted({*options})
    )
    DemographicAnswer.objects.bulk_create(
        DemographicAnswer(rater=rater, question=question, value=option, answered_at=timezone.now())
        for rater, option in zip(raters, options, strict=True)
    )


def page_of(study: Study, client: Client | None = None, query: str = ""):
    client = client or owner_of(study)
    return client.get(reverse("study-perspectives", args=[study.slug]) + query)


def test_groups_have_their_means_and_small_ones_are_not_shown():
    study = rated_study()
    raters = add_raters(study, 7)
    answer(study, raters, ["Japanese"] * 5 + ["Chinese"] * 5 + ["Dutch"] * 2)
    page = page_of(study)
    quality = page.context["criteria"][0]
    chinese, japanese = quality["rows"]
    assert [row["group"].name for row in quality["rows"]] == ["Chinese", "Japanese"]
    assert chinese["mean"] == pytest.approx(japanese["mean"]), "their ratings are copies of each other"
    assert quality["found"].disagreement.p > 0.2
    text = " ".join(page.content.decode().split())
    assert "Groups of fewer than 5 raters are not shown, and no figure here contains their ratings." in text
    assert "Dutch" not in text
    assert "permutation test" in text


def test_questions_that_are_not_on_a_scale_are_named_with_their_kind_as_not_compared():
    study = rated_study()
    raters = list(study.raters.filter(code__startswith="M-"))
    answer(study, raters, ["a", "a", "a", "b", "b"])
    assert page_of(study).context["not_compared"] == []
    version = study.forms.get().versions.get()
    version.criteria.create(key="senses", name="Senses", kind="multiple", position=9)
    page = page_of(study)
    assert '<bdi>Senses</bdi> <span class="muted">multiple choice</span>' in page.content.decode()
    version.criteria.exclude(key="senses").update(kind="multiple")
    text = page_of(study).content.decode()
    assert "No ratings on scales yet." in text
    assert "no choices yet" not in text


def test_a_study_without_such_a_question_says_what_to_do():
    assert "No demographic question with options." in page_of(rated_study()).content.decode()


def test_another_question_is_chosen_by_its_address_and_an_unknown_one_is_not_found():
    study = rated_study()
    answer(study, list(study.raters.filter(code__startswith="M-")), ["a", "a", "a", "b", "b"])
    page = page_of(study, query="?question=first-language")
    assert page.context["criteria"][0]["found"].disagreement.reason == "too_few_groups"
    assert 'href="/help/statistics/rater-groups/"' in page.content.decode()
    assert page_of(study, query="?question=none").status_code == 404
