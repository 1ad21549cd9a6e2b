"""A share link shows one stored report, nothing of single raters, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.test import Client, override_settings
from django.utils import timezone
from pytest_django.plugin import DjangoDbBlocker

from annotation.domain.base.errors import InvalidContent
from annotation.models import AuditEntry, Criterion, Study, User
from annotation.services.base.jobs import claim
from scoring.models import Report, ShareLink
from scoring.services.reports.reliability import compute_report, request_report
from scoring.services.reports.share_links import create_share_link, revoke_share_link
from tests.support.running.tables import rows_of_a_module
from tests.support.studies.rated_study import rated_study

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def report_of_the_module(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[int]:
    with rows_of_a_module(django_db_blocker):
        study = rated_study(with_scores=False)
        lease = claim(job_id=request_report(study=study, actor=None, replicates=20, announce=False).pk)
        assert lease is not None
        yield compute_report(lease=lease).pk


@pytest.fixture
def report(report_of_the_module: int, db: None) -> Report:
    return Report.objects.get(pk=report_of_the_module)


def owner_of(study: Study) -> User:
    return study.memberships.get(role="owner").user


def share(report: Report, **other: object) -> tuple[ShareLink, str]:
    study = report.study
    given = {"names": {"quality": "Quality"}, "label": "reviewers", "days": 14, **other}
    return create_share_link(study=study, report=report, actor=owner_of(study), **given)  # type: ignore[arg-type]


def opened(token: str) -> str:
    answer = Client().get(f"/shared-result/{token}/")
    assert answer.status_code == 200
    return answer.content.decode()


def test_it_shows_the_figures_and_no_rater_no_link_into_the_study_and_no_form(report):
    page = opened(share(report)[1])
    figure = next(
        row for row in report.figures if row["coefficient"] == "alpha" and row["estimate"] is not None
    )
    assert f"{figure['estimate']:.3f}" in page
    assert "M-0" not in page
    assert "M-1" not in page
    main = page[page.index("<main") :]
    assert re.findall(r'(?:href|action|src)="(?!/help/)([^"]*)"', main) == []
    assert "/studies/" not in page
    assert "/api/" not in page
    assert "<form" not in main


def test_what_it_shows_does_not_change_with_the_study(report):
    _, token = share(report)
    before = opened(token)
    Study.objects.filter(pk=report.study_id).update(title="Another title", state="closed")
    Criterion.objects.filter(version__form__study=report.study).update(name="Renamed")
    Report.objects.create(
        study=report.study,
        job=request_report(study=report.study, actor=None, announce=False),
        fingerprint="1",
    )
    without_keys = [re.sub(r'(nonce|value)="[^"]*"', "", page) for page in (before, opened(token))]
    assert without_keys[0] == without_keys[1]


def test_it_is_not_indexed_not_cached_and_no_address_is_passed_on(report):
    answer = Client().get(f"/shared-result/{share(report)[1]}/")
    assert "noindex" in answer.headers["X-Robots-Tag"]
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert "no-store" in answer.headers["Cache-Control"]
    assert '<meta name="robots" content="noindex' in answer.content.decode()


def test_a_revoked_an_expired_and_an_unknown_link_answer_alike(report):
    link, token = share(report)
    assert opened(token)
    revoke_share_link(link=link, actor=owner_of(report.study))
    expired, old = share(report)
    ShareLink.objects.filter(pk=expired.pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    answers = [Client().get(f"/shared-result/{one}/") for one in (token, old, "nothing")]
    assert {one.status_code for one in answers} == {404}
    assert len({re.sub(r'"[^"]*"|[0-9a-f-]{36}', "", one.content.decode()) for one in answers}) == 1


def test_a_link_does_not_outlive_the_beginning_of_the_deletion_of_its_study(report):
    _, token = share(report)
    assert opened(token)
    Study.objects.filter(pk=report.study_id).update(deletion_began_at=timezone.now())
    assert Client().get(f"/shared-result/{token}/").status_code == 404


def test_the_secret_is_not_stored_and_openings_are_counted(report):
    link, token = share(report)
    opened(token)
    Client().head(f"/shared-result/{token}/")
    row = ShareLink.objects.values().get(pk=link.pk)
    assert token not in str(row)
    assert token not in str(list(AuditEntry.objects.values()))
    assert (row["n_opened"], row["last_opened_at"] is not None) == (1, True)


def test_creating_and_revoking_are_in_the_audit_log_once(report):
    link, _ = share(report)
    for _time in range(2):
        revoke_share_link(link=link, actor=owner_of(report.study))
    acts = AuditEntry.objects.filter(study=report.study, act__endswith="share_link").order_by("pk")
    assert [entry.act for entry in acts] == ["create_share_link", "revoke_share_link"]


@pytest.mark.parametrize(
    ("other", "code"),
    [({"label": " "}, "no_label"), ({"days": 0}, "bad_lifetime"), ({"days": 366}, "bad_lifetime")],
)
def test_a_link_needs_a_name_and_an_end(report, other, code):
    with pytest.raises(InvalidContent) as caught:
        share(report, **other)
    assert (caught.value.code, ShareLink.objects.count()) == (code, 0)


def test_only_reliability_reports_of_the_own_study_are_shared(report):
    Report.objects.filter(pk=report.pk).update(kind="exclusion_preview")
    report.refresh_from_db()
    with pytest.raises(InvalidContent) as caught:
        share(report)
    assert caught.value.code == "unknown_report"


@override_settings(SHARE_VISITS_BY_NETWORK=3)
def test_guessing_is_slowed_down_by_network(report):
    _, token = share(report)
    browser = Client(REMOTE_ADDR="192.0.2.7")
    statuses = [browser.get(f"/shared-result/guess-{n}/").status_code for n in range(4)]
    assert statuses == [404, 404, 404, 429]
    later = browser.get(f"/shared-result/{token}/")
    assert (later.status_code, int(later.headers["Retry-After"]) > 0) == (429, True)
    assert Client(REMOTE_ADDR="192.0.2.8").get(f"/shared-result/{token}/").status_code == 200


def test_admins_share_on_the_page_and_the_address_is_shown_once(report):
    client, base = Client(), f"/studies/{report.study.slug}/settings/share-links/"
    client.force_login(report.study.memberships.get(role="admin").user)
    page = client.post(base, {"report": report.pk, "label": "co-authors", "days": "7"}).content.decode()
    token = re.search(r"/shared-result/([\w-]+)/", page)
    assert token is not None
    assert opened(token[1])
    again = client.get(base).content.decode()
    assert "co-authors" in again
    assert token[1] not in again
    client.post(f"{base}{ShareLink.objects.get().pk}/revoke/")
    assert Client().get(f"/shared-result/{token[1]}/").status_code == 404
