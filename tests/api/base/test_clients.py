"""The clients in Python and R do what their page shows, and ask only what the schema has."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import urlsplit

import jsonschema
import pytest
import requests
import yaml
from pytest_django.live_server_helper import LiveServer

from annotation.client import Groundwork, Refused
from annotation.models import Item, Study, User
from annotation.services.base.tokens import make_token
from config.settings.places import ROOT
from tests.api.base.client_study import rate, run_jobs_until
from tests.api.base.r_packages import has_httr2

pytestmark = pytest.mark.django_db(transaction=True)
PAGE = ROOT / "docs" / "clients.md"
Example = tuple[list[str], str]


@pytest.fixture
def token() -> str:
    owner = User.objects.create_user("me@example.org", "simile-and-metaphor-42")
    return make_token(user=owner, name="script", scopes=["write"])[1]


def examples(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


def printed_by(command: list[str], folder: Path, **surroundings: str) -> str:
    with subprocess.Popen(
        command,
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT), "LC_ALL": "C.UTF-8"} | surroundings,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as run:
        run_jobs_until(lambda: run.poll() is not None)
        output, complaints = run.communicate()
    assert run.returncode == 0, complaints
    return output


def test_the_pages_examples_make_a_study_and_read_it(
    live_server: LiveServer, token: str, tmp_path: Path
) -> None:
    making, reading = examples("python")
    place = {"GROUNDWORK": live_server.url, "GROUNDWORK_TOKEN": token}
    link = printed_by([sys.executable, "-c", making], tmp_path, **place).strip()
    assert Study.objects.get(slug="lamps").state == "open"
    rate(live_server.url, urlsplit(link).path.split("/")[2])
    output = printed_by([sys.executable, "-c", reading], tmp_path, **place)
    assert re.search(r"L1 +3\.0\nL2 +1\.5\n", output)
    assert re.search(r"alpha +ordinal +-?\d", output)
    assert Study.objects.get(slug="lamps").state == "closed"
    if has_httr2():
        (tmp_path / "groundwork.R").write_bytes((ROOT / "docs" / "clients" / "groundwork.R").read_bytes())
        (in_r,) = examples("r")
        output = printed_by(["Rscript", "-e", in_r], tmp_path, **place)
        assert re.search(r"L1 +3\.0\n.*L2 +1\.5\n", output)
        assert re.search(r"aptness +alpha +-?\d", output)


@contextmanager
def recorded(groundwork: Groundwork) -> Iterator[list[requests.Response]]:
    found: list[requests.Response] = []
    groundwork.session.hooks["response"].append(lambda answer, **_: found.append(answer))
    yield found


def use_everything(groundwork: Groundwork) -> None:
    text = {"title": "Lamps", "consent": "Stored.", "language": "en"}
    (making, _) = examples("python")
    names: dict[str, Any] = {}
    exec(making[making.index("aptness =") : making.index("texts =")], names)  # noqa: S102 - the page's own form
    definition = {"format": "groundwork-study", "version": 1, "study": text, "forms": [names["form"]]}
    study = groundwork.create_study("lamps", definition)
    study.add_items([{"item": "L1", "simile": "Like a moon."}, {"item": "L2", "simile": "Like a lamp."}])
    study.open()
    rate(groundwork.address, urlsplit(study.invite("panel")).path.split("/")[2])
    study.pause()
    assert groundwork.study("lamps").ratings(counting=False)["value"].sum() == 9
    study.reliability(replicates=20, seed=1)
    assert groundwork.studies()["slug"].tolist() == ["lamps"]
    study.close()


def test_every_request_is_an_operation_of_the_schema_with_its_fields(
    live_server: LiveServer, token: str
) -> None:
    schema = yaml.safe_load(requests.get(f"{live_server.url}/api/schema/", timeout=60).content)
    groundwork = Groundwork(live_server.url, token=token)
    with recorded(groundwork) as answers:
        user = Thread(target=use_everything, args=(groundwork,))
        user.start()
        run_jobs_until(lambda: not user.is_alive())
    asked = {operation_of(answer, schema) for answer in answers}
    assert len(asked) >= 10


def operation_of(answer: requests.Response, schema: dict[str, Any]) -> tuple[str, str]:
    """Method and path of an operation, once what was sent is found to be as the schema has it."""
    method, path = str(answer.request.method).lower(), urlsplit(answer.url).path
    patterns = {one: re.sub(r"\{[^}]+\}", "[^/]+", one) for one in schema["paths"]}
    template = next(
        one
        for one, pattern in patterns.items()
        if re.fullmatch(pattern, path) and method in schema["paths"][one]
    )
    operation = schema["paths"][template][method]
    assert str(answer.status_code) in operation["responses"]
    sent = operation.get("requestBody", {}).get("content", {})
    if "json" in answer.request.headers.get("Content-Type", ""):
        rules = sent["application/json"]["schema"] | {"components": schema["components"]}
        jsonschema.validate(json.loads(answer.request.body or "{}"), rules)
    return method, template


def test_keys_of_items_are_text_as_they_were_entered(live_server: LiveServer, token: str) -> None:
    groundwork = Groundwork(live_server.url, token=token)
    definition = {"format": "groundwork-study", "version": 1, "study": {"title": "Lamps"}, "forms": []}
    study = groundwork.create_study("lamps", definition)
    items = [Item(study_id=Study.objects.get().pk, key=key, position=n) for n, key in enumerate(("007", "7"))]
    Item.objects.bulk_create(items)
    assert study.export("items")["item"].tolist() == ["007", "7"]


def test_a_refusal_has_its_code_and_the_problem_of_each_field(live_server: LiveServer, token: str) -> None:
    with pytest.raises(Refused) as refused:
        Groundwork(live_server.url, token=token).create_study("Not a slug", {})
    assert (refused.value.status, refused.value.code) == (400, "invalid")
    assert "slug" in refused.value.fields
