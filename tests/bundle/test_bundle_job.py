"""A bundle is made by a job, stored, and taken away by members."""

from __future__ import annotations

import io
import uuid
import zipfile
from decimal import Decimal
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client
from django.urls import reverse

from annotation.domain.base.errors import GroundworkError, InvalidContent, LeaseLost
from annotation.domain.pay.wages import PayFor
from annotation.models import Exclusion, Job, Study
from annotation.selectors.base.archives import archive_path, is_outdated
from annotation.services.base.jobs import cancel, claim
from annotation.services.pay.pay_settings import set_pay
from annotation.services.rating.next_item import next_assignment
from annotation.services.rating.problem_reports import report_problem
from annotation.services.rating.withdrawal import withdraw
from scoring.services.reports.bundles import (
    MOST_STORED,
    make_bundle,
    newest_bundle,
    request_bundle,
    write_bundle,
)
from scoring.services.reports.reliability import compute_report, request_report
from tests.bundle.studies import quick, rich_cast
from tests.support.people import Cast, join, make_cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    return make_cast()


def made(study: Study) -> Job:
    job = request_bundle(study=study, actor=None)
    lease = claim(job_id=job.pk)
    assert lease is not None
    make_bundle(lease=lease)
    job.refresh_from_db()
    return job


def signed_in(cast: Cast, who: str) -> Client:
    client = Client()
    client.force_login(cast.users[who])
    return client


def names_in(content: bytes) -> set[str]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert archive.testzip() is None
        return {name.partition("/")[2] for name in archive.namelist()}


def test_a_researcher_asks_for_a_bundle_on_the_page_and_takes_it_away(cast):
    client = signed_in(cast, "researcher")
    page = reverse("study-exports", args=[cast.slug])
    client.post(reverse("study-bundle", args=[cast.slug]), {"formats": ["xlsx"], "bom": "1"})
    job = Job.objects.get(kind="bundle")
    assert job.params == {"formats": ["xlsx"], "bom": True, "pay": False}
    assert "Waiting for a worker" in client.get(page).content.decode()
    lease = claim(job_id=job.pk)
    assert lease is not None
    make_bundle(lease=lease)

    address = reverse("study-bundle-file", args=[cast.slug, job.pk])
    assert f'href="{address}"' in client.get(page).content.decode()
    content = client.get(address).getvalue()

    assert {"data/ratings.xlsx", "data/ratings.parquet", "README.md", "recompute/__main__.py"} <= names_in(
        content
    )
    assert cast.study.audit.get(act="export_bundle").detail == {"job": job.pk}


def test_the_page_says_when_a_bundle_no_longer_shows_the_study_as_it_is(cast):
    client, page = signed_in(cast, "researcher"), reverse("study-exports", args=[cast.slug])
    job = made(cast.study)
    client.get(reverse("study-bundle-file", args=[cast.slug, job.pk])).getvalue()
    assert "has changed since" not in client.get(page).content.decode()
    rater, _ = join(cast.invitation)
    withdraw(rater=rater)
    assert "has changed since" in client.get(page).content.decode()


def test_a_problem_that_a_rater_reported_since_is_not_in_the_bundle(cast):
    rater, _ = join(cast.invitation)
    page = next_assignment(rater=rater)
    job = made(cast.study)
    assert not is_outdated(job)
    report_problem(assignment=page, reason="upsetting", report_key=uuid.uuid4())
    assert is_outdated(job)


def test_the_api_makes_a_bundle_and_gives_the_newest(cast):
    client = cast.client("researcher")
    assert client.get(f"{cast.base}/bundle/").status_code == 404
    asked = client.post(f"{cast.base}/bundle/", {"formats": ["tsv"]}, format="json")
    assert asked.status_code == 202, asked.json()
    lease = claim(job_id=asked.json()["id"])
    assert lease is not None
    make_bundle(lease=lease)

    answer = client.get(f"{cast.base}/bundle/")

    assert answer["Content-Type"] == "application/zip"
    assert "data/items.tsv" in names_in(answer.getvalue())
    refused = client.post(f"{cast.base}/bundle/", {"formats": ["pdf"]}, format="json")
    assert refused.status_code == 400
    assert "formats.0" in refused.json()["fields"]


def test_only_the_newest_bundles_remain(cast):
    jobs = [made(cast.study) for _ in range(MOST_STORED + 1)]

    assert [archive_path(job).is_file() for job in jobs] == [False, *[True] * MOST_STORED]
    assert newest_bundle(cast.study, with_pay=False) == jobs[-1]
    address = reverse("study-bundle-file", args=[cast.slug, jobs[0].pk])
    assert signed_in(cast, "owner").get(address).status_code == 404


@pytest.mark.parametrize(("policy", "served"), [("erase", 404), ("exclude", 200)])
def test_an_archive_made_before_a_rater_was_erased_is_deleted_and_given_to_no_one(cast, policy, served):
    Study.objects.filter(pk=cast.study.pk).update(on_withdrawal=policy)
    job = made(cast.study)
    withdraw(rater=join(cast.invitation)[0])

    address = reverse("study-bundle-file", args=[cast.slug, job.pk])
    assert signed_in(cast, "owner").get(address).status_code == served
    assert cast.client("owner").get(f"{cast.base}/bundle/").status_code == served
    assert archive_path(job).is_file() is (served == 200)
    page = signed_in(cast, "owner").get(reverse("study-exports", args=[cast.slug])).content.decode()
    assert (address in page, "has expired" in page) == (served == 200, served == 404)
    assert newest_bundle(cast.study, with_pay=True) == (job if served == 200 else None)
    later = made(cast.study)
    assert newest_bundle(cast.study, with_pay=True) == later


def test_a_job_that_is_stopped_leaves_no_archive(cast):
    job = request_bundle(study=cast.study, actor=None)
    lease = claim(job_id=job.pk)
    assert lease is not None
    cancel(job=job)

    with pytest.raises(LeaseLost):
        make_bundle(lease=lease)

    assert list(archive_path(job).parent.glob(f"{job.study_id}-{job.pk}.*")) == []


def test_answers_that_keep_coming_in_are_no_bundle_that_does_not_fit_together():
    study = rich_cast().study
    rater = study.raters.get(code="R-12")

    def another(done: int, total: int, path: str) -> None:
        if path == "README.md" and done:
            Exclusion.objects.create(study=study, rater=rater, reason="Meanwhile.")

    with pytest.raises(GroundworkError) as refusal:
        write_bundle(
            study=study, target=io.BytesIO(), formats=(), bom=False, with_pay=False, progress=another
        )

    assert refusal.value.code == "data_changed"


def test_a_format_that_is_unknown_is_refused_before_any_work(cast):
    with pytest.raises(InvalidContent, match="'pdf'"):
        request_bundle(study=cast.study, actor=None, formats=["pdf"])

    assert not Job.objects.exists()


def test_what_raters_are_paid_is_shown_only_to_those_who_manage():
    cast = rich_cast()
    study = cast.study
    set_pay(
        study=study,
        actor=cast.users["owner"],
        currency="EUR",
        amount=Decimal("8217.43"),
        paid_for=PayFor.PAGE,
    )
    paper = reverse("study-paper", args=[study.slug])
    for who, shown in (("researcher", False), ("admin", True)):
        client = signed_in(cast, who)
        assert ("8217.43" in client.get(paper).content.decode()) is shown
        client.post(reverse("study-bundle", args=[study.slug]))
        job = Job.objects.filter(kind="bundle").latest("pk")
        lease = claim(job_id=job.pk)
        assert lease is not None
        make_bundle(lease=lease)
        with zipfile.ZipFile(archive_path(job)) as archive:
            files = [archive.read(name) for name in archive.namelist()]
        assert any(b"8217.43" in file for file in files) is shown

    assert newest_bundle(study, with_pay=True) == job
    address = reverse("study-bundle-file", args=[study.slug, job.pk])
    assert signed_in(cast, "researcher").get(address).status_code == 403
    page = signed_in(cast, "researcher").get(reverse("study-exports", args=[study.slug]))
    assert address not in page.content.decode()
    assert signed_in(cast, "admin").get(address).status_code == 200


def test_the_command_writes_the_bundle_to_a_file(cast, tmp_path: Path):
    target = tmp_path / "lamps.zip"

    call_command("export", cast.slug, what="bundle", format="jsonl", out=str(target))

    assert "data/ratings.jsonl" in names_in(target.read_bytes())
    with pytest.raises(CommandError, match="no study"):
        call_command("export", "nowhere", what="bundle", out=str(target))


def test_the_paper_page_says_what_is_known_and_shows_the_tables():
    cast = rich_cast()
    study = cast.study
    client = signed_in(cast, "researcher")
    page = reverse("study-paper", args=[study.slug])
    compute_report(lease=quick(request_report(study=study, actor=None, announce=False)))

    shown = client.get(page).content.decode()
    table = client.get(reverse("study-paper-table", args=[study.slug, "before-after"]))

    assert "about 36 items (12 groups of 3 systems) on 1 March 2026." in shown
    assert "about 31 items from 5 raters (1 of them simulated, with " in shown
    assert "quality (1 to 5), creativity (1 to 5)" in shown
    assert "were paid" not in shown
    assert "Krippendorff α (ordinal, 95% bootstrap CI from 40 resamples of groups" in shown
    assert table["Content-Type"] == "application/x-tex"
    assert r"\toprule" in table.content.decode()
    Study.objects.filter(pk=study.pk).update(include_late=True)
    stale = client.get(page).content.decode()
    assert "are not included. Compute them again:" in stale
    assert "<li>Reliability</li>" in stale
    assert "Krippendorff" not in stale
