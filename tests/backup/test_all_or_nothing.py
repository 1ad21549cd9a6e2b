"""A restore that fails leaves an empty installation, into which a sound archive can be restored."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from annotation.models import Study
from annotation.services.base.backup.writing import write_backup
from tests.backup.making import VERIFY, resealed
from tests.support.installation import Installation
from tests.support.people import make_cast

pytestmark = [pytest.mark.processes, pytest.mark.django_db]

TRY = """
from pathlib import Path
from django.conf import settings
from annotation.models import Study, User
from annotation.domain.base.errors import GroundworkError
from annotation.services.base.backup.restoring import restore_backup
try:
    restore_backup(source=Path({source!r}), largest=None, progress=lambda *_: None)
    print("restored", end=" ")
except GroundworkError as refusal:
    print(refusal.code, end=" ")
files = [path for path in Path(settings.MEDIA_ROOT).rglob("*") if path.is_file()]
print(User.objects.count(), Study.objects.count(), len(files))
"""


@pytest.fixture
def sound(tmp_path: Path, settings: Any) -> Path:
    """An archive of two items and a file."""
    settings.MEDIA_ROOT = tmp_path / "media"
    (tmp_path / "media" / "bundles").mkdir(parents=True)
    (tmp_path / "media" / "bundles" / "1-1.zip").write_bytes(b"a bundle")
    make_cast(items=2)
    write_backup(target=tmp_path / "sound.zip", with_key=False, progress=lambda *_: None)
    return tmp_path / "sound.zip"


def test_a_row_that_the_database_refuses_leaves_nothing_behind(
    migrated: Installation, sound: Path, tmp_path: Path
) -> None:
    def orphan(files: dict[str, bytes], _manifest: object) -> None:
        rows, study = files["tables/annotation.membership.jsonl"], Study.objects.get().pk
        files["tables/annotation.membership.jsonl"] = rows.replace(b",%d," % study, b",999999,")

    def shorten(_files: object, manifest: dict[str, list[dict[str, int]]]) -> None:
        manifest["tables"][0]["rows"] += 1

    broken = resealed(sound, tmp_path / "broken.zip", orphan)
    shorter = resealed(sound, tmp_path / "shorter.zip", shorten)
    assert migrated.run_script(TRY.format(source=str(broken))) == "restore_failed 0 0 0\n"
    assert migrated.run_script(TRY.format(source=str(shorter))) == "archive_damaged 0 0 0\n"
    told = migrated.run_script(TRY.format(source=str(sound))).split()
    assert (told[0], told[2:]) == ("restored", ["1", "1"])
    assert migrated.run_script(TRY.format(source=str(sound))).startswith("not_empty ")
    assert migrated.run_script(VERIFY) == "[]\n"
