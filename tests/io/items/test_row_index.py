"""A first column without a name is left out where it counts the rows; codes in it are not lost in silence."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from annotation.domain.base.errors import FileRefused
from annotation.io.base.readers import read_rows
from annotation.io.items.guessed_columns import guess_columns
from annotation.models import ImportFile, Item, Job
from annotation.tasks import run_job
from tests.support.people import make_cast

TEXTS = {"simile": "figure"}


def a_file(*codes: str) -> str:
    lines = [f"{code},k{place},like rain {place}" for place, code in enumerate(codes)]
    return "\n".join([",item,simile", *lines, ""])


@pytest.mark.parametrize("codes", [("0", "1", "2"), ("1", "2", "3"), ("0",)])
def test_numbers_of_the_rows_from_0_or_1_are_an_index(tmp_path: Path, codes):
    path = tmp_path / "frame.csv"
    path.write_text(a_file(*codes))
    rows = read_rows(path)
    assert len(rows) == len(codes)
    if len(codes) > 1:
        assert guess_columns(list(rows[0][1]), rows, TEXTS)["Unnamed: 0"] == ""


@pytest.mark.parametrize("codes", [("S1", "S2"), ("3", "17"), ("1", "1"), ("", "")])
def test_anything_else_in_a_column_without_a_name_is_refused_when_no_one_checks_it(tmp_path, codes):
    path = tmp_path / "rows.csv"
    path.write_text(a_file(*codes))
    with pytest.raises(FileRefused) as refused:
        read_rows(path)
    [problem] = refused.value.problems
    assert (problem.row, problem.code) == (1, "empty_column")
    assert "name it or remove it" in problem.message


def test_a_rank_that_counts_from_1_is_not_left_out_as_an_index():
    rows = [(place, {"id": f"a{place}", "simile": "like rain", "rank": str(place)}) for place in (1, 2, 3)]
    assert guess_columns(["id", "simile", "rank"], rows, TEXTS)["rank"] == "meta:rank"


def test_codes_with_leading_zeros_are_no_row_index_and_stay_metadata():
    rows = [(n, {"item": f"a{n}", "simile": "like rain", "code": f"00{n - 1}"}) for n in (1, 2, 3)]
    assert guess_columns(["item", "simile", "code"], rows, TEXTS)["code"] == "meta:code"


@pytest.mark.django_db
@pytest.mark.parametrize("way", ["items", "imports", "scores/imports"])
def test_the_api_stores_nothing_of_a_file_with_codes_that_have_no_name(way):
    cast = make_cast(opened=False)
    before = Item.objects.count()
    content = a_file("S1", "S2").replace("simile", "bleu").replace("like rain ", "0.")
    sent = {"file": SimpleUploadedFile("rows.csv", content.encode())}
    answer = cast.client("owner").post(f"{cast.base}/{way}/", sent, format="multipart")
    assert (answer.status_code, answer.json()["code"]) == (422, "empty_column")
    assert Item.objects.count() == before
    assert not ImportFile.objects.exists()


@pytest.mark.django_db
def test_an_index_is_one_still_where_bad_rows_between_are_left_out():
    cast = make_cast(opened=False)
    content = a_file("0", "1", "2").replace("like rain 1", "like rain,too many")
    sent = {"file": SimpleUploadedFile("rows.csv", content.encode()), "skip_bad_rows": "true"}
    answer = cast.client("owner").post(f"{cast.base}/imports/", sent, format="multipart")
    assert answer.status_code == 202, answer.json()
    run_job(Job.objects.get(kind="import_items").pk)
    stored = Item.objects.filter(key__startswith="k")
    assert {item.key: item.fields for item in stored} == {
        "k0": {"simile": "like rain 0"},
        "k2": {"simile": "like rain 2"},
    }
