"""The secret key of an installation that was given none: in a file under its folder, with those before it."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from django.core.management.utils import get_random_secret_key

KEY = "secret-key"
# One a line, the newest first.
FALLBACKS = "secret-key-fallbacks"
NEW, BEFORE = ".new", ".before"


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
    path, before, unfinished = folder / KEY, folder / FALLBACKS, folder / f"{KEY}{NEW}"
    old = [_read(path).strip(), *kept_fallbacks(folder)]
    _write(unfinished, "\n".join(old), os.O_TRUNC)
    unfinished.replace(before)
    _write(unfinished, get_random_secret_key(), os.O_TRUNC)
    unfinished.replace(path)


@contextlib.contextmanager
def with_keys(folder: Path, keys: Sequence[str]) -> Iterator[None]:
    """Store a key and those before it as those of this installation; after an error the old ones are back.

    Everything is written before a file is replaced. Old files are renamed, so that bringing them back needs
    no space.
    """
    files = {folder / FALLBACKS: keys[1:], folder / KEY: keys[:1]}
    replaced: list[Path] = []
    try:
        for path, stored in files.items():
            _write(_beside(path, NEW), "\n".join(stored), os.O_TRUNC)
        for path in files:
            if path.exists():
                path.replace(_beside(path, BEFORE))
            replaced.append(path)
            _beside(path, NEW).replace(path)
        yield
    except BaseException:
        for path in replaced:
            path.unlink(missing_ok=True)
            if _beside(path, BEFORE).exists():
                _beside(path, BEFORE).replace(path)
        raise
    else:
        _remove(_beside(path, BEFORE) for path in files)
    finally:
        _remove(_beside(path, NEW) for path in files)


def fallbacks_age(folder: Path) -> float | None:
    """Seconds since a key was last replaced in the files; None where no earlier one is kept."""
    path = folder / FALLBACKS
    return max(0.0, time.time() - path.stat().st_mtime) if kept_fallbacks(folder) else None


def forget_fallbacks(folder: Path) -> None:
    """Accept no earlier key that was kept in a file."""
    (folder / FALLBACKS).unlink(missing_ok=True)


def _remove(paths: Iterable[Path]) -> None:
    """What cannot be removed stays: what it was for is done."""
    for path in paths:
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)


def _beside(path: Path, ending: str) -> Path:
    return path.with_name(f"{path.name}{ending}")


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def _write(path: Path, text: str, flag: int) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | flag, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
