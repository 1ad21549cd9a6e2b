"""Checks of the files against SHA256SUMS."""

from __future__ import annotations

import hashlib
from pathlib import Path

from .check import Check


def check_sums(folder: Path) -> Check:
    """Check that the files are those of the bundle, and no others."""
    check = Check("SHA256SUMS")
    lines = (folder / "SHA256SUMS").read_text(encoding="utf-8").splitlines()
    listed = {name: digest for digest, _, name in (line.partition("  ") for line in lines)}
    files = (path for path in folder.rglob("*") if path.is_file() and not is_compiled(path, folder))
    there = {path.relative_to(folder).as_posix(): path for path in files}
    for name, digest in listed.items():
        again = hashlib.sha256(there[name].read_bytes()).hexdigest() if name in there else "no such file"
        check.same(name, digest, again)
    check.same("files that are not listed", [], sorted(there.keys() - listed.keys() - {"SHA256SUMS"}))
    return check


def is_compiled(path: Path, folder: Path) -> bool:
    """Whether the file is bytecode that Python wrote when this program ran."""
    return path.relative_to(folder).parts[0] == "recompute" and path.parent.name == "__pycache__"
