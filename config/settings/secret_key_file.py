"""The secret key of an installation without a set key: in a file under its folder, with earlier keys."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from django.core.management.utils import get_random_secret_key

KEY = "secret-key"
# One key per line, the newest first.
FALLBACKS = "secret-key-fallbacks"
NEW, BEFORE = ".new", ".before"


def key_is_set() -> bool:
    """Whether the environment gives the key, so that the one in the file is not used."""
    return bool(os.environ.get("SECRET_KEY", "").strip())


def read_or_create_key(folder: Path) -> str:
    """Return the key that is set, else that of the file, which is created once, for its owner alone."""
    if key_is_set():
        return os.environ["SECRET_KEY"].strip()
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / KEY
    with contextlib.suppress(FileExistsError):
        _write(path, get_random_secret_key(), os.O_EXCL)
    return _read(path).strip()


def read_fallbacks(folder: Path) -> list[str]:
    """Read the earlier keys that are stored in a file, the newest first."""
    path = folder / FALLBACKS
    return [key for key in _read(path).splitlines() if key.strip()] if path.is_file() else []


def uses_key_file(folder: Path) -> bool:
    """Whether the key is in the file, and not one that was set."""
    return not key_is_set() and (folder / KEY).is_file()


def replace_key(folder: Path) -> None:
    """Create a new key. The old one is stored first, so that no failure loses a key."""
    path, before, unfinished = folder / KEY, folder / FALLBACKS, folder / f"{KEY}{NEW}"
    old = [_read(path).strip(), *read_fallbacks(folder)]
    _write(unfinished, "\n".join(old), os.O_TRUNC)
    unfinished.replace(before)
    _write(unfinished, get_random_secret_key(), os.O_TRUNC)
    unfinished.replace(path)


@contextlib.contextmanager
def with_keys(folder: Path, keys: Sequence[str]) -> Iterator[None]:
    """Store a key and earlier ones as those of this installation; after an error the old ones are restored.

    Everything is written before a file is replaced. Old files are renamed, so that bringing them back needs
    no space.
    """
    files = {folder / FALLBACKS: keys[1:], folder / KEY: keys[:1]}
    replaced: list[Path] = []
    try:
        for path, stored in files.items():
            _write(_with_ending(path, NEW), "\n".join(stored), os.O_TRUNC)
        for path in files:
            if path.exists():
                path.replace(_with_ending(path, BEFORE))
            replaced.append(path)
            _with_ending(path, NEW).replace(path)
        yield
    except BaseException:
        for path in replaced:
            path.unlink(missing_ok=True)
            if _with_ending(path, BEFORE).exists():
                _with_ending(path, BEFORE).replace(path)
        raise
    else:
        _remove(_with_ending(path, BEFORE) for path in files)
    finally:
        _remove(_with_ending(path, NEW) for path in files)


def fallbacks_age(folder: Path) -> float | None:
    """Seconds since the key in the file was last replaced; None if no earlier key is stored."""
    path = folder / FALLBACKS
    return max(0.0, time.time() - path.stat().st_mtime) if read_fallbacks(folder) else None


def forget_fallbacks(folder: Path) -> None:
    """Delete the earlier keys in the file, which are then no longer accepted."""
    (folder / FALLBACKS).unlink(missing_ok=True)


def _remove(paths: Iterable[Path]) -> None:
    """Remove files that are no longer needed; those that cannot be removed stay."""
    for path in paths:
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)


def _with_ending(path: Path, ending: str) -> Path:
    return path.with_name(f"{path.name}{ending}")


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def _write(path: Path, text: str, flag: int) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | flag, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
