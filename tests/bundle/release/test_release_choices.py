"""A release has the licences and rounded times that were asked for, and the files that were announced."""

from __future__ import annotations

import csv
import hashlib
import json
import re
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import mlcroissant
import pytest
import yaml
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.domain.base.errors import InvalidContent
from annotation.domain.base.timestamps import TIMES, rounded
from annotation.models import Release
from annotation.selectors.base.archives import archive_path
from annotation.services.base import audit
from annotation.services.base.jobs import claim
from scoring.services.reports.releases import make_release, request_release
from scoring.services.reports.reliability import compute_report, request_report
from tests.bundle.recompute.recomputing import recompute
from tests.bundle.studies import quick, rich_cast
from tests.services.judges.judged_study import add_judge, chat_judge
from tests.support.people import Cast

pytestmark = pytest.mark.django_db
MOMENT = re.compile(r"\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d)")


@pytest.fixture
def cast() -> Cast:
    return rich_cast()


def released(cast: Cast, folder: Path, **asked: object) -> Path:
    job = request_release(study=cast.study, actor=cast.users["owner"], **asked)  # type: ignore[arg-type]
    lease = claim(job_id=job.pk)
    assert lease is not None
    make_release(lease=lease)
    with zipfile.ZipFile(archive_path(Release.objects.get(job=job).job)) as archive:
        archive.extractall(folder)
    return folder / cast.slug


def moments(folder: Path) -> Iterator[tuple[str, str]]:
    for path in sorted((folder / "data").glob("*.csv")):
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                yield from ((path.name, row[name]) for name in TIMES & row.keys() if row[name])


def test_moments_are_those_of_the_start_of_the_day_in_every_table_unless_asked_otherwise(
    cast: Cast, tmp_path: Path
) -> None:
    by_default = list(moments(folder := released(cast, tmp_path / "day")))
    assert {"ratings.csv", "raters.csv", "audit_log.csv"} <= {name for name, _ in by_default}
    assert {text[10:] for _, text in by_default} == {"T00:00:00Z"}
    assert recompute(folder)[0] == 0
    exact = list(moments(released(cast, tmp_path / "exact", times="exact")))
    assert {text[10:] for _, text in exact} != {"T00:00:00Z"}
    with pytest.raises(InvalidContent) as refusal:
        request_release(study=cast.study, actor=cast.users["owner"], times="week")
    assert refusal.value.code == "unknown_rounding"


def test_no_file_of_a_release_with_rounded_times_has_a_moment_in_its_details(
    cast: Cast, tmp_path: Path
) -> None:
    request = request_report(study=cast.study, actor=None, announce=False)
    compute_report(lease=quick(request))
    judge = chat_judge(cast.study)
    judge.settings["texts_may_be_sent"] = {"at": "2026-03-01T12:34:56+00:00", "consent_version": None}
    judge.save()
    ends = timezone.now().isoformat()
    audit.record(study=cast.study, actor=None, act="create_share_link", share_link=1, expires_at=ends)
    folder = released(cast, tmp_path, judges=True)
    texts = [path for path in folder.rglob("*") if path.suffix in {".csv", ".json", ".jsonl", ".md", ".cff"}]
    found = {(path.name, one) for path in texts for one in MOMENT.findall(path.read_text(encoding="utf-8"))}
    assert {"audit_log.csv", "judges.json", "study.json", "reliability.json"} <= {name for name, _ in found}
    assert {one for _, one in found} == {"T00:00:00"}


@pytest.mark.parametrize(
    ("to", "text"),
    [
        ("exact", "2026-03-01T00:30:59.5+01:00"),
        ("hour", "2026-02-28T23:00:00Z"),
        ("day", "2026-02-28T00:00:00Z"),
    ],
)
def test_moments_are_rounded_down_in_utc(to: str, text: str) -> None:
    assert rounded("2026-03-01T00:30:59.5+01:00", to) == text
    assert rounded("", to) == ""
    assert datetime.fromisoformat(text).astimezone(UTC) <= datetime(2026, 2, 28, 23, 31, tzinfo=UTC)


def test_every_description_says_the_licence_of_the_texts(cast: Cast, tmp_path: Path) -> None:
    folder = released(cast, tmp_path, licence="CC-BY-4.0", texts_licence="CC-BY-NC-4.0")
    readme = (folder / "README.md").read_text()
    assert "| texts of items | [CC BY-NC 4.0](https://creativecommons.org/licenses/by-nc/4.0/) |" in readme
    assert "| program in `recompute/` | GPL-3.0-or-later" in readme
    card = yaml.safe_load(readme.split("---\n")[1])
    assert (card["license"], card["license_name"]) == ("other", "cc-by-4.0-texts-cc-by-nc-4.0")
    assert "CC BY-NC 4.0" in (folder / card["license_link"]).read_text()
    described = mlcroissant.Dataset(jsonld=str(folder / "croissant.json")).metadata
    assert described.ctx.issues.errors == set()
    assert described.license == [
        "https://creativecommons.org/licenses/by/4.0/",
        "https://creativecommons.org/licenses/by-nc/4.0/",
    ]
    tables = json.loads((folder / "csv-metadata.json").read_text())["tables"]
    own = {one["url"]: one["dc:license"]["@id"] for one in tables if "dc:license" in one}
    assert own == {"data/items.csv": "https://creativecommons.org/licenses/by-nc/4.0/"}


def test_texts_of_others_have_no_licence(cast: Cast, tmp_path: Path) -> None:
    folder = released(cast, tmp_path, licence="CC-BY-4.0", texts_licence="none", authors=["Duarte, Ines"])
    readme = (folder / "README.md").read_text()
    assert "| texts of items | no licence; others have the rights" in readme
    card = yaml.safe_load(readme.split("---\n")[1])
    assert (card["license"], card["license_name"]) == ("other", "cc-by-4.0-texts-reserved")
    assert (folder / card["license_link"]).is_file()
    assert "Texts of items: no licence" in (folder / "datasheet.md").read_text()
    described = json.loads((folder / "csv-metadata.json").read_text())
    assert "dc:license" not in described
    assert [one["url"] for one in described["tables"] if "dc:license" not in one] == ["data/items.csv"]
    assert "license" not in json.loads((folder / "croissant.json").read_text())
    assert "license" not in json.loads((folder / ".zenodo.json").read_text())
    assert "license" not in yaml.safe_load((folder / "CITATION.cff").read_text())


def test_the_files_that_are_announced_are_those_of_the_release(cast: Cast, tmp_path: Path) -> None:
    add_judge(cast.study)
    client = Client()
    client.force_login(cast.users["owner"])
    page = reverse("study-releases", args=[cast.slug])
    assert "data/ratings.csv" not in client.get(page).content.decode()
    announced = client.get(page, {"files": "1", "judges": "1"}).context["files"]
    folder = released(cast, tmp_path, authors=["Duarte, Ines"], judges=True)
    written = [path for path in folder.rglob("*") if path.is_file()]
    assert sum(one.n_files for one in announced) == len(written)
    counted = {one.path.partition(",")[0]: one for one in announced if one.n_rows is not None}
    assert {
        "data/ratings.csv",
        "data/items.csv",
        "data/judgements.csv",
        "data/exclusions.csv",
    } <= counted.keys()
    for path, one in counted.items():
        with (folder / path).open(encoding="utf-8", newline="") as file:
            header, *rows = csv.reader(file)
        assert (one.n_rows, one.n_columns) == (len(rows), len(header)), path
    client.force_login(cast.users["researcher"])
    assert not client.get(page, {"files": "1"}).context["files"]


def test_the_command_makes_a_release_like_the_page_and_writes_its_archive(
    cast: Cast, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "release.zip"
    given = ("--licence", "CC-BY-4.0", "--author", "Duarte, Ines", "--times", "hour", "--note", "First.")
    call_command("export", cast.slug, "--release", *given, "--out", str(file))
    release = Release.objects.get(study=cast.study)
    assert capsys.readouterr().out == f"Release 1.0 of {cast.slug}, SHA-256 {release.digest}\n"
    assert hashlib.sha256(file.read_bytes()).hexdigest() == release.digest
    assert file.read_bytes() == archive_path(release.job).read_bytes()
    assert (release.licence, release.note, release.created_by) == ("CC-BY-4.0", "First.", None)
    assert (release.job.params["times"], release.job.params["judges"]) == ("hour", False)
    with pytest.raises(CommandError) as refusal:
        call_command("export", cast.slug, "--release", "--author", "a, b, c")
    assert "[bad_author]" in str(refusal.value)
    call_command("export", cast.slug, "--release", "--major")
    assert capsys.readouterr().out.startswith("Release 2.0")
