"""A set of yes/no tests has a sum with agreement and KR-20, by system too, with and without this software."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from annotation.models import (
    Criterion,
    Form,
    FormVersion,
    Item,
    Rater,
    Rating,
    Response,
    ScalePoint,
    Study,
    User,
)
from annotation.selectors.questions.criterion_labels import criterion_labels
from annotation.selectors.questions.long_table import ratings_frame
from annotation.services.items.answer_storage import LoadedResponse, store_responses
from annotation.services.quality.exclusions import exclude_rater
from annotation.services.studies.lifecycle import create_study
from scoring.models import Report
from scoring.selectors.agreement.binary_sets import set_groups
from scoring.services.agreement.new_raters import compute_new_raters, request_new_raters
from scoring.services.data.counting import select_ratings
from scoring.services.data.sums import with_sums
from scoring.services.metrics.metrics import compute_metrics, measured_items, request_metrics
from scoring.services.reports.reliability import compute_report, request_report
from tests.bundle.recompute.recomputing import recompute
from tests.bundle.studies import quick, unpacked

pytestmark = pytest.mark.django_db
TESTS, ITEMS, RATERS = 5, 16, 4


def make_study() -> Study:
    """Stories of two systems, five tests of the set `craft` and one that is in no set."""
    owner = User.objects.create_user("sets@example.org", "simile-and-metaphor-42")
    study = create_study(slug="sets", title="Tests", owner=owner, consent="Yes.", instructions="Read.")
    version = FormVersion.objects.create(form=Form.objects.create(study=study, key="tests", title="Tests"))
    criteria = [
        Criterion.objects.create(
            version=version,
            key=f"t{place}",
            name=f"Test {place}",
            kind="binary",
            minimum=0,
            maximum=1,
            position=place,
            settings={"binary": {"set": "craft"}} if place < TESTS else {},
        )
        for place in range(TESTS + 1)
    ]
    for criterion in criteria:
        for place, label in enumerate(("No", "Yes")):
            ScalePoint.objects.create(criterion=criterion, value=str(place), label=label, position=place)
    raters = [
        Rater.objects.create(study=study, code=f"R-{number}", state="active") for number in range(RATERS)
    ]
    items = [
        Item.objects.create(study=study, key=f"I-{place:02d}", position=place, system="AB"[place % 2])
        for place in range(ITEMS)
    ]
    rng = np.random.default_rng(3)
    ability, hardness = rng.normal(size=ITEMS) + np.arange(ITEMS) % 2, np.linspace(-1, 1, TESTS + 1)
    store_responses(
        loaded=[
            LoadedResponse(
                item=item,
                rater=rater,
                version=version,
                values={
                    criterion: int(ability[place] - hardness[number] + rng.normal() > 0)
                    for number, criterion in enumerate(criteria)
                },
            )
            for place, item in enumerate(items)
            for rater in raters
        ]
    )
    return study


@pytest.fixture
def study() -> Study:
    return make_study()


def computed(study: Study) -> Report:
    return compute_report(lease=quick(request_report(study=study, actor=None, announce=False)))


def test_the_sum_of_a_response_is_the_number_of_its_passed_tests(study):
    frame, data = select_ratings(study, ratings_frame(study), pool_versions=False)
    rows = with_sums(study, frame)
    sums = rows[rows["criterion"] == "craft:sum"]
    in_set = rows[rows["criterion"].isin([f"t{place}" for place in range(TESTS)])]
    assert (
        sums.set_index("response")["value"].to_dict() == in_set.groupby("response")["value"].sum().to_dict()
    )
    # A sum is computed and no rating.
    assert data["n_ratings"] == ITEMS * RATERS * (TESTS + 1)


def test_a_response_that_leaves_a_test_open_has_no_sum(study):
    response = Response.objects.earliest("pk")
    Rating.objects.filter(response=response, criterion__key="t2").delete()
    frame, _ = select_ratings(study, ratings_frame(study), pool_versions=False)
    sums = with_sums(study, frame).query("criterion == 'craft:sum'")
    assert len(sums) == ITEMS * RATERS - 1
    assert response.pk not in set(sums["response"])


def test_the_report_has_the_sum_kr20_and_the_item_analysis_and_recomputes(study, tmp_path: Path):
    exclude_rater(rater=study.raters.get(code="R-3"), reason="At random.", actor=User.objects.get())
    report = computed(study)
    found = {
        row["coefficient"]: row
        for row in report.figures
        if row["criterion"] == "craft:sum" and not row["reason"]
    }
    assert {"kr20", "alpha", "icc2", "held_out_pearson"} <= set(found)
    assert found["kr20"]["variant"] == "k=5"
    assert found["kr20"]["n_ratings"] == ITEMS * (RATERS - 1)
    (group,) = set_groups(report)
    assert [row["test"] for row in group["rows"]] == [f"t{place}" for place in range(TESTS)]
    assert group["kr20"] == found["kr20"]["estimate"]
    assert criterion_labels(study)["craft:sum"] == "craft, sum of tests"
    compute_metrics(lease=quick(request_metrics(study=study, actor=None)))
    compute_new_raters(lease=quick(request_new_raters(study=study, actor=None)))
    status, printed = recompute(unpacked(study, tmp_path))
    assert status == 0, printed
    assert "not recomputed" not in printed


def test_systems_are_compared_by_the_mean_of_the_sum(study):
    items, table, _ = measured_items(study, without=[])
    assert "craft:sum" in items.criteria
    sums = table.criteria["craft:sum"]
    assert (sums.value.min() >= 0) & (sums.value.max() <= TESTS)
    assert list(sums.categories) == list(range(TESTS + 1))


def test_kr20_keeps_the_answers_from_before_a_correction_of_the_form(study, tmp_path: Path):
    (first,) = FormVersion.objects.filter(form__study=study)
    corrected = FormVersion.objects.create(
        form=first.form, number=first.number, correction=1, pool=first.pool
    )
    again = {}
    for one in first.criteria.prefetch_related("points"):
        points = list(one.points.all())
        one.pk, one.version = None, corrected
        one.save()
        for point in points:
            point.pk, point.criterion = None, one
            point.save()
        again[one] = one.position % 2
    rater = Rater.objects.create(study=study, code="R-9", state="active")
    item = study.items.earliest("position")
    store_responses(loaded=[LoadedResponse(item=item, rater=rater, version=corrected, values=again)])
    found = {row["coefficient"]: row for row in computed(study).figures if row["criterion"] == "craft:sum"}
    assert found["alpha"]["n_ratings"] == found["kr20"]["n_ratings"] == ITEMS * RATERS + 1
    status, printed = recompute(unpacked(study, tmp_path))
    assert status == 0, printed
