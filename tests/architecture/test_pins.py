"""What is installed is pinned, for everybody alike."""

from __future__ import annotations

import tomllib
from importlib.metadata import distributions
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]
PINS = [Requirement(line) for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()]
PINNED = {canonicalize_name(pin.name): str(pin.specifier) for pin in PINS}
VENV_OWN = {"setuptools"}


def test_every_pin_is_one_exact_public_version():
    assert len(PINNED) == len(PINS)
    for name, version in PINNED.items():
        assert version.startswith("=="), name
        assert not set("+*,@/") & set(version), name


def test_every_dependency_is_pinned():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    groups = [project["dependencies"], *project["optional-dependencies"].values()]
    names = {canonicalize_name(Requirement(text).name) for group in groups for text in group}
    assert names <= PINNED.keys()


def test_what_is_installed_has_the_pinned_version():
    # A local version, such as +cpu, names a build of the same release.
    installed = {
        canonicalize_name(found.name): f"=={found.version.partition('+')[0]}" for found in distributions()
    }
    shared = (installed.keys() & PINNED.keys()) - VENV_OWN
    assert {name: installed[name] for name in shared} == {name: PINNED[name] for name in shared}
