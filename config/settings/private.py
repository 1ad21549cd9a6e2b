"""The folder of an installation is for its owner alone, whatever umask the start was given.

Raters' answers, personal links and the secret key are under it. SQLite gives its side files the
mode of the database; every other file gets its mode from the umask of the process that writes it.
"""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path

from django.core.management.utils import get_random_secret_key

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
)


def private_folder(folder: Path) -> None:
    """Make the folder, or close an existing one to everybody but its owner.

    Parameters
    ----------
    folder : Path
        `GROUNDWORK_VAR`.

    Raises
    ------
    SettingError
        It is open to others and may not be closed: it belongs to somebody else, or holds foreign files.
    """
    os.umask(OWNER_ONLY)
    folder.mkdir(parents=True, exist_ok=True)
    if _is_open(folder):
        if not _is_ours(folder):
            raise _refused(folder, "holds files that are not Groundwork's: name an empty folder")
        _close_tree(folder)
    for path in (*folder.glob("groundwork.sqlite3*"), folder / "secret-key"):
        if path.exists() and _is_open(path):
            _close(path)


def _is_open(path: Path) -> bool:
    return bool(stat.S_IMODE(path.lstat().st_mode) & OWNER_ONLY)


def _is_ours(folder: Path) -> bool:
    return all(path.name.startswith(KNOWN) for path in folder.iterdir())


def _close_tree(folder: Path) -> None:
    """The folder first, so that nobody enters while the rest is closed."""
    _close(folder)
    for below, folders, files in os.walk(folder):
        for name in (*folders, *files):
            with contextlib.suppress(FileNotFoundError):
                _close(Path(below) / name)


def _close(path: Path) -> None:
    mode = path.lstat().st_mode
    if stat.S_ISLNK(mode):
        return
    try:
        path.chmod(stat.S_IMODE(mode) & ~OWNER_ONLY)
    except PermissionError as problem:
        raise _refused(path, "belongs to somebody else: run as its owner") from problem


def _refused(path: Path, why: str) -> SettingError:
    return SettingError(
        f"GROUNDWORK_VAR: {str(path)!r} is open to other users of this machine and {why}, "
        f"or run `chmod -R go= {path}`."
    )


def kept_secret_key(path: Path) -> str:
    """The key that is set, or that of this installation: made once, in a file that its owner alone reads."""
    given = os.environ.get("SECRET_KEY", "").strip()
    if given:
        return given
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return path.read_text(encoding="ascii").strip()
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        key = get_random_secret_key()
        file.write(key)
    return key
