"""The wheel has everything that an installation without a checkout needs, and nothing else."""

from __future__ import annotations

import configparser
import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.support.installation import OURS, ROOT

pytestmark = [pytest.mark.processes]

PACKAGES = ("annotation", "config", "scoring")
PAGES = ("templates", "static", "docs")
# Asks the unpacked wheel, as a process of its own, where it finds what.
ASK = """
import json, django
django.setup()
from django.conf import settings
from django.contrib.staticfiles import finders
from django.template.loader import get_template
page, style = get_template("annotation/studies/overview.html"), finders.find("css/tokens.css")
print(json.dumps([page.origin.name, style, str(settings.VAR_DIR)]))
"""


@pytest.fixture
def wheel(built: Path) -> zipfile.ZipFile:
    return zipfile.ZipFile(built)


def in_the_checkout(*folders: str) -> set[str]:
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", *folders]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return {name for name in listed.splitlines() if (ROOT / name).is_file()}


def test_it_holds_the_packages_the_pages_and_the_style_sheets_of_the_checkout_and_nothing_else(wheel):
    names = {name for name in wheel.namelist() if ".dist-info/" not in name}
    pages = {f"config/web/{name}" for name in in_the_checkout(*PAGES)}
    assert pages
    assert names == in_the_checkout(*PACKAGES) | pages


def test_it_brings_the_console_command(wheel):
    entry_points = configparser.ConfigParser()
    name = next(name for name in wheel.namelist() if name.endswith(".dist-info/entry_points.txt"))
    entry_points.read_string(wheel.read(name).decode())
    assert dict(entry_points["console_scripts"]) == {"groundwork": "config.manage:main"}


def test_without_a_checkout_it_finds_its_pages_and_keeps_data_outside_itself(wheel, tmp_path):
    site, home = tmp_path / "site-packages", tmp_path / "home"
    wheel.extractall(site)
    home.mkdir()
    ours = {name: value for name, value in os.environ.items() if name not in {*OURS, "XDG_DATA_HOME"}}
    environment = ours | {
        "HOME": str(home),
        "PYTHONPATH": str(site),
        "DJANGO_SETTINGS_MODULE": "config.settings.embedded",
    }
    command = [sys.executable, "-c", ASK]
    done = subprocess.run(
        command, env=environment, cwd=home, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr
    page, style, data = map(Path, json.loads(done.stdout))
    assert page == site / "config/web/templates/annotation/studies/overview.html"
    assert style == site / "config/web/static/css/tokens.css"
    assert data == home / ".local/share/groundwork"
