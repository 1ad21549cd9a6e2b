"""With exclusions in effect, the same figures with nothing excluded are shown next to them."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.domain.questions.answers import Submission
from annotation.models import Rater, Study
from annotation.services.base.jobs import claim
from annotation.services.quality.exclusions import exclude_rater, lift_exclusion
from annotation.services.rating.enrolment import consent
from annotation.services.rating.next_item import next_assignment
from annotation.services.rating.submission import submit
from scoring.models import Report
from scoring.selectors.agreement.before_after import before_after
from scoring.selectors.agreement.differences import difference_rows
from scoring.services.reports.reliability import compute_report, request_report
from tests.support.people import Cast, make_cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    """Ten items; three raters who agree but for a point here and there, and one who goes against them."""
    cast = make_cast(items=10, overlap=4)
    for place in range(4):
        rater = consent(invitation=cast.invitation)
        for _ in range(10):
            page = next_assignment(rater=rater)
            number = int(page.item.key[1:])
            value = 1 + (number + (number + place) % 7 // 6) % 5
            answers = {"quality": str(6 - value if place == 3 else value), "creativity": "3"}
            submission = Submission(page_key=uuid.uuid4(), answers=answers)
            submit(assignment=page, version=page.version, submission=submission)
    return cast


def computed(study: Study) -> Report:
    job = request_report(study=study, actor=None, replicates=50, announce=False)
    lease = claim(job_id=job.pk)
    assert lease is not None
    return compute_report(lease=lease)


def contrary(cast: Cast) -> Rater:
    return cast.study.raters.filter(user=None).latest("code")


def alpha(rows: list[dict[str, Any]]) -> dict[str, Any]:
    wanted = ("quality", "Krippendorff α, ordinal")
    return next(row for row in rows if (row["criterion"], row["figure"]) == wanted)


def test_without_exclusions_there_is_no_such_table(cast):
    assert before_after(computed(cast.study)) == []


def test_before_is_what_the_report_was_without_the_exclusion(cast):
    plain = computed(cast.study)
    exclusion = exclude_rater(rater=contrary(cast), reason="Against all others.", actor=cast.users["admin"])
    report = computed(cast.study)
    row = alpha(before_after(report))
    whole = next(
        figure["estimate"]
        for figure in plain.figures
        if (figure["criterion"], figure["coefficient"]) == ("quality", "alpha")
        and figure["variant"].startswith("ordinal")
    )
    assert row["before_estimate"] == pytest.approx(whole, abs=1e-12)
    assert row["after_estimate"] > row["before_estimate"] + 0.3
    assert (row["before_n_ratings"], row["after_n_ratings"]) == (40, 30)
    lift_exclusion(exclusion=exclusion, reason="A slip.", actor=cast.users["admin"])
    assert before_after(computed(cast.study)) == []


def test_the_page_and_the_files_show_it(cast):
    exclude_rater(rater=contrary(cast), reason="Against all others.", actor=cast.users["admin"])
    report = computed(cast.study)
    client = Client()
    client.force_login(cast.users["researcher"])
    page = client.get(reverse("study-reliability", args=[cast.slug])).content.decode()
    assert "Results before and after exclusions" in page
    table: Any = client.get(reverse("study-report-download", args=[cast.slug, report.pk, "before.csv"]))
    lines = b"".join(table.streaming_content).decode().splitlines()
    assert len(lines) == 1 + len(before_after(report))
    tex = client.get(reverse("study-report-download", args=[cast.slug, report.pk, "before.tex"]))
    assert "toprule" in tex.content.decode()


def test_what_exclusions_changed_has_an_interval_and_a_verdict_only_with_a_margin(cast):
    cast.study.items.update(group="")
    exclude_rater(rater=contrary(cast), reason="Against all others.", actor=cast.users["admin"])
    report = computed(cast.study)
    changed = alpha(difference_rows(report, "exclusions"))
    shown = alpha(before_after(report))
    assert changed["estimate"] == pytest.approx(shown["after_estimate"] - shown["before_estimate"])
    assert changed["low"] < changed["estimate"] < changed["high"]
    assert changed["low"] <= changed["low_90"]
    assert changed["equivalence"] is None
    client = Client()
    client.force_login(cast.users["admin"])
    address = reverse("study-reliability", args=[cast.study.slug])
    verdict = "<td>beyond the margin</td>"
    assert verdict not in client.get(address).content.decode()
    assert verdict in client.get(address, {"margin": "0.01"}).content.decode()
    assert "Enter a margin above 0" in client.get(address, {"margin": "much"}).content.decode()
