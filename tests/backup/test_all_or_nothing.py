"""A restore that fails leaves an empty installation, into which a sound archive can be restored."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from tests.backup.making import VERIFY, command, on_sqlite, resealed
from tests.support.installation import Installation

pytestmark = [pytest.mark.processes]

FILL = """
from pathlib import Path
from django.conf import settings
from tests.support.people import make_cast
make_cast(items=2)
(Path(settings.MEDIA_ROOT) / "bundles").mkdir(parents=True)
(Path(settings.MEDIA_ROOT) / "bundles" / "1-1.zip").write_bytes(b"a bundle")
"""
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


def test_a_row_that_the_database_refuses_leaves_nothing_behind(
    migrated: Installation, tmp_path: Path
) -> None:
    sound = tmp_path / "sound.zip"
    with closing(on_sqlite(tmp_path / "source")) as source:
        source.run_script(FILL)
        command(source, "backup", str(sound))

    def orphan(files: dict[str, bytes], _manifest: object) -> None:
        rows = files["tables/annotation.membership.jsonl"]
        files["tables/annotation.membership.jsonl"] = rows.replace(b",1,", b",999,")

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
