"""The folders whose files belong to an installation, in addition to the database."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings

MEDIA, KNOWLEDGE = "media", "knowledge"
KEY = "secret-key"
# Files that are being written, and leftovers of a killed restore.
UNFINISHED = (".part", ".staged.sqlite3", "-journal", "-wal", "-shm")
STAGING = ".restoring"
# Created at every start if it is missing.
MADE_AT_START = "demo.kb.sqlite3"


def backup_folders() -> dict[str, Path]:
    """Return the folders by their names in an archive."""
    return {MEDIA: Path(settings.MEDIA_ROOT), KNOWLEDGE: Path(settings.KNOWLEDGE_FOLDER)}


def files_in(folder: Path) -> Iterator[str]:
    """Yield the finished files of a folder by their paths in it, in order."""
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder)
        is_finished = path.is_file() and not path.is_symlink() and not path.name.endswith(UNFINISHED)
        if is_finished and STAGING not in name.parts:
            yield name.as_posix()


def foreign_files() -> list[Path]:
    """Return the files that an installation without data would not have."""
    return [
        folder / name
        for folder in backup_folders().values()
        for name in files_in(folder)
        if name != MADE_AT_START
    ]


def staging(folder: Path) -> Path:
    """Create an empty folder inside the folder, for files that are then moved to their final paths."""
    place = folder / STAGING
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True, mode=0o700)
    return place
