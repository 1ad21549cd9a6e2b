"""One real server with the demo study for all browser tests of a process, and a browser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, expect, sync_playwright

from tests.e2e.demo import Demo
from tests.support import chromium
from tests.support.installation import Installation
from tests.support.outside.crowd_platform import Platform
from tests.support.outside.oidc_provider import Provider, person, running
from tests.support.ports import listening
from tests.support.running import tables

# As for actions: the server answers late where other tests use the processors.
expect.set_options(timeout=15_000)
# The raters of all browser tests rate in the demo study: without this the last of them would find it full.
ROOM = """
from annotation.models import Form, User
from annotation.services.seats.more_ratings import raise_overlap
form = Form.objects.get(study__slug="everyday-similes")
owner = User.objects.get(email="owner@example.org")
raise_overlap(form=form, items=form.study.items.all(), to=40, actor=owner)
"""


@pytest.fixture(scope="session")
def platform() -> Iterator[Platform]:
    """Where raters may come from; the demo lets its pages frame the task."""
    with listening(Platform()) as server:
        yield server


@pytest.fixture(scope="session")
def institution() -> Iterator[Provider]:
    """Where people of the demo may sign in."""
    with running(mara=person("mara@example.edu"), visitor=person("visitor@elsewhere.example")) as provider:
        yield provider


@pytest.fixture(scope="session")
def demo(
    tmp_path_factory: pytest.TempPathFactory, platform: Platform, institution: Provider
) -> Iterator[Demo]:
    """The embedded installation, as `make demo` starts it."""
    folder: Path = tmp_path_factory.mktemp("demo")
    settings = {
        "GROUNDWORK_MTURK_ORIGINS": platform.origin,
        # All tests join from one address, within minutes.
        "GROUNDWORK_JOINS_BY_NETWORK": "10000",
        "GROUNDWORK_JOINS_BY_LINK": "10000",
        **institution.settings,
    }
    tables.of_an_installation(folder / "var")
    installation = Installation(folder / "var", settings)
    with installation.serve("--demo", "--bind", "127.0.0.1:0") as server:
        link = re.search(r"http://\S+/join/\S+", server.printed)
        assert link is not None, server.printed
        installation.run_script(ROOM)
        yield Demo(server.url, link[0], installation)
        installation.close()


@pytest.fixture(scope="package")
def chromium_of_package(chromium_path: str) -> Iterator[Browser]:
    """Started once and closed after this folder: Django refuses queries while Playwright's loop runs."""
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=chromium_path, args=list(chromium.FLAGS))
        yield found
        found.close()


@pytest.fixture
def browser(chromium_of_package: Browser) -> Iterator[Browser]:
    """No page, cookie or cached file of one test reaches the next: these belong to a context."""
    yield chromium_of_package
    for context in chromium_of_package.contexts:
        context.close()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    made = browser.new_context(viewport={"width": 1280, "height": 900})
    made.set_default_timeout(15_000)
    yield made
    made.close()
