"""Scripts for installations of their own, and archives that were tampered with."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

from annotation.services.base.backup.sealed_file import COMMENT, SUM_LENGTH
from tests.support.installation import Installation
from tests.support.running import tables

EVERY_TABLE = """
import hashlib, json
from annotation.io.base.writers import write_rows
from annotation.models import Study
from scoring.selectors.reports.exports import EXPORTED, table_of
for study in Study.objects.order_by("slug"):
    for what in EXPORTED:
        columns, rows = table_of(study, what, all_revisions=True)
        file = b"".join(write_rows(rows, columns, "csv"))
        print(study.slug, what, len(file), hashlib.sha256(file).hexdigest())
"""
VERIFY = "from scoring.services.reports.verification import verify; print(verify())"


def on_sqlite(var: Path) -> Installation:
    """An installation with tables, and nothing in them."""
    tables.of_an_installation(var)
    return Installation(var, {})


def command(installation: Installation, *words: str) -> str:
    """Run a command in the process that the installation keeps for scripts; what it printed."""
    return installation.run_script(
        f"from django.core.management import call_command; call_command(*{words!r})"
    )


def resealed(source: Path, target: Path, change: Callable[[dict[str, bytes], dict[str, Any]], None]) -> Path:
    """A copy of an archive after a change of its files and its manifest, with sums that fit."""
    with ZipFile(source) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    manifest = json.loads(files.pop("manifest.json"))
    change(files, manifest)
    for name, content in files.items():
        manifest["members"][name] = {"size": len(content), "sha256": hashlib.sha256(content).hexdigest()}
    with ZipFile(target, "w", ZIP_DEFLATED) as archive:
        archive.comment = COMMENT
        for name, content in files.items():
            archive.writestr(name, content)
        archive.writestr("manifest.json", json.dumps(manifest))
    content = target.read_bytes()[:-SUM_LENGTH]
    target.write_bytes(content + hashlib.sha256(content).hexdigest().encode())
    return target
