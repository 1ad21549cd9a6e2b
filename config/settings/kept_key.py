"""The secret key of an installation that was given none: in a file under its folder, with those before it."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Sequence
from pathlib import Path

from django.core.management.utils import get_random_secret_key

KEY = "secret-key"
# One a line, the newest first.
FALLBACKS = "secret-key-fallbacks"


def key_is_set() -> bool:
    """Whether the environment gives the key, so that the one in the file is not used."""
    return bool(os.environ.get("SECRET_KEY", "").strip())


def kept_secret_key(folder: Path) -> str:
    """The key that is set, or that of this installation: made once, in a file that its owner alone reads."""
    if key_is_set():
        return os.environ["SECRET_KEY"].strip()
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / KEY
    with contextlib.suppress(FileExistsError):
        _write(path, get_random_secret_key(), os.O_EXCL)
    return _read(path).strip()


def kept_fallbacks(folder: Path) -> list[str]:
    """The keys before the present one that were kept in a file."""
    path = folder / FALLBACKS
    return [key for key in _read(path).splitlines() if key.strip()] if path.is_file() else []


def is_kept(folder: Path) -> bool:
    """Whether the key is in the file, and not one that was set."""
    return not key_is_set() and (folder / KEY).is_file()


def replace_kept_key(folder: Path) -> None:
    """Make a new key. The old one is stored first, so that whatever happens here loses none."""
    path, before, unfinished = folder / KEY, folder / FALLBACKS, folder / f"{KEY}.new"
    old = [_read(path).strip(), *kept_fallbacks(folder)]
    _write(unfinished, "\n".join(old), os.O_TRUNC)
    unfinished.replace(before)
    _write(unfinished, get_random_secret_key(), os.O_TRUNC)
    unfinished.replace(path)


def keep_keys(folder: Path, keys: Sequence[str]) -> None:
    """Store a key, and those before it, as those of this installation."""
    for name, stored in ((FALLBACKS, keys[1:]), (KEY, keys[:1])):
        unfinished = folder / f"{name}.new"
        _write(unfinished, "\n".join(stored), os.O_TRUNC)
        unfinished.replace(folder / name)


def fallbacks_age(folder: Path) -> float | None:
    """Seconds since a key was last replaced in the files; None where no earlier one is kept."""
    path = folder / FALLBACKS
    return max(0.0, time.time() - path.stat().st_mtime) if path.is_file() else None


def forget_fallbacks(folder: Path) -> None:
    """Accept no earlier key that was kept in a file."""
    (folder / FALLBACKS).unlink(missing_ok=True)


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def _write(path: Path, text: str, flag: int) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | flag, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
