"""Pages that are open while a new version is deployed."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest

from tests.serving.production.saving import saved_answers
from tests.support.installation import ROOT
from tests.support.running.production import Site, documented
from tests.support.running.visitor import Visitor

pytestmark = [pytest.mark.processes]

# The files of an image have the times of the checkout that it was built from.
LONG_AGO = 1_600_000_000
NEXT = """
from config.settings.production import *
STATICFILES_DIRS = [{static!r}]
"""


def assets(text: str) -> set[str]:
    return set(re.findall(r'"(/static/[^"]+\.(?:css|js))"', text))


def next_version(folder: Path) -> dict[str, str]:
    """The settings of a version whose style sheets and scripts all have another content, so another name."""
    static = folder / "static"
    shutil.copytree(ROOT / "static", static)
    for path in (*static.rglob("*.css"), *static.rglob("*.js")):
        path.write_text(path.read_text() + "\n/* the next version */\n")
        os.utime(path, (LONG_AGO, LONG_AGO))
    (folder / "next_version.py").write_text(NEXT.format(static=str(static)))
    return {"DJANGO_SETTINGS_MODULE": "next_version", "PYTHONPATH": f"{folder}{os.pathsep}{ROOT}"}


def test_they_still_save_and_find_their_style_sheets_and_scripts(site: Site, link: str, tmp_path: Path):
    rater = Visitor(site.port)
    with site.web():
        page = rater.joins(link)
    new = next_version(tmp_path)
    assert site.run(documented()[0], **new).returncode == 0
    with site.web(**new):
        fresh = Visitor(site.port).joins(link)
        assert assets(page.text)
        assert not assets(fresh.text) & assets(page.text)
        assert {rater.get(asset).status for asset in assets(page.text)} == {200}
        before = saved_answers(site)
        saved = rater.rates(page)
        assert saved.status == 303
        assert saved_answers(site) == before + 1
        assert assets(rater.get(saved.leads_to).text) == assets(fresh.text)
