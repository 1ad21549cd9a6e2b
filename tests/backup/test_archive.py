"""An archive that is damaged, unsafe or of a newer version is refused before anything is written."""

from __future__ import annotations

import json
import stat
from pathlib import Path
from zipfile import ZipFile

import pytest
from django.conf import settings as django_settings

from annotation.models import User
from annotation.services.base.backup.reading import open_archive
from annotation.services.base.backup.refusals import ArchiveRefused, BackupRefused, RestoreRefused
from annotation.services.base.backup.restoring import restore_backup
from annotation.services.base.backup.writing import write_backup
from tests.backup.making import resealed
from tests.support.people import make_cast

pytestmark = pytest.mark.django_db


def silent(_what: str, _done: int, _total: int) -> None:
    """No one watches."""


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    make_cast(items=2)
    write_backup(target=tmp_path / "backup.zip", with_key=False, progress=silent)
    return tmp_path / "backup.zip"


def refusal(path: Path, largest: int | None = None) -> str:
    with pytest.raises(ArchiveRefused) as refused, open_archive(path, largest=largest):
        pass
    return refused.value.code


def test_a_sound_archive_is_taken_and_its_lines_are_the_rows(archive: Path):
    with open_archive(archive) as opened:
        (table,) = (one for one in opened.manifest.tables if one.model == "annotation.user")
        rows = [dict(zip(table.columns, json.loads(line), strict=True)) for line in opened.lines(table)]
        assert {row["email"] for row in rows} == set(User.objects.values_list("email", flat=True))
        assert table.rows == len(rows)
        assert opened.keys == []
    assert django_settings.SECRET_KEY.encode() not in archive.read_bytes()
    with ZipFile(archive) as opened_zip:
        readme = opened_zip.read("README.txt").decode()
    for lost in ("links of invitations", "webhooks send nothing", "second factor", "remove_second_factor"):
        assert lost in readme


def test_an_archive_that_was_cut_off_or_changed_in_one_byte_anywhere_is_refused(
    archive: Path, tmp_path: Path
):
    content = archive.read_bytes()
    for end in (0, 3, 40, len(content) // 2, len(content) - 1):
        (tmp_path / "cut.zip").write_bytes(content[:end])
        assert refusal(tmp_path / "cut.zip") in {"archive_damaged", "not_an_archive"}
    for place in (4, 12, 30, len(content) // 3, len(content) // 2, len(content) - 100, len(content) - 1):
        changed = bytearray(content)
        changed[place] ^= 1
        (tmp_path / "changed.zip").write_bytes(changed)
        assert refusal(tmp_path / "changed.zip") == "archive_damaged"
    assert refusal(tmp_path / "none.zip") == "not_an_archive"


@pytest.mark.parametrize(
    "name",
    [
        "../outside",
        "/outside",
        "media/../../outside",
        "media\\..\\outside",
        "media//outside",
        "tables/../x.jsonl",
    ],
)
def test_a_name_that_leads_elsewhere_is_refused(archive: Path, tmp_path: Path, name: str):
    def add(files, _manifest):
        files[name] = b"outside"

    assert refusal(resealed(archive, tmp_path / "odd.zip", add)) == "archive_unsafe"


def test_contents_that_would_fill_the_disk_are_refused_before_they_are_unpacked(
    archive: Path, tmp_path: Path
):
    def add(files, _manifest):
        files["media/zeros"] = bytes(5_000_000)

    assert refusal(resealed(archive, tmp_path / "zeros.zip", add), largest=1_000_000) == "archive_unsafe"


def test_an_archive_of_a_newer_version_is_refused_with_its_name(archive: Path, tmp_path: Path):
    def newer(_files, manifest):
        manifest["version"] = "9.1.0"
        manifest["migrations"]["annotation"] = "9001_of_a_later_version"

    path = resealed(archive, tmp_path / "newer.zip", newer)
    assert refusal(path) == "archive_newer"
    with pytest.raises(ArchiveRefused, match=r"Groundwork 9\.1\.0, which is newer"), open_archive(path):
        pass


def test_a_manifest_that_counts_or_lists_otherwise_is_refused(archive: Path, tmp_path: Path):
    def lose(files, _manifest):
        del files["tables/annotation.user.jsonl"]

    assert refusal(resealed(archive, tmp_path / "less.zip", lose)) == "archive_damaged"


def test_nothing_is_restored_over_data(archive: Path):
    with pytest.raises(RestoreRefused, match="is not empty") as refused:
        restore_backup(source=archive, largest=None, progress=silent)
    assert refused.value.code == "not_empty"


def test_a_backup_replaces_no_file_and_leaves_none_that_is_incomplete(archive: Path, tmp_path: Path):
    before = archive.read_bytes()
    with pytest.raises(BackupRefused) as refused:
        write_backup(target=archive, with_key=False, progress=silent)
    assert refused.value.code == "file_exists"
    assert archive.read_bytes() == before
    with pytest.raises(BackupRefused) as refused:
        write_backup(target=tmp_path / "nowhere" / "backup.zip", with_key=False, progress=silent)
    assert refused.value.code == "cannot_write"
    assert [path.name for path in tmp_path.iterdir()] == ["backup.zip"]


def test_keys_with_spaces_and_letters_of_any_alphabet_come_back_whole(tmp_path: Path, settings):
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "drei Wörter und mehr", ["an older key", "oldest"]
    path = tmp_path / "spaces.zip"
    write_backup(target=path, with_key=True, progress=silent)
    with open_archive(path) as opened:
        assert opened.keys == ["drei Wörter und mehr", "an older key", "oldest"]

    def first_word(files, _manifest):
        files["secret-key"] = files["secret-key"].split()[0]

    assert refusal(resealed(path, tmp_path / "word.zip", first_word)) == "archive_damaged"


@pytest.mark.parametrize("odd", ["two\nlines", "two\r\nlines", "two\x85lines", "two\u2028lines"])
def test_a_key_of_several_lines_is_refused_and_no_file_is_left(tmp_path: Path, settings, odd: str):
    settings.SECRET_KEY_FALLBACKS = [odd]
    with pytest.raises(BackupRefused, match="has a line break") as refused:
        write_backup(target=tmp_path / "odd.zip", with_key=True, progress=silent)
    assert refused.value.code == "odd_key"
    assert not list(tmp_path.iterdir())
    assert not write_backup(target=tmp_path / "odd.zip", with_key=False, progress=silent).key_included


def test_the_key_is_in_the_archive_on_request_alone(tmp_path: Path):
    path = tmp_path / "with-key.zip"
    assert write_backup(target=path, with_key=True, progress=silent).key_included
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with ZipFile(path) as archive:
        assert archive.read("secret-key").decode() == django_settings.SECRET_KEY
        assert b"It contains the secret key" in archive.read("README.txt")
