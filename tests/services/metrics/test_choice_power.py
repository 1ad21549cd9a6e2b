"""Plans of pairs and best–worst sets: their pilot, what is refused, what their page says, what came out."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.urls import reverse

from annotation.domain.base.errors import InvalidContent
from annotation.models import Job, Study
from annotation.services.items.published_choices import import_published_choices
from scoring.models import Report
from scoring.selectors.metrics.power_plans import outcome_of, pilots_of
from scoring.services.metrics.power import request_power
from tests.services.metrics.planned_study import SMALL, member, plan
from tests.support.people import make_cast
from tests.support.studies.choice_study import draft, report_of

pytestmark = pytest.mark.django_db
SETS = (
    *("x,y,z,w,x,w,P", "x,y,z,w,z,x,Q", "w,z,y,v,z,y,P", "w,z,y,v,y,v,Q", "x,y,v,w,y,v,P"),
    *("x,y,v,w,w,y,Q", "z,w,x,v,w,z,P", "z,w,x,v,x,w,Q", "y,x,v,z,v,x,P", "y,x,v,z,z,y,Q"),
)


def chosen_sets(folder: Path) -> Study:
    study = draft("best_worst_novelty")
    path = folder / "sets.csv"
    path.write_text("\n".join(("Item1,Item2,Item3,Item4,BestItem,WorstItem,Annotator", *SETS)) + "\n")
    import_published_choices(study=study, path=path)
    return study


def preferences_of(study: Study, *, share: float, ties: int, competitors: str = "AB") -> Report:
    """A report with win rates of each pair of competitors, as a reliability job stores them."""
    rates = [
        {
            "criterion": "better",
            "competitor": name,
            "n": 200,
            "wins": round(200 * value - ties / 2),
            "ties": ties,
            "share": value,
            "low": value - 0.06,
            "high": value + 0.06,
        }
        for name, value in zip(competitors, (share, 1 - share, 0.5), strict=False)
    ]
    figures = [{"criterion": "better", "coefficient": "exact", "variant": "", "estimate": 0.62}]
    job = Job.objects.create(study=study, kind="reliability", state="done")
    return Report.objects.create(
        study=study,
        job=job,
        kind="reliability",
        fingerprint="0",
        software="groundwork 0",
        figures=figures,
        tables={"win_rates": rates},
    )


def test_a_plan_of_pairs_takes_ties_and_agreement_from_the_report_and_is_compared_with_the_next() -> None:
    study = make_cast().study
    assert pilots_of(study, "pairs") == {}
    pilot = preferences_of(study, share=0.6, ties=20)
    report = plan(study, question="pairs", criterion="better", preferred="0.7")
    assert report.method["ties"] == pytest.approx(0.1, abs=0.01)
    assert 0 < report.method["item"] < 20
    assert outcome_of(report) is None
    pilot.delete()
    preferences_of(study, share=0.58, ties=10)
    outcome = outcome_of(report)
    assert outcome is not None
    assert [(row["name"], row["decided"]) for row in outcome["rows"]] == [("A", True), ("B", True)]
    page = member(study).get(reverse("study-power", args=[study.slug])).content.decode()
    for sentence in ("Is one of two preferred?", "CI excludes 0.5", "those of this study’s answers"):
        assert sentence in page


def test_three_competitors_are_no_pilot_of_two() -> None:
    study = make_cast().study
    preferences_of(study, share=0.6, ties=0, competitors="ABC")
    with pytest.raises(InvalidContent) as refused:
        request_power(study=study, given={**SMALL, "question": "pairs", "criterion": "better"}, actor=None)
    assert list(refused.value.fields) == ["criterion"]


def test_a_plan_of_sets_takes_the_spread_of_strengths_and_is_compared_with_later_scores(
    tmp_path: Path,
) -> None:
    study = chosen_sets(tmp_path)
    pilot = report_of(study)
    (criterion,) = pilots_of(study, "best_worst")
    report = plan(study, question="best_worst", criterion=criterion, difference="1")
    assert report.method["spread"] == pilots_of(study, "best_worst")[criterion]["spread"]
    assert report.method["in_group"] == 0
    pilot.delete()
    later = report_of(study, seed=2)
    outcome = outcome_of(report)
    assert outcome is not None
    stored = {row["item"]: row["score"] for row in later.tables["best_worst_scores"]}
    assert {row["name"]: row["estimate"] for row in outcome["rows"]} == stored
    page = member(study).get(reverse("study-power", args=[study.slug])).content.decode()
    for sentence in (
        "Does one score higher in best–worst sets?",
        "Number of sets",
        "The intervals leave out sets and raters.",
    ):
        assert sentence in page


@pytest.mark.parametrize(
    ("given", "code", "field"),
    [
        ({"question": "pairs", "preferred": "0.5"}, "invalid_plan", "preferred"),
        ({"question": "pairs", "ties": "1"}, "invalid_plan", "ties"),
        ({"question": "best_worst", "difference": "0"}, "invalid_plan", "difference"),
        ({"question": "best_worst", "size": "7"}, "invalid_plan", "size"),
        ({"question": "best_worst", "candidates": "3", "size": "5"}, "too_few_candidates", ""),
    ],
)
def test_what_cannot_be_planned_is_refused(given: dict[str, str], code: str, field: str) -> None:
    study = make_cast().study
    with pytest.raises(InvalidContent) as refused:
        request_power(study=study, given={**SMALL, **given}, actor=None)
    assert refused.value.code == code
    assert [*refused.value.fields] == ([field] if field else [])
    assert not Job.objects.filter(kind="power").exists()


def test_the_api_plans_pairs_and_sets() -> None:
    study = make_cast().study
    client, address = member(study), reverse("api_power", args=[study.slug])
    for body in ({"question": "pairs", "preferred": 0.7, "ties": 0.1}, {"question": "best_worst", "size": 3}):
        assert (
            client.post(address, {**body, "studies": 20}, content_type="application/json").status_code == 202
        )
    assert [job.params["question"] for job in Job.objects.filter(kind="power").order_by("pk")] == [
        "pairs",
        "best_worst",
    ]
