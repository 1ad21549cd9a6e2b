"""Best–worst scores are compared with mean ratings of the same items in own studies."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Criterion, Job, Rater, Study
from annotation.services.items.answer_storage import LoadedResponse, store_responses
from scoring.models import Report
from scoring.services.choices.likert_means import compare_with_scales
from tests.support.people import Cast, make_cast

pytestmark = pytest.mark.django_db
SCORES = {"I00": -0.8, "I01": -0.2, "I02": 0.1, "I03": 0.4, "I04": 0.9, "A text of no item": 0.0}


def report_of(study: Study) -> Report:
    rows = [{"criterion": "Novelty", "item": item, "score": score} for item, score in SCORES.items()]
    job = Job.objects.create(study=study, kind="reliability")
    tables = {"best_worst_scores": rows}
    return Report.objects.create(
        study=study, job=job, kind="reliability", method={"seed": 1}, tables=tables, figures=[]
    )


@pytest.fixture
def other() -> Cast:
    """Items whose quality rises with their number, each rated by two."""
    cast = make_cast(slug="scales", items=5)
    criteria = {one.key: one for one in Criterion.objects.filter(version__form__study=cast.study)}
    raters = [Rater.objects.create(study=cast.study, code=f"S-{n}", state="active") for n in range(2)]
    store_responses(
        loaded=[
            LoadedResponse(
                item=item,
                rater=rater,
                version=criteria["quality"].version,
                values={criteria["quality"]: place + 1, criteria["creativity"]: 3},
            )
            for place, item in enumerate(cast.study.items.order_by("position"))
            for rater in raters
        ]
    )
    return cast


def test_items_are_matched_by_their_ids_and_by_their_texts(other):
    study = make_cast(slug="sets", items=0, opened=False).study
    report = report_of(study)
    for place, item in enumerate(other.study.items.order_by("position")):
        assert place < 5
        item.key = f"I0{place}" if place % 2 else f"other-{place}"
        item.fields = {"simile": f"I0{place}"}
        item.save()
    rows = {(row["scale"], row["coefficient"]): row for row in compare_with_scales(report, other.study)}
    found = rows["quality", "spearman"]
    assert (found["criterion"], found["n"]) == ("Novelty", 5)
    assert found["estimate"] == pytest.approx(1)
    assert rows["creativity", "pearson"]["reason"] == "constant_ratings"


def test_the_page_offers_own_studies_only_and_the_file_has_the_same_numbers(other):
    cast = make_cast(slug="sets", items=0, opened=False)
    report_of(cast.study)
    client = Client()
    client.force_login(cast.users["owner"])
    page = reverse("study-likert-means", args=["sets"])
    assert 'value="scales"' not in client.get(page).content.decode()
    other.study.memberships.create(user=cast.users["owner"], role="owner")
    shown = client.get(f"{page}?with=scales").content.decode()
    assert "Spearman" in shown
    file = client.get(reverse("study-likert-means-download", args=["sets"]) + "?with=scales")
    lines = b"".join(file).decode().splitlines()
    assert lines[0].startswith("criterion,study,scale,coefficient,estimate,low,high,n")
    assert len(lines) == 5


def test_only_studies_with_scales_are_offered():
    cast, scales = make_cast(slug="sets", opened=False), make_cast(slug="scales", opened=False)
    scales.study.memberships.filter(role="owner").update(user=cast.users["owner"])
    Criterion.objects.filter(version__form__study=cast.study).update(kind="best_worst")
    report_of(cast.study)
    client = Client()
    client.force_login(cast.users["owner"])
    address = reverse("study-likert-means", args=[cast.slug])
    assert [one.slug for one in client.get(address).context["studies"]] == ["scales"]
    Criterion.objects.all().update(kind="best_worst")
    page = client.get(address)
    assert "None of your studies asks for ratings on a scale." in page.content.decode()
