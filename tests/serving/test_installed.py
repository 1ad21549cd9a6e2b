"""An installed wheel starts the demo in an empty folder, keeps its data, and needs no torch."""

from __future__ import annotations

import re
import shutil
import signal
import subprocess
from pathlib import Path

import pytest
from playwright.sync_api import expect, sync_playwright

from config.distribution import release
from tests.support import chromium
from tests.support.running import demo_visit, wheel
from tests.support.running.tables import DATABASE, copy_to
from tests.support.running.wheel import InstalledWheel

pytestmark = [pytest.mark.processes]

SUPPORTED = ("3.11", "3.12", "3.13")
EXTRA = "pip install 'groundwork-ratings[worker]'"


def interpreter(number: str) -> str | None:
    """A Python of this version: on the path, or installed by pyenv."""
    installed = sorted(Path("~/.pyenv/versions").expanduser().glob(f"{number}.*/bin/python{number}"))
    found = [str(path) for path in reversed(installed)] + [shutil.which(f"python{number}") or ""]
    # pyenv has a shim on the path for each version, also for those that are not chosen.
    return next((path for path in found if path and starts(path)), None)


def starts(python: str) -> bool:
    return subprocess.run([python, "-c", ""], capture_output=True, check=False).returncode == 0


def data_of(program: InstalledWheel) -> Path:
    return program.home / ".local/share/groundwork"


def test_the_demo_keeps_a_rating_and_takes_nothing_of_the_folder_for_a_part_of_itself(built, tmp_path):
    program = wheel.unpacked(built, tmp_path)
    lying_there = {program.folder / name for name in ("config.py", "annotation.py", "scoring.py")}
    for path in lying_there:
        path.write_text("raise SystemExit('not ours')\n", encoding="utf-8")
    data_of(program).mkdir(parents=True)
    copy_to(data_of(program) / DATABASE)
    with program.demo() as server:
        assert f"in {data_of(program)} …" in server.printed.splitlines()[0]
        style = re.search(r'href="(/static/css/[^"]+\.css)"', demo_visit.read(server.url))
        assert style is not None
        assert "{" in demo_visit.read(f"{server.url}{style[1]}")
        rated = demo_visit.rate_an_item(server.url, server.printed)
        assert server.stop(signal.SIGINT) == 0
    with program.demo() as server:
        assert demo_visit.answers_of(server.url, rated) == demo_visit.ANSWERS
        assert server.child("celery")
    assert set(program.folder.iterdir()) == lying_there


@pytest.mark.slow
@pytest.mark.parametrize("number", SUPPORTED)
def test_a_new_environment_of_each_python_rates_and_reports_without_torch(built, tmp_path, number):
    python = interpreter(number)
    if python is None:
        pytest.skip(f"no Python {number} here")
    program = wheel.installed(built, tmp_path, python)
    assert program.run("--version").stdout == f"{release()}\n"
    with program.demo() as server:
        rated = demo_visit.rate_an_item(server.url, server.printed)
        assert demo_visit.answers_of(server.url, rated) == demo_visit.ANSWERS
        sign = demo_visit.researcher(server.url, server.printed)
        assert demo_visit.report(server.url, sign)["results"]
        scores = demo_visit.read(f"{server.url}/api/v1/studies/{demo_visit.STUDY}/scores/", sign=sign)
    assert "models_not_installed" in scores
    assert EXTRA in program.run("models", "check").stdout
    packages = {path.name for path in tmp_path.glob("venv/lib/*/site-packages/*")}
    assert "django" in packages
    assert not {"torch", "transformers"} & packages


@pytest.mark.slow
@pytest.mark.browser
def test_a_rating_made_in_the_browser_is_there_after_a_stop_and_a_new_start(built, tmp_path, chromium_path):
    program = wheel.installed(built, tmp_path, interpreter("3.11") or "python3")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path, args=list(chromium.FLAGS))
        page = browser.new_page()
        with program.demo() as server:
            link = re.search(r"http://\S+/join/\S+", server.printed)
            assert link is not None
            page.goto(link[0])
            page.get_by_role("button", name="I agree – start").click()
            expect(page).to_have_title(re.compile("^Item 1 of "), timeout=20_000)
            page.locator("html.has-script").wait_for(state="attached")
            for place, key in enumerate("435"):
                if place:
                    page.keyboard.press("ArrowDown")
                page.keyboard.press(key)
            page.keyboard.press("Enter")
            expect(page).to_have_title(re.compile("^Item 2 of "), timeout=20_000)
            assert server.stop(signal.SIGINT) == 0
        with program.demo() as server:
            page.goto(f"{server.url}/rate/{demo_visit.STUDY}/")
            expect(page).to_have_title(re.compile("^Item 2 of "), timeout=20_000)
        browser.close()
