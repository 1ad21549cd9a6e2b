"""The published HAUSER ratings: loaded once and whole, refused when broken, computed as printed."""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from annotation.domain.base.errors import FileRefused
from annotation.domain.base.states import StudyState
from annotation.models import Item, Rating, Response, Study
from annotation.services.base.jobs import claim
from scoring.io.published_studies import HAUSER_METRICS
from scoring.models import Report, Score
from scoring.replication.hauser.data import FILE
from scoring.replication.hauser.table_2 import table_2
from scoring.services.reports.published.hauser import import_hauser
from scoring.services.reports.reliability import compute_report, request_report

pytestmark = [pytest.mark.django_db, pytest.mark.published_data]


@pytest.fixture
def folder(published_data: Path) -> Path:
    return published_data / "hauser"


def broken(folder: Path, tmp_path: Path, change: Callable[[list[list[str]]], object]) -> Path:
    """A copy of the file in which something is wrong."""
    with (folder / FILE).open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    change(rows)
    with (tmp_path / FILE).open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)
    return tmp_path


def nothing_stored() -> bool:
    return not any(model.objects.exists() for model in (Study, Item, Response, Rating, Score))


def test_it_loads_items_groups_raters_ratings_and_scores(folder):
    study, loaded = import_hauser(data=folder)
    assert loaded
    assert study.state == StudyState.CLOSED
    groups = Counter(study.items.values_list("group", flat=True))
    assert (study.items.count(), len(groups)) == (150, 44)
    assert Counter(groups.values()) == {1: 2, 2: 7, 3: 14, 4: 13, 5: 8}
    assert Rating.objects.filter(response__assignment__item__study=study).count() == 150 * 3 * 3
    assert Score.objects.filter(run__study=study).count() == 150 * len(HAUSER_METRICS)


def test_marked_components_are_where_their_offsets_say(folder):
    study, _ = import_hauser(data=folder)
    placed = [
        (item.fields["simile"], part)
        for item in study.items.all()
        for part in item.components
        if part["start"] is not None
    ]
    assert len(placed) > 300
    assert all(text[part["start"] : part["end"]] == part["text"] for text, part in placed)


def test_loading_twice_changes_nothing(folder):
    first, _ = import_hauser(data=folder)
    counts = (Response.objects.count(), Rating.objects.count(), Score.objects.count())
    second, loaded = import_hauser(data=folder)
    assert (second, loaded) == (first, False)
    assert (Response.objects.count(), Rating.objects.count(), Score.objects.count()) == counts


def test_a_value_off_the_scale_is_refused_with_its_row_and_column(folder, tmp_path):
    def change(rows):
        rows[7][rows[0].index("label2_c")] = "6"

    with pytest.raises(FileRefused) as refusal:
        import_hauser(data=broken(folder, tmp_path, change))
    [problem] = refusal.value.problems
    assert (problem.file, problem.row, problem.column, problem.code) == (FILE, 8, "label2_c", "outside_scale")
    assert nothing_stored()


def test_a_metric_that_is_no_number_is_refused_with_its_row_and_column(folder, tmp_path):
    def change(rows):
        rows[5][rows[0].index("BERTS_base")] = "nan"

    with pytest.raises(FileRefused) as refusal:
        import_hauser(data=broken(folder, tmp_path, change))
    [problem] = refusal.value.problems
    assert (problem.row, problem.column, problem.code) == (6, "BERTS_base", "not_a_number")
    assert nothing_stored()


@pytest.mark.parametrize(
    ("column", "cell", "what"),
    [
        ("label1_q", "9", "9 is not a whole number from 1 to 5"),
        ("components", "__import__('os').getcwd()", "not a list of (topic, vehicle, event)"),
    ],
)
def test_the_replication_names_what_is_wrong_in_a_copy(folder, tmp_path, column, cell, what):
    def change(rows):
        rows[5][rows[0].index(column)] = cell

    with pytest.raises(CommandError) as refusal:
        call_command("replicate", "hauser", data=broken(folder, tmp_path, change))
    assert f"row 6, column {column}: {what}" in str(refusal.value)
    assert refusal.value.returncode == 2


def test_a_copy_that_is_not_whole_is_loaded_with_a_warning(folder, tmp_path):
    printed, warned = StringIO(), StringIO()
    path = broken(folder, tmp_path, lambda rows: rows.pop())
    call_command("import_published", "hauser", data=path, stdout=printed, stderr=warned)
    assert "149 items" in printed.getvalue()
    assert "which have 150 items" in warned.getvalue()


def test_a_missing_column_is_named(folder, tmp_path):
    def change(rows):
        place = rows[0].index("label3_q")
        for row in rows:
            del row[place]

    with pytest.raises(FileRefused) as refusal:
        import_hauser(data=broken(folder, tmp_path, change))
    assert [(one.column, one.code) for one in refusal.value.problems] == [("label3_q", "missing_column")]
    assert nothing_stored()


def test_a_wrong_encoding_is_named_with_its_row(folder, tmp_path):
    data = (folder / FILE).read_bytes().split(b"\n")
    data[4] = b"\xe9" + data[4]
    (tmp_path / FILE).write_bytes(b"\n".join(data))
    with pytest.raises(FileRefused) as refusal:
        import_hauser(data=tmp_path)
    assert (refusal.value.code, refusal.value.problems[0].row) == ("wrong_encoding", 5)
    assert nothing_stored()


@pytest.mark.parametrize("content", [b"", b"similes,components\n"])
def test_an_empty_file_is_refused(tmp_path, content):
    (tmp_path / FILE).write_bytes(content)
    with pytest.raises(FileRefused) as refusal:
        import_hauser(data=tmp_path)
    assert refusal.value.code == "empty_file"
    assert nothing_stored()


def test_twelve_of_twelve_figures_of_table_2_come_out_as_printed(folder, published_data):
    study, _ = import_hauser(data=folder)
    lease = claim(job_id=request_report(study=study, actor=None, replicates=200, announce=False).pk)
    assert lease is not None
    report = compute_report(lease=lease)
    cells = table_2(report.figures)
    assert [cell.status for cell in cells] == ["reproduces"] * 12
    expected = json.loads((published_data / "expected" / "hauser.json").read_text(encoding="utf-8"))["cells"]
    known = {cell["id"]: cell for cell in expected}
    compared = [(cell.computed, known[cell.id]) for cell in cells if cell.id in known]
    assert len(compared) == 6
    for computed, reference in compared:
        assert computed == pytest.approx(reference["value"], abs=reference["tolerance"])
    assert Report.objects.count() == 1
