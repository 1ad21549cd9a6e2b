"""The notebooks of the documentation run from the first cell to the last."""

from __future__ import annotations

import os
import re
from threading import Thread
from typing import Any
from urllib.parse import urlsplit

import nbformat
import pytest
from nbclient import NotebookClient
from pytest_django.live_server_helper import LiveServer

from annotation.models import Study, User
from annotation.services.base.tokens import make_token
from config.settings.places import ROOT
from tests.api.base.client_study import rate, run_jobs_until

pytestmark = pytest.mark.django_db(transaction=True)
NOTEBOOKS = ROOT / "docs" / "clients"


@pytest.fixture
def surroundings(live_server: LiveServer) -> dict[str, str]:
    owner = User.objects.create_user("me@example.org", "simile-and-metaphor-42")
    token = make_token(user=owner, name="notebook", scopes=["write"])[1]
    return os.environ | {"PYTHONPATH": str(ROOT), "GROUNDWORK": live_server.url, "GROUNDWORK_TOKEN": token}


def printed_by(name: str, surroundings: dict[str, str]) -> str:
    """What the cells print; the jobs that they start are run as a worker does."""
    notebook = nbformat.read(NOTEBOOKS / name, as_version=4)
    client = NotebookClient(notebook, timeout=120)
    failures: list[Exception] = []
    runner = Thread(target=execute, args=(client, surroundings, failures))
    runner.start()
    run_jobs_until(lambda: not runner.is_alive())
    assert not failures, failures[0]
    outputs: list[Any] = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    return "".join(output["text"] for output in outputs if output["output_type"] == "stream")


def execute(client: NotebookClient, surroundings: dict[str, str], failures: list[Exception]) -> None:
    try:
        client.execute(env=surroundings)
    except Exception as failure:  # noqa: BLE001 - the test's own thread, which must not lose it
        failures.append(failure)


def test_the_notebooks_open_a_study_and_read_it(
    live_server: LiveServer, surroundings: dict[str, str]
) -> None:
    link = printed_by("open-a-study.ipynb", surroundings).strip()
    assert Study.objects.get(slug="lamps").state == "open"
    rate(live_server.url, urlsplit(link).path.split("/")[2])
    output = printed_by("read-ratings.ipynb", surroundings)
    # L2 was rated 1 and 2, L1 3 by both: the item with the larger range comes first.
    assert re.search(r"aptness +L2 +2 +1\.5 +1 +2 +1\n.*L1 +2 +3\.0 +3 +3 +0\n", output)
    assert re.search(r"aptness +alpha +ordinal +-?\d", output)


@pytest.mark.parametrize("path", sorted(NOTEBOOKS.glob("*.ipynb")), ids=lambda path: path.stem)
def test_a_notebook_is_stored_without_the_figures_of_a_run(path: Any) -> None:
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    assert all(cell["outputs"] == [] for cell in notebook.cells if cell["cell_type"] == "code")
