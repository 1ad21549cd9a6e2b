"""Media files that lie on this machine, for the command line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from django.conf import settings

from annotation.io.items.media.reading import prepare
from annotation.io.items.media.unpacking import Room
from annotation.models import Study, User
from annotation.services.items.media.storing import StoredMedia, remaining_bytes, store_media


def import_media(*, study: Study, paths: Sequence[Path], actor: User | None = None) -> StoredMedia:
    """Store media files, also from folders and ZIP archives, and their descriptions from tables.

    Parameters
    ----------
    study : Study
        A draft, open or paused.
    paths : sequence of Path
        Files, archives, tables, or folders, which are searched with all folders in them.
    actor : User or None
        User who sends them.

    Raises
    ------
    FileRefused, NotAllowedNow
        As `store_media`, and what is wrong with a file; nothing was stored.
    """
    with TemporaryDirectory() as folder:
        room = Room(settings.MEDIA_MOST_BYTES, remaining_bytes(study))
        found = [file for path in paths for file in _files_in(path)]
        prepared = prepare(found, Path(folder), room, settings.MEDIA_MOST_PIXELS)
        return store_media(study=study, prepared=prepared, actor=actor)


def _files_in(path: Path) -> Iterator[Path]:
    if not path.is_dir():
        yield path
        return
    for one in sorted(path.rglob("*")):
        if one.is_file() and not one.is_symlink() and not one.name.startswith("."):
            yield one
