"""Versions of the software and the free space on the disk of this installation."""

from __future__ import annotations

import os
import platform
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import django
from django.conf import settings
from django.core.cache import caches
from django.db import connection

from annotation.selectors.base.readiness import BROKER_ERRORS, broker_connection, broker_name
from config.distribution import release

# Seconds: measuring many files takes a while.
SIZES_TIMEOUT = 300
FOLDERS = {
    "media": "uploads",
    "knowledge": "knowledge",
    "models": "models",
    "log": "logs",
    "static": "static",
}


@dataclass(frozen=True, slots=True)
class Versions:
    """The versions that an administrator states when reporting a problem."""

    groundwork: str
    python: str
    django: str
    database: str
    broker: str


@dataclass(frozen=True, slots=True)
class Disk:
    """The disk with the files of the installation, in bytes; `parts` are those of the installation."""

    total: int
    free: int
    floor: int
    parts: dict[str, int]

    @property
    def percent_used(self) -> int:
        return round(100 * (self.total - self.free) / self.total)

    @property
    def is_low(self) -> bool:
        return self.free < self.floor

    @property
    def others(self) -> int:
        """Bytes on the disk that do not belong to the installation."""
        return max(0, self.total - self.free - sum(self.parts.values()))


def versions() -> Versions:
    """The versions of this process and of what it is connected to."""
    return Versions(
        groundwork=release(),
        python=platform.python_version(),
        django=django.get_version(),
        database=_database_version(),
        broker=f"{broker_name()} {_broker_version()}".strip(),
    )


def disk() -> Disk:
    """The disk under `GROUNDWORK_VAR`; how large the parts are is looked up every few minutes."""
    usage = shutil.disk_usage(settings.VAR_DIR)
    parts = caches["fragments"].get_or_set("sizes-of-folders", _sizes, SIZES_TIMEOUT)
    return Disk(usage.total, usage.free, settings.DISK_FLOOR_BYTES, dict(parts or {}))


def _sizes() -> dict[str, int]:
    folder = Path(settings.VAR_DIR)
    found = {key: sum(_files(folder / name)) for name, key in FOLDERS.items()}
    if connection.vendor == "sqlite":
        database = Path(str(connection.settings_dict["NAME"]))
        found["database"] = sum(path.stat().st_size for path in database.parent.glob(f"{database.name}*"))
    return {key: size for key, size in found.items() if size}


def _files(folder: Path) -> Iterator[int]:
    for below, _, names in os.walk(folder):
        for name in names:
            try:
                yield (Path(below) / name).lstat().st_size
            except OSError:
                continue


def _database_version() -> str:
    with connection.cursor() as cursor:
        asked = "SELECT sqlite_version()" if connection.vendor == "sqlite" else "SHOW server_version"
        cursor.execute(asked)
        (found,) = cursor.fetchone() or ("",)
    return f"{connection.display_name} {found}"


def _broker_version() -> str:
    """The version that the broker reports; empty if it reports none or does not answer."""
    if broker_name() == "files":
        return ""
    try:
        with broker_connection() as asked:
            if broker_name() == "Redis":
                channel: Any = asked.default_channel
                return str(channel.client.info("server").get("redis_version", ""))
            return str(asked.connection.server_properties.get("version", ""))
    except BROKER_ERRORS:
        return ""
