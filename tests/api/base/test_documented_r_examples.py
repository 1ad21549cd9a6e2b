"""The examples in R of the documentation run as they are printed there, where R and httr2 are installed."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest
from django.test import Client
from pytest_django.live_server_helper import LiveServer

from annotation.models import Study, User
from annotation.services.base.tokens import make_token
from annotation.services.items.rating_files import import_ratings
from annotation.services.studies.lifecycle import create_study
from config.settings.places import ROOT
from tests.api.base.r_packages import has_httr2

ROWS = (
    "item,rater,criterion,value,remark\n"
    "L1,R1,aptness,3,\"NA, 'quoted' # and 比喻\"\n"
    "L1,R2,aptness,3,\n"
    "L2,R1,aptness,1,\n"
    "L2,R2,aptness,2,\n"
)


pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(not has_httr2(), reason="R with the package httr2 is not installed"),
]


@pytest.fixture
def study(db: None, tmp_path: Path) -> Study:
    owner = User.objects.create_user("me@example.org", "simile-and-metaphor-42")
    study = create_study(slug="lamps", title="Lamps", owner=owner)
    path = tmp_path / "rows.csv"
    path.write_text(ROWS, encoding="utf-8")
    import_ratings(study=study, path=path, scale=(1, 3))
    return study


def printed_by(example: str, folder: Path, **surroundings: str) -> list[str]:
    run = subprocess.run(
        ["Rscript", "-e", example],
        cwd=folder,
        env=os.environ | {"LC_ALL": "C.UTF-8"} | surroundings,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return run.stdout.splitlines()


def example_of(page: str) -> str:
    (example,) = re.findall(r"```r\n(.*?)```", (ROOT / "docs" / page).read_text(encoding="utf-8"), re.DOTALL)
    return str(example)


def test_the_ratings_are_read_over_the_api(live_server: LiveServer, study: Study, tmp_path: Path):
    owner = User.objects.get(email="me@example.org")
    token = make_token(user=owner, name="reading", scopes=["read"])[1]
    lines = printed_by(example_of("api.md"), tmp_path, GROUNDWORK=live_server.url, GROUNDWORK_TOKEN=token)
    assert [line.split()[1:] for line in lines[1:]] == [["L1", "3.0"], ["L2", "1.5"]]


def test_a_file_of_ratings_is_read_with_its_truth_values(client: Client, study: Study, tmp_path: Path):
    client.force_login(User.objects.get(email="me@example.org"))
    exported = client.get("/studies/lamps/exports/ratings/?format=csv")
    (tmp_path / "ratings.csv").write_bytes(b"".join(exported.streaming_content))  # type: ignore[attr-defined]
    look = 'cat(nrow(used), class(used$current), sum(used$value), used$remark[1], sep = "|")'
    lines = printed_by(f"{example_of('export-columns.md')}\n{look}", tmp_path)
    assert lines == ["4|logical|9|NA, 'quoted' # and 比喻"]
