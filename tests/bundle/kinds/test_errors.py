"""Marked errors go out and in again as files, into reports, and into bundles that compute them again."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path

import numpy as np
import pytest
from django.test import Client
from django.urls import reverse

from annotation.domain.base.states import StudyState
from annotation.io.base.writers import write_rows
from annotation.models import Criterion, Form, FormVersion, Item, Rater, Response, ScalePoint, Study, User
from annotation.selectors.questions.errors.tables import error_texts_table, errors_table
from annotation.selectors.questions.long_table import long_ratings
from annotation.selectors.studies.exports import ratings_table
from annotation.services.adjudication.case_selection import send_items
from annotation.services.items.answer_storage import LoadedResponse, store_responses
from annotation.services.items.rating_files import import_ratings
from annotation.services.quality.exclusions import exclude_rater
from annotation.services.studies.lifecycle import create_study
from scoring.services.reports.reliability import compute_report, request_report
from tests.bundle.recompute.recomputing import change_numbers, found_changed, recompute
from tests.bundle.studies import quick, unpacked

pytestmark = pytest.mark.django_db
WEIGHTS = {"minor": 1, "major": 5}
CATEGORIES = ("meaning", "wording")
SETTINGS = {"errors": {"weights": WEIGHTS, "score_per": "100 characters", "score_cap": 40}}
TEXT = "The wind had teeth and the {} was a saucer of light."
WORDS = ((4, 8), (13, 18), (27, 31), (36, 42), (46, 51))


def study_of_errors(slug: str) -> Study:
    owner, _ = User.objects.get_or_create(email="someone@example.org")
    study = create_study(slug=slug, title="Errors", owner=owner)
    form = Form.objects.create(study=study, key="ratings", title="Ratings")
    blocks = [{"field": "text", "label": "Text", "role": "figure"}]
    version = FormVersion.objects.create(form=form, blocks=blocks)
    marked = Criterion.objects.create(
        version=version, key="errors", name="Errors", kind="errors", settings=SETTINGS
    )
    for place, value in enumerate((*CATEGORIES, *WEIGHTS)):
        ScalePoint.objects.create(criterion=marked, value=value, position=place)
    overall = {"minimum": 0, "maximum": 100, "position": 1}
    Criterion.objects.create(version=version, key="overall", name="Overall", kind="slider", **overall)
    for number in range(12):
        Item.objects.create(
            study=study,
            key=f"I-{number:02d}",
            position=number,
            group=f"G-{number // 2}" if number % 3 else "",
            fields={"text": TEXT.format("moon" if number % 2 else "moonlight")},
        )
    return study


def marks_of(rng: np.random.Generator, number: int) -> str:
    """Some of the same places of a text, each in most answers."""
    likely = [place for at, place in enumerate(WORDS) if (number + at) % 3 == 0]
    chosen = [place for place in likely if rng.random() < 0.8]
    found = [
        {
            "start": start,
            "end": end - int(rng.random() < 0.3),
            "category": str(rng.choice(CATEGORIES)),
            "severity": str(rng.choice([*WEIGHTS])),
            "text": "",
        }
        for start, end in chosen
    ]
    return json.dumps(found)


@pytest.fixture
def marked() -> Study:
    study, rng = study_of_errors("errors"), np.random.default_rng(9)
    errors, overall = Criterion.objects.filter(version__form__study=study).order_by("position")
    raters = [Rater.objects.create(study=study, code=f"R-{n}", state="active") for n in range(4)]
    loaded = []
    for item in study.items.order_by("position"):
        for rater in raters:
            marks = json.loads(marks_of(rng, item.position))
            for mark in marks:
                mark["text"] = item.fields["text"][mark["start"] : mark["end"]]
            values: dict[Criterion, float | str] = {
                errors: json.dumps(marks),
                overall: float(rng.integers(0, 101)),
            }
            loaded.append(LoadedResponse(item=item, rater=rater, version=errors.version, values=values))
    store_responses(loaded=loaded)
    return study


def values_of(study: Study) -> list[tuple[str, str, str, object]]:
    return sorted((row["item"], row["rater"], row["criterion"], row["value"]) for row in long_ratings(study))


def test_marked_errors_are_the_same_after_export_and_import(marked, tmp_path):
    path = tmp_path / "ratings.csv"
    columns, rows = ratings_table(marked)
    path.write_bytes(b"".join(write_rows(rows, columns, "csv")))
    again = study_of_errors("again")
    import_ratings(study=again, path=path)
    assert values_of(again) == values_of(marked)


def test_the_tables_have_a_row_an_error_and_a_row_a_text(marked):
    columns, rows = errors_table(marked)
    by_error = list(rows)
    assert all(tuple(row) == tuple(columns) for row in by_error)
    _, rows = error_texts_table(marked)
    by_text = list(rows)
    assert len(by_text) == 48
    for row in by_text:
        of_page = (row["item"], row["rater"])
        own = [one for one in by_error if (one["item"], one["rater"]) == of_page and one["error"]]
        assert row["n_errors"] == len(own) == row["n.minor"] + row["n.major"]
        summed = sum(one["weight"] for one in own) * 100 / len(row["marked_text"])
        assert row["score"] == pytest.approx(min(summed, 40), abs=1e-12)
        assert 0 <= row["value.overall"] <= 100
    assert any(row["n_errors"] == 0 for row in by_text)


def test_a_report_and_its_page_have_agreement_by_spans_and_characters_of_scores_and_of_pairs(marked):
    report = compute_report(lease=quick(request_report(study=marked, actor=None, announce=False)))
    figures = {(row["criterion"], row["coefficient"], row["variant"]): row for row in report.figures}
    exact = figures["errors", "f1", "exact, pooled"]["estimate"]
    assert 0 < exact < figures["errors", "f1", "overlap, pooled"]["estimate"] < 1
    for variant in ("nominal, characters", "interval, characters by weight"):
        alpha = figures["errors", "alpha", variant]
        assert alpha["low"] < alpha["estimate"] < alpha["high"]
    assert ("errors:score", "alpha", "interval") in figures
    assert any(key[:2] == ("errors:score", "icc2") for key in figures)
    assert len(report.tables["error_scores"]) == 12
    assert {row["coefficient"] for row in report.tables["error_pairs"]} == {"precision", "recall", "f1"}
    client = Client()
    client.force_login(marked.memberships.get().user)
    page = client.get(reverse("study-reliability", args=[marked.slug])).content.decode()
    assert '<th scope="row">R-0 – R-1</th>' in page
    assert "Errors, score" in page
    file = client.get(reverse("study-report-download", args=[marked.slug, report.pk, "error-pairs.csv"]))
    assert file.getvalue().decode().count("\n") == 7


def test_a_bundle_computes_errors_again_with_and_without_excluded_raters(marked, tmp_path: Path):
    exclude_rater(rater=marked.raters.get(code="R-3"), reason="careless", actor=marked.memberships.get().user)
    compute_report(lease=quick(request_report(study=marked, actor=None, announce=False)))
    folder = unpacked(marked, tmp_path)
    status, printed = recompute(folder)
    assert status == 0, printed
    changed = [change_numbers(folder, table) for table in ("error_pairs", "error_scores")]
    assert found_changed(folder) >= set.union(*changed) - {"confidence", "seed", "replicates"}


def test_a_case_shows_the_errors_of_each_rater_and_begins_from_one_of_them(marked):
    Study.objects.filter(pk=marked.pk).update(state=StudyState.CLOSED)
    marked.refresh_from_db()
    owner = marked.memberships.get().user
    send_items(study=marked, keys=["I-00"], actor=owner)
    client = Client()
    client.force_login(owner)
    address = reverse("study-case", args=[marked.slug, marked.cases.get().pk])
    page = client.get(address).content.decode()
    assert 'class="mk mk--severity-' in page
    first = Response.objects.filter(assignment__item__key="I-00").exclude(ratings__content=[]).first()
    assert first is not None
    begun = client.get(f"{address}?from={first.pk}").content.decode()
    stored = re.search(r'name="answer-errors" value="([^"]*)" data-stored', begun)
    assert stored is not None
    assert json.loads(html.unescape(stored[1])) == first.ratings.get(criterion__key="errors").content
