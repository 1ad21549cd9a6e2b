"""`make release`: everything that a release consists of, checked, in `dist/NAME-VERSION/`.

It builds the source archive and the wheel, has twine check them, installs the wheel with hashed pins in an
environment of its own and asks it for its version, writes software bills of materials (CycloneDX), copies
the hashed pins and this version's part of the changelog, and ends with the SHA-256 of every file.
It uploads nothing.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CHECKSUMS = "SHA256SUMS"
# What the web part needs, and what it needs with the extra `worker`.
PINS = ("requirements.txt", "requirements-worker.txt")


class ReleaseError(Exception):
    """The release cannot be made; the message says why and what to do."""

    code = "no_release"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="make release", description=__doc__)
    parser.add_argument("--out", type=Path, help="folder for the files (default: dist/NAME-VERSION)")
    parser.add_argument("--rehearse", action="store_true", help="take an unreleased version as it is")
    options = parser.parse_args(arguments)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    name, version = project["name"], project["version"]
    folder = options.out or ROOT / "dist" / f"{name}-{version}"
    try:
        notes = changelog_section(
            (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), version, undated=options.rehearse
        )
        make(folder, name, version, notes)
    except ReleaseError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    say(f"The release is in {folder}; `sha256sum -c {CHECKSUMS}` checks it there.")
    return 0


def make(folder: Path, name: str, version: str, notes: str) -> None:
    """Fill the folder, or stop at the first step that fails."""
    if folder.exists():
        shutil.rmtree(folder)
    folder.mkdir(parents=True)
    say("Building the source archive and the wheel")
    run("The build", [sys.executable, "-m", "build", "--outdir", str(folder), str(ROOT)])
    built = sorted(str(path) for path in folder.iterdir())
    run("twine check", [sys.executable, "-m", "twine", "check", "--strict", *built])
    for pins in PINS:
        shutil.copyfile(ROOT / pins, folder / pins)
    (folder / "CHANGES.md").write_text(notes, encoding="utf-8")
    with tempfile.TemporaryDirectory() as scratch:
        python = installed(Path(scratch) / "venv", next(folder.glob("*.whl")), version)
        say("Writing the bills of materials")
        bills_of_materials(folder, f"{name}-{version}", python)
    write_checksums(folder)


def installed(environment: Path, wheel: Path, version: str) -> Path:
    """Install the wheel as the documentation says, and return the environment's interpreter."""
    say("Installing the wheel with hashed pins in a new environment")
    run("The new environment", [sys.executable, "-m", "venv", str(environment)])
    pip = [str(environment / "bin" / "python"), "-m", "pip", "install", "-q"]
    run("The hashed installation", [*pip, "--require-hashes", "-r", str(ROOT / PINS[0])])
    run("The wheel's installation", [*pip, "--no-deps", str(wheel)])
    answer = run("groundwork --version", [str(environment / "bin" / "groundwork"), "--version"]).strip()
    if answer != version:
        raise ReleaseError(f"The installed wheel says it is {answer}, and pyproject.toml says {version}.")
    return environment / "bin" / "python"


def bills_of_materials(folder: Path, name: str, python: Path) -> None:
    """One of the installed web part, with licences and dependencies; one of all that the worker may need."""
    project = [
        "--pyproject",
        str(ROOT / "pyproject.toml"),
        "--output-format",
        "JSON",
        "--output-reproducible",
    ]
    for kind, source, made in (
        ("environment", str(python), f"{name}.cdx.json"),
        ("requirements", str(ROOT / PINS[1]), f"{name}-worker.cdx.json"),
    ):
        command = [sys.executable, "-m", "cyclonedx_py", kind, *project, "-o", str(folder / made), source]
        run("The bill of materials", command)


def changelog_section(text: str, version: str, *, undated: bool = False) -> str:
    """What changed in this version, as the changelog has it.

    Raises
    ------
    ReleaseError
        The changelog has no such section, or no date for it where `undated` does not allow that.
    """
    found = re.search(
        rf"^## {re.escape(version)}(?P<when>.*)\n(?P<notes>(?:(?!## ).*\n?)*)", text, re.MULTILINE
    )
    if found is None or not found["notes"].strip():
        raise ReleaseError(f"CHANGELOG.md has nothing under “## {version}”: write what changed for users.")
    if not undated and not re.fullmatch(r", \d{4}-\d\d-\d\d", found["when"]):
        raise ReleaseError(f"CHANGELOG.md has no date: its heading must be “## {version}, YEAR-MONTH-DAY”.")
    return f"# {version}{found['when']}\n\n{found['notes'].strip()}\n"


def write_checksums(folder: Path) -> None:
    """`SHA256SUMS`, as `sha256sum -c` reads it."""
    lines = [
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in sorted(folder.iterdir())
    ]
    (folder / CHECKSUMS).write_text("".join(lines), encoding="ascii")


def run(step: str, command: Sequence[str]) -> str:
    """Run a step; what it printed."""
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603 - fixed
    if done.returncode:
        raise ReleaseError(f"{step} failed, and no release was made:\n{done.stdout}{done.stderr}")
    return done.stdout


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
