"""A power plan opens with the question that fits what the study asks for."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Job, Study
from annotation.protocols.registry import TEMPLATES
from annotation.services.studies.lifecycle import create_from_template
from scoring.models import Report
from scoring.selectors.metrics.power_plans import opening_question
from tests.support.people import make_cast

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("protocol", "question"),
    [
        ("preference", "pairs"),
        ("story_pairs", "pairs"),
        ("adaptive_pairs", "pairs"),
        ("best_worst_novelty", "best_worst"),
        ("hauser", "systems"),
    ],
)
def test_comparisons_open_with_their_own_question(protocol, question):
    owner = make_cast().users["owner"]
    study = create_from_template(template=TEMPLATES[protocol], slug="planned", title="Planned", owner=owner)
    assert opening_question(study) == question
    client = Client()
    client.force_login(owner)
    assert client.get(reverse("study-power", args=["planned"])).context["question"] == question


def test_items_without_systems_open_with_agreement():
    study = make_cast(items=3).study
    study.items.update(system="")
    assert opening_question(study) == "coefficient"
    study.items.filter(pk=study.items.order_by("position")[0].pk).update(system="one")
    assert opening_question(study) == "systems"


@pytest.mark.parametrize("question", ["pairs", "best_worst"])
def test_a_report_that_is_there_is_not_asked_for_again(question):
    cast = make_cast()
    client = Client()
    client.force_login(cast.users["owner"])
    address = reverse("study-power", args=[cast.slug]) + f"?question={question}"
    assert "once its reliability is computed" in " ".join(client.get(address).content.decode().split())
    report(cast.study)
    page = " ".join(client.get(address).content.decode().split())
    assert "once its reliability is computed" not in page
    assert "The newest reliability report of this study cannot be the pilot" in page
    planner = client.get(reverse("study-planner", args=[cast.slug])).content.decode()
    assert "Compute a reliability report" not in planner
    assert "Comparisons are planned under Power." in planner


def report(study: Study) -> None:
    job = Job.objects.create(study=study, kind="reliability")
    Report.objects.create(study=study, job=job, kind="reliability", method={"seed": 1}, tables={}, figures=[])
