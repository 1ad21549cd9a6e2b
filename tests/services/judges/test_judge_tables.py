"""What the database checks of judges, and that their answers reach no rater."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.models import Criterion, Item, Rater, Study
from annotation.selectors.studies.rows_of_study import owned_models
from annotation.services.studies.deletion import delete_draft
from scoring.models import Judge, JudgeCall, Judgement
from tests.services.judges.judged_study import add_judge
from tests.support.people import make_cast

pytestmark = pytest.mark.django_db


def refused(rows: type[Judge] | type[Judgement] | type[JudgeCall], **columns: object) -> str:
    with pytest.raises(IntegrityError) as caught, transaction.atomic():
        rows.objects.create(**columns)
    return str(caught.value)


@pytest.mark.parametrize(
    ("columns", "constraint"),
    [
        ({"value": 6, "minimum": 1, "maximum": 5}, "judgement_within_scale"),
        ({"value": 3}, "judgement_within_scale"),
        ({}, "judgement_says_one_thing"),
        ({"value": 3, "minimum": 1, "maximum": 5, "answer": "three"}, "judgement_says_one_thing"),
        ({"value": 3, "minimum": 1, "maximum": 5, "reason": "refused"}, "judgement_says_one_thing"),
        ({"answer": "three", "reason": "refused"}, "judgement_says_one_thing"),
        ({"reason": "refused", "sample": 0}, "judgement_samples_count_from_1"),
    ],
)
def test_a_judgement_says_one_thing_within_the_scale_or_why_it_says_nothing(columns, constraint):
    study = make_cast().study
    judge = Judge.objects.create(study=study, name="A", way="file")
    item, criterion = study.items.all()[0], Criterion.objects.filter(version__form__study=study).first()
    assert constraint in refused(Judgement, judge=judge, item=item, criterion=criterion, **columns)


def test_a_judge_answers_a_criterion_of_an_item_once_per_sample():
    study = make_cast().study
    first = add_judge(study).judgements.all()[0]
    columns = {"judge": first.judge, "item": first.item, "criterion": first.criterion, "reason": "refused"}
    assert "sample" in refused(Judgement, **columns)
    Judgement.objects.create(**columns, sample=2)


@pytest.mark.parametrize("columns", [{"name": "A"}, {"name": ""}, {"name": "B", "way": "rater"}])
def test_a_judge_has_a_name_of_its_own_and_a_known_way(columns):
    study = make_cast().study
    Judge.objects.create(study=study, name="A", way="file")
    assert refused(Judge, **{"study": study, "way": "file", **columns})


@pytest.mark.parametrize(
    "columns", [{}, {"sample": 2}, {"sample": 0, "key": "b"}, {"state": "lost", "key": "b"}]
)
def test_a_call_is_made_once_per_sample_and_per_key_in_a_known_state(columns):
    study = make_cast().study
    judge = Judge.objects.create(study=study, name="A", way="chat")
    JudgeCall.objects.create(judge=judge, item=study.items.all()[0], key="a")
    assert refused(JudgeCall, **{"judge": judge, "item": study.items.all()[0], "key": "a", **columns})


def test_deleting_a_draft_deletes_its_judges():
    cast = make_cast(opened=False)
    judge = add_judge(cast.study)
    JudgeCall.objects.create(judge=judge, item=cast.study.items.all()[0], key="a")
    delete_draft(study=cast.study, actor=cast.users["owner"])
    assert [rows.objects.count() for rows in (Judge, Judgement, JudgeCall)] == [0, 0, 0]


def test_the_deletion_of_a_study_reaches_its_judges_before_its_items():
    order = [one.model for one in owned_models()]
    assert {Judge, Judgement, JudgeCall} <= set(order)
    assert max(order.index(Judgement), order.index(JudgeCall)) < min(order.index(Judge), order.index(Item))


@pytest.mark.parametrize("model", [Study, Item, Criterion, Rater])
def test_the_collecting_side_has_no_way_to_the_answers_of_judges(model):
    judges = {Judge, Judgement, JudgeCall}
    shown = {relation.related_model for relation in model._meta.related_objects}
    assert not judges & shown


def test_a_rating_page_reads_no_table_of_judges():
    cast = make_cast()
    add_judge(cast.study)
    client = Client()
    client.force_login(cast.users["rater"])
    with CaptureQueriesContext(connection) as seen:
        page = client.get(reverse("rate", args=[cast.slug]), follow=True)
    assert page.status_code == 200
    assert "The lamp hung like" in page.content.decode()
    assert not [query["sql"] for query in seen if "scoring_judge" in query["sql"]]
