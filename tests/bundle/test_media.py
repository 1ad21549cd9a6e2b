"""A bundle holds the media files with their checksums, and recomputing finds each byte that was changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from scoring.bundle import media
from tests.bundle.recompute.recomputing import recompute
from tests.bundle.studies import unpacked
from tests.support.media.media_study import picture_cast

pytestmark = pytest.mark.django_db


def test_the_files_are_in_the_bundle_and_their_sums_are_checked(tmp_path: Path) -> None:
    cast = picture_cast(tmp_path)
    folder = unpacked(cast.study, tmp_path / "bundle")
    shown = folder / "media" / "p0.png"
    assert shown.read_bytes().startswith(b"\x89PNG")
    status, printed = recompute(folder)
    assert (status, "data/media.csv" in printed) == (0, True), printed
    shown.write_bytes(shown.read_bytes() + b"x")
    status, printed = recompute(folder)
    assert status == 1
    assert "p0.png sha256" in printed


def test_larger_media_are_there_by_their_sums(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cast = picture_cast(tmp_path)
    monkeypatch.setattr(media, "MOST_BYTES", 10)
    folder = unpacked(cast.study, tmp_path / "bundle")
    assert not (folder / "media").exists()
    assert (folder / "data" / "media.csv").read_text().count("p0.png") == 1
    status, printed = recompute(folder)
    assert (status, "media files that are not in the bundle" in printed) == (0, True), printed
