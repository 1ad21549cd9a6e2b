"""Agreement on tuples in the report of a study: what counts, and that it equals a direct count."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from itertools import combinations

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from annotation.domain.base.states import Purpose
from annotation.domain.questions.cmdag_records import KEYS
from annotation.models import Assignment, Exclusion, FormVersion, Response, Study, User
from annotation.protocols.cmdag import CMDAG_REFINED
from annotation.selectors.questions.cmdag import cmdag_records
from annotation.selectors.questions.documents import DOCUMENTS
from annotation.selectors.questions.tuple_tables import located_rows, span_rows, texts_of
from annotation.services.base.jobs import claim
from annotation.services.items.answer_storage import LoadedResponse, store_responses
from annotation.services.studies.forms import create_form
from scoring.models import Report
from scoring.selectors.spans.pairs import ERRORS, TUPLES, PairTable
from scoring.services.reports.reliability import compute_report, request_report
from tests.support.studies.marked_study import SEEN, SENTENCES, make_marked_study

pytestmark = pytest.mark.django_db


@pytest.fixture
def study() -> Study:
    return make_marked_study()


def report_of(study: Study) -> Report:
    lease = claim(job_id=request_report(study=study, actor=None, replicates=30, announce=False).pk)
    assert lease is not None
    return compute_report(lease=lease)


def figures(report: Report) -> dict[tuple[str, str], float | None]:
    return {
        (row["criterion"], f"{row['coefficient']} {row['variant']}"): row["estimate"]
        for row in report.figures
    }


def counted(place: int, *, without: str = "") -> float:
    """F1 of equal tenors (0) or vehicles (1) over all pairs, counted in sets."""
    hits = sizes = 0
    for one, other in combinations([code for code in SEEN if code != without], 2):
        for sentence in range(len(SENTENCES)):
            first, second = ({triple[place] for triple in SEEN[code][sentence]} for code in (one, other))
            hits, sizes = hits + len(first & second), sizes + len(first) + len(second)
    return 2 * hits / sizes


def test_the_figures_of_a_report_equal_a_direct_count(study):
    found = figures(report_of(study))
    assert found["tuples:tenor", "f1 exact, pooled"] == pytest.approx(counted(0))
    assert found["tuples:vehicle", "f1 exact, pooled"] == pytest.approx(counted(1))
    assert found["tuples:tenor", "alpha nominal, characters"] is not None
    assert ("tuples:ground", "alpha nominal, characters") not in found


def test_an_annotator_who_found_nothing_has_looked(study):
    report = report_of(study)
    pairs = {
        (row["criterion"], row["coefficient"], row["variant"]): row for row in report.tables["tuple_pairs"]
    }
    row = pairs["tuples:whole", "precision", "exact, R-001|R-002"]
    assert (row["n_items"], row["n_ratings"]) == (3, 6)


def test_what_is_excluded_or_late_does_not_count_and_is_reported(study):
    Response.objects.filter(assignment__rater__code="R-003").update(late=True)
    report = report_of(study)
    assert figures(report)["tuples:tenor", "f1 exact, pooled"] == 1 == counted(0, without="R-003")
    assert report.data["set_apart"]["late"] == 3
    gone = Response.objects.get(assignment__rater__code="R-001", assignment__item__key="s2")
    Exclusion.objects.create(study=study, response=gone, rule="by_hand", reason="test")
    assert report_of(study).data["excluded"] == {"by_hand": 1}


@pytest.mark.parametrize("purpose", [Purpose.CHECK, Purpose.QUALIFICATION, Purpose.TRIAL])
def test_planted_pages_and_trials_are_in_no_table_no_record_and_no_figure(study, purpose):
    Assignment.objects.filter(rater__code="R-003").update(purpose=purpose)
    assert {row["rater"] for row in span_rows(study)} == {"R-001", "R-002"}
    assert {one["rater"] for one in cmdag_records(study)} == {"R-001", "R-002"}
    assert b"R-003" not in b"".join(DOCUMENTS["bio"].pieces(study))
    assert figures(report_of(study))["tuples:tenor", "f1 exact, pooled"] == counted(0, without="R-003")


def test_several_annotators_are_distinguished_and_one_alone_comes_as_published(study):
    every = cmdag_records(study)
    assert [list(one)[-1] for one in every] == ["rater"] * len(every)
    alone = cmdag_records(study, rater="R-002")
    assert [list(one) for one in alone] == [list(KEYS)] * 3
    assert [(one["metaphor_id"], one["sub_id"]) for one in alone] == [(1, 0), (1, 1), (2, 0)]


def test_the_same_tuples_are_not_computed_again(study):
    first, second = report_of(study), report_of(study)
    assert (second.fingerprint, second.figures) == (first.fingerprint, first.figures)


def test_the_exported_file_gives_the_reports_figures(study, tmp_path):
    report, path, out = report_of(study), tmp_path / "tuples.jsonl", io.StringIO()
    call_command("export", study.slug, "--what=tuples", "--format=jsonl", f"--out={path}")
    call_command("tuples_agreement", str(path), "--bootstrap=30", "--json=-", stdout=out)
    of_file = {
        (row["criterion"], row["coefficient"], row["variant"]): row["estimate"]
        for row in json.loads(out.getvalue())["results"]
    }
    for row in report.figures:
        if row["coefficient"] == "f1":
            assert of_file[row["criterion"], "f1", row["variant"]] == row["estimate"]


def test_the_page_shows_parts_and_pairs_and_gives_the_pairs_as_files(study):
    report = report_of(study)
    client = Client()
    client.force_login(User.objects.get(email="marked@example.org"))
    page = client.get(reverse("study-reliability", args=[study.slug])).content.decode()
    assert "Tuples:tenor" in page
    assert "R-001 – R-002" in page
    answer = client.get(reverse("study-report-download", args=[study.slug, report.pk, "tuple-pairs.csv"]))
    rows = list(csv.DictReader(io.StringIO(b"".join(answer).decode())))
    tenor = next(row for row in rows if (row["criterion"], row["second"]) == ("tuples:tenor", "R-002"))
    assert (tenor["first"], tenor["exact_f1"], tenor["n_items"]) == ("R-001", "1.0", "3")
    for ending in ("tex", "svg", "json", "tuple-pairs.tex"):
        address = reverse("study-report-download", args=[study.slug, report.pk, ending])
        assert client.get(address).status_code == 200


@pytest.mark.parametrize("table", [TUPLES, ERRORS], ids=["tuples", "errors"])
def test_figures_are_in_the_column_of_their_matching_whatever_raters_are_called(table: PairTable):
    known = {
        "criterion": "marks",
        "coefficient": "f1",
        "low": None,
        "high": None,
        "n_items": 3,
        "n_ratings": 7,
    }
    rows = [
        {**known, "variant": f"{matching}, Ito, A|Sato, B", "estimate": number / 10}
        for number, matching in enumerate(table.matchings)
    ]
    [line] = table.lines(Report(tables={table.name: rows}))
    assert (line["first"], line["second"], line[table.count]) == ("Ito, A", "Sato, B", 7)
    names = [f"{matching.replace(', ', '_')}_f1" for matching in table.matchings]
    assert [line[name] for name in names] == [row["estimate"] for row in rows]
    assert set(line) == set(table.columns)


def test_each_form_is_measured_against_the_text_that_it_shows(study):
    """Of the field that another form shows, a span of this one could lie outside."""
    before = [{"field": "earlier", "label": "Before", "role": "figure", "mark": []}]
    shorter = replace(CMDAG_REFINED.forms[0], key="earlier", title="What stands before", blocks=before)
    create_form(study=study, template=shorter)
    assert {form: texts["s1"] for form, texts in texts_of(study).items()} == {
        study.forms.order_by("position")[0].key: SENTENCES[0],
        "earlier": "–",
    }
    version = FormVersion.objects.get(form__study=study, form__key="earlier")
    criterion = version.criteria.get(key="tuples")
    mark = {"tuple": 1, "part": "tenor", "start": 0, "end": 1, "text": "–"}
    store_responses(
        loaded=[
            LoadedResponse(item=item, rater=rater, version=version, values={criterion: json.dumps([mark])})
            for item in study.items.all()
            for rater in study.raters.all()
        ]
    )
    found = figures(report_of(study))
    assert found["earlier:tuples:tenor", "f1 exact, pooled"] == 1
    [whole] = {row["context"] for row in located_rows(study) if row["form"] == "earlier"}
    assert whole == "–"
