"""The programme of a bundle runs from wherever it is called, and leaves the bundle as it is."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from django.db import transaction
from pytest_django import DjangoDbBlocker

from scoring.bundle.figures import RECOMPUTE
from tests.bundle.studies import rich_cast, unpacked

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def bundle(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """A bundle without reports: every test runs a copy of it."""
    with django_db_blocker.unblock(), transaction.atomic():
        folder = unpacked(rich_cast().study, tmp_path_factory.mktemp("bundle"))
        transaction.set_rollback(True)
    return folder


@pytest.fixture
def folder(bundle: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(bundle, tmp_path / "unpacked"))


def run(arguments: list[str], cwd: Path) -> tuple[int, str]:
    """Exit status and output, where Python may write compiled files."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd=cwd,
        env=environment,
        timeout=300,
    )
    return done.returncode, done.stdout + done.stderr


def files_in(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    "arguments",
    [["recompute"], ["-I", "recompute"], ["recompute/__main__.py"], ["-I", "recompute/__main__.py"]],
)
def test_it_runs_inside_the_bundle_and_leaves_it_as_it_was(folder, arguments):
    before = files_in(folder)

    status, printed = run(arguments, folder)

    assert status == 0, printed
    assert "Every number is the same." in printed
    # Python itself compiles the file that it is asked to run.
    left = files_in(folder) - before
    assert all(name.startswith("recompute/__pycache__/__main__.") for name in left), left


@pytest.mark.parametrize("isolated", [[], ["-I"]])
def test_it_runs_from_elsewhere_on_the_bundle_that_holds_it(folder, isolated):
    status, printed = run([*isolated, str(folder / "recompute")], folder.parent)

    assert status == 0, printed


def test_the_programme_of_this_version_runs_on_the_bundle_it_is_given(folder):
    shutil.rmtree(folder / "recompute")

    status, printed = run(["-I", str(RECOMPUTE), str(folder)], folder.parent)

    # The bundle lacks the programme that its sums list, and nothing else.
    missing = len(list(RECOMPUTE.rglob("*.py")))
    assert status == 1, printed
    assert f"{missing} numbers differ." in printed


def test_run_twice_as_a_module_it_takes_no_compiled_file_for_a_file_of_the_bundle(folder):
    assert run(["-m", "recompute"], folder)[0] == 0

    status, printed = run(["-m", "recompute"], folder)

    assert any("__pycache__" in name for name in files_in(folder)), (
        "nothing was compiled: the test shows nothing"
    )
    assert status == 0, printed


@pytest.mark.parametrize("name", ["recompute/more.py", "data/__pycache__/more.pyc", "more.csv"])
def test_a_file_that_is_not_of_the_bundle_is_found(folder, name):
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).write_bytes(b"")

    status, printed = run(["recompute"], folder)

    assert status == 1
    assert f"['{name}']" in printed


def test_the_sums_cover_every_file_of_the_programme(folder):
    listed = {line.partition("  ")[2] for line in (folder / "SHA256SUMS").read_text().splitlines()}
    programme = {path.relative_to(RECOMPUTE.parent).as_posix() for path in RECOMPUTE.rglob("*.py")}

    assert len(programme) > 1
    assert {name for name in listed if name.startswith("recompute/")} == programme
    assert (folder / "README.md").read_text().count("| `recompute/") == 1
