"""Contents of media that no row names are deleted after a day; those in use and young ones stay."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from annotation.services.items.media.upkeep import forget_media
from tests.support.media.media_study import picture_cast

pytestmark = pytest.mark.django_db


def left(folder: Path, name: str, *, old: bool) -> Path:
    file = folder / "stored" / "study-media" / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(b"x")
    if old:
        os.utime(file, (0, 0))
    return file


def test_contents_without_a_row_are_deleted_after_a_day(tmp_path):
    study = picture_cast(tmp_path).study
    used = [tmp_path / "stored" / one.stored_name for one in study.media_files.all()]
    for file in used:
        os.utime(file, (0, 0))
    orphan = left(tmp_path, f"{study.pk}/{'0' * 64}", old=True)
    of_no_study = left(tmp_path, f"{study.pk + 999}/{'1' * 64}", old=True)
    on_its_way = left(tmp_path, f"{study.pk + 999}/{'2' * 64}", old=False)
    forget_media()
    assert [file.exists() for file in (*used, orphan, of_no_study, on_its_way)] == [
        True, True, False, False, True,
    ]  # fmt: skip


def test_an_installation_without_media_has_nothing_to_forget(tmp_path):
    forget_media()
    assert not (tmp_path / "stored").exists()
