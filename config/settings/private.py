"""The folder of an installation is accessible to its owner only, whatever the umask at the start.

Raters' answers, personal links and the secret key are under it. SQLite gives its side files the
mode of the database; every other file gets its mode from the umask of the process that writes it.
"""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterable
from pathlib import Path

from config.settings.env import SettingError

OWNER_ONLY = 0o077
# What an installation writes at the top of its folder; nothing else is touched.
KNOWN = (
    "groundwork.sqlite3",
    "secret-key",
    "queue",
    "media",
    "static",
    "log",
    "models",
    "published",
    "knowledge",
    "metrics",
    "demo-passwords",
)

# Endings of the database, SQLite's own side files, and the queue of writers.
DATABASE_ENDINGS = ("", "-wal", "-shm", "-journal", "-queue")


def private_folder(folder: Path) -> None:
    """Create the folder, or make an existing one accessible to its owner only.

    Parameters
    ----------
    folder : Path
        `GROUNDWORK_VAR`.

    Raises
    ------
    SettingError
        It is open to others and may not be closed: it belongs to another user, or holds foreign files.
    """
    os.umask(OWNER_ONLY)
    folder.mkdir(parents=True, exist_ok=True)
    if _is_open(folder):
        if not _is_ours(folder):
            raise _refused(folder, "holds files that are not Groundwork's: name an empty folder")
        _close_tree(folder)
    # What an earlier version made is closed in a closed folder too: a copy of it keeps these modes.
    _close_open(path for path in folder.iterdir() if path.name.startswith(KNOWN))


def private_database(path: Path) -> None:
    """Close an SQLite file and the side files next to it, wherever they are.

    Parameters
    ----------
    path : Path
        Path of the database, which need not exist.

    Raises
    ------
    SettingError
        It is open to others and belongs to another user.
    """
    _close_open((path.with_name(f"{path.name}{ending}") for ending in DATABASE_ENDINGS), "DATABASE_URL")


def _close_open(paths: Iterable[Path], setting: str = "GROUNDWORK_VAR") -> None:
    for path in paths:
        # SQLite deletes its side files at any time.
        with contextlib.suppress(FileNotFoundError):
            if _is_open(path):
                _close(path, setting)


def _is_open(path: Path) -> bool:
    return bool(stat.S_IMODE(path.lstat().st_mode) & OWNER_ONLY)


def _is_ours(folder: Path) -> bool:
    return all(path.name.startswith(KNOWN) for path in folder.iterdir())


def _close_tree(folder: Path) -> None:
    """Close the folder first, so that no other user enters while the rest is closed."""
    _close(folder)
    for below, folders, files in os.walk(folder):
        for name in (*folders, *files):
            with contextlib.suppress(FileNotFoundError):
                _close(Path(below) / name)


def _close(path: Path, setting: str = "GROUNDWORK_VAR") -> None:
    mode = path.lstat().st_mode
    if stat.S_ISLNK(mode):
        return
    try:
        path.chmod(stat.S_IMODE(mode) & ~OWNER_ONLY)
    except PermissionError as problem:
        raise _refused(path, "belongs to another user: run as its owner", setting) from problem


def _refused(path: Path, why: str, setting: str = "GROUNDWORK_VAR") -> SettingError:
    return SettingError(
        f"{setting}: {str(path)!r} is open to other users of this machine and {why}, "
        f"or run `chmod -R go= {path}`."
    )
