"""A changed number in the methods paragraph of a bundle is found."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from django.db import transaction
from pytest_django import DjangoDbBlocker

from scoring.bundle.recompute.checking.check import Check
from scoring.bundle.recompute.command import run_checks
from scoring.services.reports.reliability import compute_report, request_report
from tests.bundle.studies import quick, rich_cast, unpacked

# The database is there for the module's bundle alone.
pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def bundle(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """Made once: every test reads it, or changes a copy."""
    with django_db_blocker.unblock(), transaction.atomic():
        study = rich_cast().study
        compute_report(lease=quick(request_report(study=study, actor=None, announce=False)))
        folder = unpacked(study, tmp_path_factory.mktemp("bundle"))
        transaction.set_rollback(True)
    return folder


def check_of(folder: Path) -> Check:
    return next(check for check in run_checks(folder) if check.name == "methods.md")


def test_the_paragraph_as_it_was_written_passes(bundle):
    check = check_of(bundle)
    assert check.wrong == []
    assert check.compared > 12
    assert check.left == {}


def test_the_paragraph_repeats_that_intervals_of_few_groups_are_too_narrow(bundle):
    rows = json.loads((bundle / "reports/reliability.json").read_text(encoding="utf-8"))["results"]
    few = any("caution:few_groups" in row["signature"] for row in rows if row["coefficient"] == "alpha")
    paragraph = (bundle / "methods.md").read_text(encoding="utf-8")
    assert few
    assert "rest on few groups of items and are too narrow. Krippendorff α" in paragraph


@pytest.mark.parametrize(
    ("what", "written", "changed"),
    [
        ("an α", r"quality 0\.\d", "quality 0.9"),
        ("a limit of an α", r"0\.\d+\]", "0.999]"),
        ("the resamples", "from 40 resamples", "from 4,000 resamples"),
        ("responses", "We collected 162 responses", "We collected 163 responses"),
        ("groups", r"\(12 groups", "(13 groups"),
        ("a day", "on 1 March 2026", "on 2 March 2026"),
        ("ratings", "use 222 ratings", "use 232 ratings"),
        ("simulated raters", r"\(1 of them simulated", "(0 of them simulated"),
        ("a scale", r"quality \(1 to 5\)", "quality (1 to 7)"),
        ("responses to a version", "18 responses saw version 1", "19 responses saw version 1"),
        ("the version used", "use version 2.", "use version 1."),
        ("ratings requested", "requested 3 raters", "requested 4 raters"),
        ("items short", "4 of 35 items", "3 of 35 items"),
        ("late responses", "not use 1 late response", "not use 2 late response"),
        ("exclusions", "We excluded 30 responses", "We excluded 3 responses"),
        ("raters of exclusions", r"30 responses from \d+ raters?", "30 responses from 31 raters"),
        ("systems in each group", r"\(12 groups of 3 systems", "(12 groups, 3 systems"),
    ],
)
def test_each_changed_number_is_found(bundle, tmp_path: Path, what, written, changed):
    folder = tmp_path / "bundle"
    shutil.copytree(bundle, folder)
    for name in ("methods.md", "README.md", "human_evaluation_sheet.md"):
        text = (folder / name).read_text(encoding="utf-8")
        text, n = re.subn(written, changed, text)
        assert n or name == "human_evaluation_sheet.md"
        (folder / name).write_text(text, encoding="utf-8")
    assert check_of(folder).wrong, what


@pytest.mark.parametrize("name", ["README.md", "human_evaluation_sheet.md"])
def test_a_text_that_repeats_the_paragraph_otherwise_is_found(bundle, tmp_path: Path, name):
    folder = tmp_path / "bundle"
    shutil.copytree(bundle, folder)
    text = (folder / name).read_text(encoding="utf-8")
    text, n = re.subn(r"quality 0\.\d", "quality 0.9", text, count=1)
    assert n == 1
    (folder / name).write_text(text, encoding="utf-8")
    assert check_of(folder).wrong
