"""A file of items is read once, whether its columns are named or chosen later."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from annotation.models import ImportFile, Upload
from annotation.services.studies.added_items import take_items
from annotation.services.studies.new_study import take_new_study
from tests.support.people import Cast, make_cast

pytestmark = pytest.mark.django_db
OPENED: list[str] = []
HOOKED: list[bool] = []


@pytest.fixture
def opened() -> list[str]:
    """The names of files in the order in which they are opened; an audit hook cannot be removed."""
    if not HOOKED:
        HOOKED.append(True)
        sys.addaudithook(lambda event, values: OPENED.append(str(values[0])) if event == "open" else None)
    OPENED.clear()
    return OPENED


@pytest.fixture
def cast() -> Cast:
    return make_cast(opened=False)


def sent(cast: Cast, folder: Path, header: str) -> tuple[Upload, Path]:
    path = folder / "sent.csv"
    path.write_text(f"{header}\nz1,It rained.,Like drums.\n", encoding="utf-8")
    options = {"choose_columns": True, "title": "Rain", "protocol": "hauser", "overlap": None}
    options |= {"demo": False, "apart": False}
    user = cast.users["owner"]
    return Upload(study=cast.study, act="items", name="sent.csv", created_by=user, options=options), path


def test_items_with_their_names_are_read_once(cast, tmp_path, opened):
    upload, path = sent(cast, tmp_path, "item,literal,simile")
    opened.clear()
    assert take_items(upload=upload, path=path) == {"stored": 1}
    assert opened.count(str(path)) == 1


@pytest.mark.parametrize("header", ["item,literal,simile", "id,literal,simile"])
def test_a_new_study_reads_its_items_once_and_once_for_their_encoding(cast, tmp_path, opened, header):
    upload, path = sent(cast, tmp_path, header)
    opened.clear()
    assert take_new_study(upload=upload, path=path)["study"] == "rain"
    assert opened.count(str(path)) == 2
    assert ImportFile.objects.count() == (0 if header.startswith("item") else 1)
