"""What a release has: hashed pins, notes, checksums, bills of materials; and the check of dependencies."""

from __future__ import annotations

import importlib.util
import json
import re
import subprocess
import sys
import tomllib
from types import ModuleType

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.support.installation import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
NAME = PROJECT["name"]
WEB, WORKER = "requirements.txt", "requirements-worker.txt"
CHANGES = (
    "# Changelog\n\n## 1.1.0, 2026-02-03\n\n- New.\n\n### Notes\n\nMore.\n\n## 1.0.0, unreleased\n\n- Old.\n"
)
PINNED = re.compile(r"^(?P<name>[\w.-]+)==(?P<version>[^ ;]+)")
# Replaces pip-audit, whose sources are on the internet.
AUDIT = "import sys; source = sys.argv[sys.argv.index('-s') + 1]; print(open(f'{source}.json').read())"


def script(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / "docker" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def hashed_pins(file: str) -> dict[str, str]:
    """Names and versions of a file of hashed pins; each has at least one hash."""
    blocks = re.split(r"\n(?=\S)", (ROOT / file).read_text(encoding="utf-8").strip())
    found: dict[str, str] = {}
    for block in blocks:
        pin = PINNED.match(block)
        assert pin is not None, block[:80]
        assert re.search(r"--hash=sha256:[0-9a-f]{64}", block), pin["name"]
        found[canonicalize_name(pin["name"])] = pin["version"]
    return found


@pytest.mark.parametrize(("file", "extras"), [(WEB, ()), (WORKER, ("worker",))])
def test_every_dependency_has_the_hashes_of_the_pinned_version(file, extras):
    groups = [PROJECT["dependencies"], *(PROJECT["optional-dependencies"][extra] for extra in extras)]
    wanted = {canonicalize_name(Requirement(text).name) for group in groups for text in group}
    hashed = hashed_pins(file)
    assert wanted <= hashed.keys(), "run `make hashes`"
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pinned: dict[str, str] = {
        canonicalize_name(name): version for name, _, version in (line.partition("==") for line in lines)
    }
    assert {name: version for name, version in hashed.items() if pinned.get(name, version) != version} == {}


def test_the_web_part_never_installs_torch_and_no_address_of_an_index_is_written_down():
    assert not {"torch", "transformers"} & hashed_pins(WEB).keys()
    assert "torch" in hashed_pins(WORKER)
    assert not any("://" in (ROOT / file).read_text(encoding="utf-8") for file in (WEB, WORKER))


def test_the_metadata_name_every_python_that_is_tried_and_none_older():
    named = [line.rpartition(" ")[2] for line in PROJECT["classifiers"] if " :: 3." in line]
    assert named == ["3.11", "3.12", "3.13"]
    assert PROJECT["requires-python"] == ">=3.11"


def test_every_message_names_the_extra_by_the_name_of_the_distribution():
    files = [path for folder in ("annotation", "config", "scoring") for path in (ROOT / folder).rglob("*.py")]
    files += [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
    named = {
        found for path in files for found in re.findall(r"'([\w.-]+)\[worker\]'", path.read_text("utf-8"))
    }
    assert named == {NAME}


def test_the_notes_of_a_release_are_its_part_of_the_changelog():
    notes = script("release").changelog_section(CHANGES, "1.1.0")
    assert notes == "# 1.1.0, 2026-02-03\n\n- New.\n\n### Notes\n\nMore.\n"


@pytest.mark.parametrize(("version", "expected"), [("1.0.0", "has no date"), ("1.2.0", "has nothing under")])
def test_a_version_without_a_date_or_without_notes_is_not_released(version, expected):
    release = script("release")
    with pytest.raises(release.ReleaseError, match=expected):
        release.changelog_section(CHANGES, version)


def test_the_checksums_are_those_that_sha256sum_reads(tmp_path):
    for name in ("a.whl", "b.tar.gz"):
        (tmp_path / name).write_text(name, encoding="utf-8")
    script("release").write_checksums(tmp_path)
    check = ["sha256sum", "--check", "--strict", "SHA256SUMS"]
    assert subprocess.run(check, cwd=tmp_path, capture_output=True, check=False).returncode == 0
    (tmp_path / "a.whl").write_text("changed", encoding="utf-8")
    assert subprocess.run(check, cwd=tmp_path, capture_output=True, check=False).returncode == 1


def checked(name: str, *advisories: str) -> dict[str, object]:
    found = [{"id": one, "fix_versions": ["2.0"], "description": ""} for one in advisories]
    return {"name": name, "version": "1.0", "vulns": found}


UNKNOWN = {"name": "hidden", "skip_reason": "not found"}


@pytest.mark.parametrize(
    ("pypi", "osv", "status", "expected"),
    [
        ([checked("a"), checked("b")], None, 0, "Python Packaging Advisory Database.*: 2 packages checked."),
        ([checked("a", "CVE-1")], None, 1, "a 1.0: CVE-1, mended in 2.0"),
        ([checked("a"), UNKNOWN], None, 2, "Not checked: hidden."),
        ([UNKNOWN], [checked("hidden")], 0, "Open Source Vulnerabilities database: 1 packages checked."),
        ([UNKNOWN], None, 2, "no advisories were had, neither from .*Nothing was checked."),
    ],
    ids=["nothing known", "something known", "one not checked", "the second source", "no source"],
)
def test_the_dependency_check_says_whose_advisories_it_had_or_that_it_had_none(
    tmp_path, pypi, osv, status, expected
):
    (tmp_path / "pip_audit.py").write_text(AUDIT, encoding="utf-8")
    for source, answer in (("pypi", pypi), ("osv", osv)):
        text = "" if answer is None else json.dumps({"dependencies": answer})
        (tmp_path / f"{source}.json").write_text(text, encoding="utf-8")
    command = [sys.executable, str(ROOT / "docker" / "advisories.py")]
    done = subprocess.run(
        command, cwd=tmp_path, env={"PYTHONPATH": str(tmp_path)}, capture_output=True, check=False
    )
    printed = done.stdout.decode()
    assert re.match(r"\d{4}-\d\d-\d\d \d\d:\d\d UTC", printed)
    assert re.search(expected, printed, re.DOTALL), printed
    assert done.returncode == status


@pytest.mark.slow
def test_a_rehearsed_release_has_what_it_promises_and_its_checksums_hold(tmp_path):
    pytest.importorskip(
        "cyclonedx_py", reason="the tools for a release are not installed: run `make release` once"
    )
    folder = tmp_path / "release"
    command = [sys.executable, str(ROOT / "docker" / "release.py"), "--rehearse", "--out", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    stem = f"{NAME}-{PROJECT['version']}"
    archive = stem.replace("groundwork-ratings", "groundwork_ratings")
    built = {f"{archive}-py3-none-any.whl", f"{archive}.tar.gz"}
    bills = {f"{stem}.cdx.json", f"{stem}-worker.cdx.json"}
    assert {path.name for path in folder.iterdir()} == built | bills | {
        WEB,
        WORKER,
        "CHANGES.md",
        "SHA256SUMS",
    }
    subprocess.run(["sha256sum", "--check", "--strict", "SHA256SUMS"], cwd=folder, check=True)
    web, worker = (
        {
            canonicalize_name(one["name"])
            for one in json.loads((folder / name).read_text("utf-8"))["components"]
        }
        for name in sorted(bills, key=len)
    )
    assert "django" in web & worker
    assert "torch" in worker - web
