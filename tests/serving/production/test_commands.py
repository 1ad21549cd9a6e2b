"""A production installation, started by the commands of docs/deployment.md as they are written there."""

from __future__ import annotations

import json
import re

import pytest
from django.contrib.staticfiles.storage import staticfiles_storage
from django.test import Client
from whitenoise.storage import CompressedManifestStaticFilesStorage

from config.static_files import missing_manifest
from tests.serving.production.saving import saved_answers
from tests.support.running.production import Site, documented, example_settings, wait_until
from tests.support.running.visitor import Visitor

together = [pytest.mark.processes]
OWNER = {"login": "owner@example.org", "password": "simile-and-metaphor-42"}
RELIABILITY = "/studies/similes/reliability/"


class TestProcesses:
    pytestmark = together

    def test_they_are_the_four_that_prepare_serve_and_work(self):
        assert [command[0] for command in documented()] == ["groundwork", "groundwork", "gunicorn", "celery"]

    def test_an_item_is_rated_and_a_worker_computes_the_report(self, site: Site, link: str):
        with site.web(), site.worker() as log:
            rater = Visitor(site.port)
            page = rater.joins(link)
            assert page.status == 200, page.text
            sheets = re.findall(r'<link[^>]*href="(/static/[^"]+\.css)"', page.text)
            assert sheets
            assert {rater.get(sheet).status for sheet in sheets} == {200}
            before = saved_answers(site)
            assert rater.rates(page).status == 303
            assert saved_answers(site) == before + 1
            owner = Visitor(site.port)
            owner.get("/account/login/")
            assert owner.post("/account/login/", OWNER).leads_to == "/"
            assert owner.post(RELIABILITY, {}).status == 302
            report = re.compile(RELIABILITY + r"\d+\.json")
            wait_until(lambda: report.search(owner.get(RELIABILITY).text))
            found = report.search(owner.get(RELIABILITY).text)
            assert found is not None
            assert json.loads(owner.get(found[0]).text)["data"]["n_responses"] == before + 1
            assert "succeeded" in log.read_text()

    def test_the_example_of_settings_does_not_start_before_it_is_edited(self, unprepared: Site):
        done = unprepared.run(documented()[-2], SECRET_KEY=example_settings()["SECRET_KEY"])
        assert done.stderr.startswith("SECRET_KEY is too short")

    @pytest.mark.parametrize("preload", [True, False])
    def test_without_the_static_files_the_start_refuses_with_one_sentence(
        self, unprepared: Site, tmp_path, preload
    ):
        web = [word for word in documented()[-2] if preload or word != "--preload"]
        done = unprepared.run(web, GROUNDWORK_VAR=str(tmp_path / "var"))
        assert done.returncode != 0
        assert "Traceback" not in done.stderr
        sentences = [line for line in done.stderr.splitlines() if not line.startswith("[")]
        assert set(sentences) == {missing_manifest()}

    @pytest.mark.parametrize("program", [-2, -1], ids=["web", "worker"])
    def test_a_wrong_setting_stops_the_start_with_one_sentence(self, unprepared: Site, program):
        done = unprepared.run(documented()[program], SECRET_KEY="short")
        assert done.returncode != 0
        assert done.stderr.startswith("SECRET_KEY is too short")
        assert len(done.stderr.splitlines()) == 1


@pytest.mark.django_db
def test_not_ready_without_the_manifest(client: Client, settings, tmp_path):
    settings.STATIC_ROOT = tmp_path
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
    }
    assert isinstance(staticfiles_storage, CompressedManifestStaticFilesStorage)
    answer = client.get("/health/ready")
    assert (answer.status_code, answer.json()["code"]) == (503, "static_files_missing")
    assert "manifest" in answer.json()["message"]
    assert "collectstatic" in answer.json()["message"]
