"""What must be true before the server starts: tables, collected static files."""

from __future__ import annotations

import hashlib
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command


def prepare(var: Path) -> None:
    """Bring the database and the static files up to date; quick when they already are."""
    for name in ("log", "media"):
        (var / name).mkdir(parents=True, exist_ok=True)
    call_command("migrate", interactive=False, verbosity=0)
    collect_static_if_stale()


def collect_static_if_stale() -> None:
    """Collect the static files when any source changed since the last time."""
    root = Path(settings.STATIC_ROOT)
    stamp = root / ".collected"
    state = _static_state()
    if stamp.is_file() and stamp.read_text(encoding="ascii") == state:
        return
    root.mkdir(parents=True, exist_ok=True)
    stamp.unlink(missing_ok=True)
    call_command("collectstatic", interactive=False, verbosity=0)
    stamp.write_text(state, encoding="ascii")


def _static_state() -> str:
    digest = hashlib.sha256()
    for finder in get_finders():
        for name, storage in finder.list([]):
            source = Path(storage.path(name)).stat()
            digest.update(f"{name}\0{source.st_size}\0{source.st_mtime_ns}\n".encode())
    return digest.hexdigest()
