"""A researcher compares a study with another one that repeats it."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from annotation.domain.base.states import Role
from annotation.models import Study, User
from scoring.services.metrics.repetition import compare_studies
from tests.services.metrics.rated_study import owner_of
from tests.services.metrics.repeated_runs import AGAIN, FIRST, run_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def runs(tmp_path: Path) -> tuple[Study, Study]:
    return run_of(tmp_path, "first", FIRST), run_of(tmp_path, "again", AGAIN)


def text_of(response) -> str:
    return " ".join(response.content.decode().split())


def page_of(study: Study, other: str = "", client: Client | None = None):
    address = reverse("study-repeated-run", args=[study.slug])
    return (client or owner_of(study)).get(address, {"with": other} if other else {})


def download_of(study: Study, other: str, client: Client | None = None):
    address = reverse("study-repeated-run-download", args=[study.slug, "csv"])
    return (client or owner_of(study)).get(address, {"with": other})


def test_the_page_shows_the_figures_of_the_service_for_the_study_that_is_chosen(runs):
    first, again = runs
    page = page_of(first, "again")
    (expected,) = compare_studies(first, again)["criteria"]
    (shown,) = page.context["criteria"]
    assert shown["systems"] + shown["overall"] == sorted(
        expected["results"], key=lambda row: row["result"] != "cv"
    )
    text = text_of(page)
    assert "Rated items: 4 here, 4 in the other study, 3 in both." in text
    assert f'<td class="n">{expected["results"][0]["estimate"]:.1f}</td>' in text
    assert "too few" in text


def test_a_study_is_not_compared_before_another_one_is_chosen_and_never_with_itself(runs):
    first, _ = runs
    page = page_of(first)
    assert "criteria" not in page.context
    assert page.context["others"] == [("again", "again")]
    assert page_of(first, "first").status_code == 404


def test_a_study_of_others_is_neither_offered_nor_compared(runs):
    first, again = runs
    other = User.objects.create(email="else@example.org")
    again.memberships.update(user=other)
    assert "No other study to compare with." in text_of(page_of(first))
    assert page_of(first, "again").status_code == 404
    assert download_of(first, "again").status_code == 404


def test_a_viewer_of_the_other_study_who_may_not_see_its_ratings_is_refused(runs):
    first, again = runs
    again.memberships.update(role=Role.VIEWER)
    assert page_of(first, "again", owner_of(first)).status_code == 403


def test_studies_that_share_no_item_are_refused_in_words(runs, tmp_path):
    first, _ = runs
    run_of(tmp_path, "others", {"L5": (1, 2)})
    assert "no rated item with the same key" in text_of(page_of(first, "others"))
    assert download_of(first, "others").status_code == 404


def test_simulated_responses_are_mentioned_where_there_are_any(runs):
    first, again = runs
    warning = "At least one of the two studies has simulated responses."
    assert warning not in text_of(page_of(first, "again"))
    again.raters.update(simulated=True)
    assert warning in text_of(page_of(first, "again"))


def test_the_file_has_every_result_with_its_type(runs):
    first, _ = runs
    file = b"".join(download_of(first, "again").streaming_content).decode()
    rows = list(csv.DictReader(io.StringIO(file)))
    assert [row["type"] for row in rows] == ["I", "I", "II", "II", "II", "II", "III", "IV"]
    assert {row["criterion"] for row in rows} == {"aptness"}
    assert rows[2]["estimate"] == ""
    assert rows[2]["reason"] == "too_few_systems"
