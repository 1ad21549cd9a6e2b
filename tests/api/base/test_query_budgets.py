"""No address of the API needs more queries than its budget, and none more for a larger study."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from annotation.models import ExclusionRule, Job, Study, Upload
from scoring.models import FileScoring, SavedView, Score, ScoredItem, ScoreRun
from tests.services.judges.judged_study import chat_judge
from tests.support.outside.rater_mail import message_to
from tests.support.people import Cast, join, make_cast
from tests.support.studies.adjudication_study import decide_all
from tests.support.studies.answers import answer_for
from tests.support.studies.disagreement_study import figures_of
from tests.support.studies.pay import made, on_platform, pay
from tests.support.studies.reports import make_report

BUDGETS: dict[str, int] = tomllib.loads(
    (Path(__file__).parents[2] / "query_budgets" / "api.toml").read_text(encoding="utf-8")
)


def rate_all(slug: str, client: APIClient, number: int) -> int:
    address = f"/api/v1/rate/{slug}/next/"
    for _ in range(number):
        page = client.get(address).json()
        assert client.post(address, answer_for(page), format="json").status_code == 201
    return int(page["assignment"])


def filled(slug: str, items: int, raters: int) -> tuple[Cast, dict[str, tuple[APIClient, str]]]:
    """A study with answers, scores and reports; address → who asks for which path."""
    cast = make_cast(slug=slug, items=items, overlap=raters + 1)
    run = ScoreRun.objects.create(study=cast.study, name="one")
    Score.objects.bulk_create(
        Score(run=run, item=item, metric="length", value=1.0) for item in cast.study.items.all()
    )
    ScoredItem.objects.bulk_create(
        ScoredItem(run=run, item=item, fingerprint="0") for item in cast.study.items.all()
    )
    FileScoring.objects.bulk_create(
        FileScoring(
            owner=cast.users["researcher"], job=Job.objects.create(kind="score_file"), name="similes.csv"
        )
        for _ in range(items)
    )
    report, job = [make_report(cast.study) for _ in range(raters)][-1]
    for _ in range(raters):
        _, rater = join(cast.invitation)
        answered = rate_all(slug, rater, items - 1)
    case = decide_all(cast.study, cast.users["owner"], [item.key for item in cast.study.items.all()])
    figures_of(cast.study)
    rule = [make_rule(cast.study, number) for number in range(raters)][-1]
    sent = sent_by(cast).pk
    message_to(cast)
    pay(cast)
    made(cast)
    on_platform(cast)
    owner = cast.client("owner")
    member, rate = cast.client("researcher"), f"/api/v1/rate/{slug}"
    asks = {
        "api_studies": (member, "/api/v1/studies/"),
        "api_study": (member, f"{cast.base}/"),
        "api_definition": (member, f"{cast.base}/definition/"),
        "api_items": (member, f"{cast.base}/items/"),
        "api_item": (member, f"{cast.base}/items/L00/"),
        "api_cases": (member, f"{cast.base}/adjudication/?state=all"),
        "api_case": (member, f"{cast.base}/adjudication/{case}/"),
        "api_raters": (member, f"{cast.base}/raters/"),
        "api_reserved_slots": (owner, f"{cast.base}/reserved-slots/"),
        "api_pair_rounds": (member, f"{cast.base}/pair-rounds/"),
        "api_notifications": (member, f"{cast.base}/notifications/"),
        "api_messages": (owner, f"{cast.base}/messages/"),
        "api_message": (owner, f"{cast.base}/messages/1/"),
        "api_pay": (owner, f"{cast.base}/pay/"),
        "api_payment_lists": (owner, f"{cast.base}/pay/lists/"),
        "api_payment_list": (owner, f"{cast.base}/pay/lists/1/"),
        "api_payments": (owner, f"{cast.base}/pay/payments/"),
        "api_crowd_study": (owner, f"{cast.base}/prolific/"),
        "api_crowd_connection": (owner, f"{cast.base}/prolific/connection/"),
        "api_crowd_submissions": (owner, f"{cast.base}/prolific/submissions/"),
        "api_reports": (member, f"{cast.base}/reports/"),
        "api_report": (member, f"{cast.base}/reports/{report}/"),
        "api_scores": (member, f"{cast.base}/scores/"),
        "api_judges": (member, f"{cast.base}/judges/"),
        "api_judge": (member, f"{cast.base}/judges/{chat_judge(cast.study).pk}/"),
        "api_score_runs": (member, f"{cast.base}/runs/"),
        "api_score_run": (member, f"{cast.base}/runs/{run.pk}/"),
        "api_score_run_items": (member, f"{cast.base}/runs/{run.pk}/items/"),
        "api_score_run_item": (member, f"{cast.base}/runs/{run.pk}/items/L00/"),
        "api_scorings": (member, "/api/v1/scorings/"),
        "api_disagreement": (
            member,
            f"{cast.base}/disagreement/?metric=length&where=quality.n>=0&sort=-quality.divergence",
        ),
        "api_disagreement_figures": (member, f"{cast.base}/disagreement/figures/"),
        "api_saved_views": (member, f"{cast.base}/disagreement/views/"),
        "api_rules": (member, f"{cast.base}/exclusion-rules/"),
        "api_rule": (member, f"{cast.base}/exclusion-rules/{rule}/"),
        "api_rater_figures": (member, f"{cast.base}/raters/figures/"),
        "api_job": (member, f"/api/v1/jobs/{job}/"),
        "api_upload": (member, f"/api/v1/uploads/{sent}/"),
        "api_rate": (rater, f"{rate}/"),
        "api_rate_answers": (rater, f"{rate}/answers/"),
        "api_rate_assignment": (rater, f"{rate}/{answered}/"),
        "api_rate_next": (rater, f"{rate}/next/"),
    }
    return cast, asks


def sent_by(cast: Cast) -> Upload:
    job = Job.objects.create(kind="read_upload", study=cast.study)
    who = cast.users["researcher"]
    return Upload.objects.create(study=cast.study, job=job, act="items", name="items.csv", created_by=who)


def make_rule(study: Study, number: int) -> int:
    SavedView.objects.create(study=study, name=f"View {number}")
    key = f"rule-{number}"
    return ExclusionRule.objects.create(study=study, key=key, name=key, reason="one").pk


def count(client: APIClient, path: str) -> int:
    with CaptureQueriesContext(connection) as queries:
        assert client.get(path).status_code == 200
    return sum(1 for query in queries if "SAVEPOINT" not in query["sql"])


@pytest.mark.django_db
def test_every_address_stays_within_its_budget_at_any_size() -> None:
    _, small = filled("small", items=3, raters=2)
    _, large = filled("large", items=12, raters=4)
    assert small.keys() == BUDGETS.keys()
    found = {name: (count(*small[name]), count(*large[name])) for name in BUDGETS}
    assert {name: pair for name, pair in found.items() if max(pair) > BUDGETS[name]} == {}, found
    # A seat is looked for from a drawn place to the end of its circle, then from the start: one more query.
    assert {name: pair for name, pair in found.items() if abs(pair[1] - pair[0]) > 1} == {}, found
