"""What is exported can be imported again and gives the same rows and the same figures."""

from __future__ import annotations

import uuid
from pathlib import Path
from typing import Any

import pytest

from annotation.domain.base.errors import FileRefused, NotAllowedNow
from annotation.domain.questions.answers import Submission
from annotation.io.base.writers import WRITERS, write_rows
from annotation.models import Exclusion, Rater, Response, Study, User
from annotation.selectors.questions.long_table import long_ratings
from annotation.selectors.studies.exports import items_table, ratings_table
from annotation.services.base.jobs import claim
from annotation.services.items.rating_files import import_items, import_ratings
from annotation.services.rating.submission import submit
from annotation.services.studies.lifecycle import create_study
from scoring.models import Report
from scoring.services.reports.reliability import compute_report, request_report

pytestmark = pytest.mark.django_db
HEADER = "item,rater,criterion,value"


@pytest.fixture
def demo(demo_of_the_module: int, db: None) -> Study:
    """The demo study, with an awkward remark, a correction, and exclusions by item and rater."""
    study = Study.objects.get(pk=demo_of_the_module)
    response = Response.objects.filter(assignment__item__study=study, current=True)[0]
    remark = 'a "quoted", comma\nand a second line 像 ☂'
    submit(
        assignment=response.assignment,
        version=response.version,
        submission=Submission(page_key=uuid.uuid4(), cannot_rate="lacks_context", remark=remark),
    )
    Exclusion.objects.create(study=study, item=study.items.last(), rule="opposition", reason="far apart")
    Exclusion.objects.create(
        study=study, rater=Rater.objects.get(code="R-005"), rule="by_hand", reason="asked"
    )
    return study


def empty_study(slug: str = "copy") -> Study:
    owner, _ = User.objects.get_or_create(email="someone@example.org")
    return create_study(slug=slug, title="Copy", owner=owner)


def written(study: Study, folder: Path, file_format: str, *, all_revisions: bool = True) -> Path:
    path = folder / f"ratings.{file_format}"
    columns, rows = ratings_table(study, all_revisions=all_revisions)
    path.write_bytes(b"".join(write_rows(rows, columns, file_format)))
    return path


def rows_of(study: Study) -> list[dict[str, Any]]:
    return [row | {"study": ""} for row in long_ratings(study, all_revisions=True)]


def report_of(study: Study) -> Report:
    job = request_report(study=study, actor=None, replicates=300, announce=False)
    lease = claim(job_id=job.pk)
    assert lease is not None
    return compute_report(lease=lease)


@pytest.mark.parametrize("file_format", sorted(WRITERS))
def test_every_format_gives_the_same_rows_and_figures_again(demo, tmp_path, file_format):
    copy = empty_study()
    import_ratings(study=copy, path=written(demo, tmp_path, file_format))
    assert rows_of(copy) == rows_of(demo)
    original, again = report_of(demo), report_of(copy)
    assert again.fingerprint == original.fingerprint
    assert again.data == original.data
    for one, other in zip(original.figures, again.figures, strict=True):
        assert {**one, "estimate": 0, "low": 0, "high": 0} == {**other, "estimate": 0, "low": 0, "high": 0}
        for key in ("estimate", "low", "high"):
            assert (one[key] is None) == (other[key] is None)
            assert one[key] is None or one[key] == pytest.approx(other[key], abs=1e-12)


def test_without_revisions_an_export_holds_the_current_ones_only(demo, tmp_path):
    copy = empty_study()
    import_ratings(study=copy, path=written(demo, tmp_path, "csv", all_revisions=False))
    assert rows_of(copy) == [row for row in rows_of(demo) if row["current"]]


def test_items_come_in_again_as_they_went_out(demo, tmp_path):
    columns, rows = items_table(demo)
    path = tmp_path / "items.jsonl"
    path.write_bytes(b"".join(write_rows(rows, columns, "jsonl")))
    copy = empty_study()
    import_items(study=copy, path=path)
    wanted = demo.items.order_by("position").values_list("key", "group", "system", "fields")
    assert list(copy.items.order_by("position").values_list("key", "group", "system", "fields")) == list(
        wanted
    )


@pytest.mark.parametrize(
    ("lines", "row", "column", "code"),
    [
        (["a,R1,quality,6"], 2, "value", "outside_scale"),
        (["a,R1,quality,3", "a,R1,quality,four"], 3, "value", "not_a_number"),
        (["a,R1,quality,3.5"], 2, "value", "not_whole"),
        (["a,R1,quality,3", "a,R1,quality,4"], 3, "rater", "doubled_rating"),
        (["a,R1,quality,"], 2, "value", "empty_value"),
        ([",R1,quality,3"], 2, "item", "empty_cell"),
        (["a,R1,quality,3,9"], 2, "", "ragged_row"),
    ],
)
def test_a_row_that_cannot_be_taken_is_named_and_nothing_is_stored(tmp_path, lines, row, column, code):
    path = tmp_path / "ratings.csv"
    path.write_text("\n".join([HEADER, *lines]) + "\n", encoding="utf-8")
    study = empty_study()
    with pytest.raises(FileRefused) as refusal:
        import_ratings(study=study, path=path, scale=(1, 5))
    problem = refusal.value.problems[0]
    assert (problem.row, problem.column, problem.code) == (row, column, code)
    assert not study.items.exists()
    assert not study.raters.exists()


def test_slots_in_place_of_raters_are_anonymous_and_say_so_in_the_figures(tmp_path):
    path = tmp_path / "ratings.csv"
    lines = [f"i{item},{slot},quality,{1 + (item + slot) % 5}" for item in range(12) for slot in (1, 2, 3)]
    path.write_text("\n".join(["item,slot,criterion,value", *lines]) + "\n", encoding="utf-8")
    study = empty_study()
    import_ratings(study=study, path=path)
    study.refresh_from_db()
    assert not study.identified
    reasons = {row["coefficient"]: row["reason"] for row in report_of(study).figures}
    assert reasons["icc2"] == reasons["held_out_pearson"] == "anonymous_raters"
    assert reasons["alpha"] == ""


def test_ratings_are_not_mixed_into_a_study_that_has_raters(demo, tmp_path):
    with pytest.raises(NotAllowedNow):
        import_ratings(study=demo, path=written(demo, tmp_path, "csv"))
