"""Pages, previews and reports speak of one wording: the newest with an answer that counts."""

from __future__ import annotations

import uuid

import pytest
from django.utils import timezone

from annotation.models import Assignment, Criterion, Rater, Response, Study
from annotation.services.quality.exclusion_rules import apply_rule, declare_rule
from annotation.services.quality.exclusions import exclude_rater
from scoring.models import ItemFigure, Report
from scoring.services.raters.multiverse import compute_multiverse, request_multiverse
from scoring.services.reports.reliability import compute_report, request_report
from tests.bundle.recompute.recomputing import recompute
from tests.bundle.studies import unpacked
from tests.support.people import add_form
from tests.support.studies.disagreement_study import (
    CRITERIA,
    _lease,
    figures_of,
    make_study,
    owner_of,
    previewed,
)

pytestmark = pytest.mark.django_db
FAST = [{"kind": "too_fast", "seconds": 3}]


@pytest.fixture
def study() -> Study:
    """A form with a second wording, which only a careless rater has answered so far."""
    study = make_study()
    form = study.forms.get()
    draft = add_form(study, overlap=3, key="draft")
    second = draft.form
    draft.form, draft.number = form, 2
    draft.pool = draft.place
    draft.save()
    second.delete()
    careless = Rater.objects.create(study=study, code="R-004", state="active")
    for item in study.items.all()[:12]:
        page = Assignment.objects.create(rater=careless, item=item, form=form, version=draft)
        answer = Response.objects.create(
            assignment=page,
            version=draft,
            submission_key=uuid.uuid4(),
            submitted_at=timezone.now(),
            seconds=1.0,
        )
        for criterion in Criterion.objects.filter(version=draft):
            answer.ratings.create(criterion=criterion, value=1 + item.position % 5, minimum=1, maximum=5)
    return study


def reported(study: Study) -> Report:
    return compute_report(
        lease=_lease(request_report(study=study, actor=None, replicates=50, announce=False).pk)
    )


def n_ratings(study: Study) -> int:
    made = figures_of(study)
    return sum(ItemFigure.objects.filter(summary__made=made).values_list("n", flat=True))


def by_hand(study: Study) -> None:
    exclude_rater(rater=study.raters.get(code="R-004"), reason="A bot.", actor=owner_of(study))


def by_rule(study: Study) -> None:
    rule = declare_rule(
        study=study, name="Fast", conditions=FAST, reason="?", criteria=CRITERIA, actor=owner_of(study)
    )
    apply_rule(rule=rule, actor=owner_of(study), **previewed(rule).tables["caught"])


def test_the_newest_wording_that_was_answered_is_the_one_of_all_figures(study: Study) -> None:
    assert n_ratings(study) == reported(study).data["n_ratings"] == 2 * 12


@pytest.mark.parametrize("exclude", [by_hand, by_rule])
def test_a_wording_that_exclusions_take_out_whole_hides_no_other(study: Study, exclude, tmp_path) -> None:
    exclude(study)
    report = reported(study)
    assert n_ratings(study) == report.data["n_ratings"] == 2 * 180
    before = {
        row["criterion"]: row["n_ratings"] for row in report.tables["before"] if row["coefficient"] == "alpha"
    }
    assert before == dict.fromkeys(CRITERIA, 180)
    table = compute_multiverse(lease=_lease(request_multiverse(study=study, actor=None).pk))
    assert {world["counts"]["ratings"] for world in table.tables["worlds"]} == {2 * 180}
    status, printed = recompute(unpacked(study, tmp_path))
    assert status == 0, printed


def test_a_preview_speaks_of_the_data_without_its_own_rule(study: Study) -> None:
    by_rule(study)
    preview = previewed(study.exclusion_rules.get())
    assert preview.tables["before"]["counts"]["ratings"] == 2 * 12
    assert preview.tables["gone"]["ratings"] == 2 * 12
