"""Bundles have automatic judges if they were asked to, with how each was set up, and no secret."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import zipfile
from pathlib import Path

import mlcroissant
import pytest
import yaml
from datasets import load_dataset
from django.core.management import call_command
from django.urls import reverse

from annotation.domain.base.errors import GroundworkError
from annotation.models import Job, Study
from scoring.models import Judge, JudgeCall, Judgement, Report
from scoring.services.judges.judge_report import compute_judges, request_judges
from scoring.services.judges.judge_storing import JudgeNotes
from scoring.services.judges.judgement_files import JudgementFile, import_judgements
from scoring.services.judges.scores_as_answers import Mapped
from scoring.services.reports.bundles import write_bundle
from tests.bundle.studies import quick, unpacked
from tests.services.judges.judged_study import add_judge, chat_judge
from tests.services.metrics.rated_study import owner_of, rated_study

pytestmark = pytest.mark.django_db
SECRETS = ("/srv/models", "models.example.org/v1", "owner@example.org")


@pytest.fixture
def study(db: None) -> Study:
    return rated_study()


def from_file(study: Study, folder: Path) -> bytes:
    """A judge of a file with two samples an item; the content of the file."""
    rows = [
        f"{item.key},{sample},{1 + n % 5}" for n, item in enumerate(study.items.all()) for sample in (1, 2)
    ]
    content = "\n".join(["item,sample,quality", *rows]).encode()
    path = folder / "answers.csv"
    path.write_bytes(content)
    notes = JudgeNotes("From a file", description="Sent by owner@example.org")
    asked = JudgementFile(notes=notes, mapped=Mapped.ANSWERS)
    import_judgements(study=study, actor=None, path=path, name="answers.csv", asked=asked)
    return content


def asked_judge(study: Study) -> None:
    """A chat judge that was allowed, asked about two items, and refused one."""
    judge = chat_judge(study, "Chat")
    allowed = {
        "address": "https://models.example.org/v1",
        "at": "2026-05-01T10:00:00+00:00",
        "consent_version": 1,
    }
    judge.settings |= {
        "texts_may_be_sent": allowed,
        "counts": {"spent": "0.02", "failures": 3, "repeated": 1},
    }
    judge.save()
    (criterion,) = study.forms.get().versions.get().criteria.filter(key="quality")
    for n, item in enumerate(study.items.order_by("position")[:2]):
        given = {"reason": "refused"} if n else {"value": 4, "minimum": 1, "maximum": 5, "tokens_in": 80}
        Judgement.objects.create(judge=judge, item=item, criterion=criterion, raw="{}", **given)
        JudgeCall.objects.create(judge=judge, item=item, state="answered", key=str(n) * 64)


def local_judge(study: Study) -> None:
    model = {"checkpoint": "/srv/models/judge-2", "kind": "causal", "reading": "mode", "labels": {}}
    asked = {"model": model, "revision": "sha256:0123", "template": "v1 aa", "form": "similes"}
    Judge.objects.create(study=study, name="Local", way="model", settings=asked)


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_the_answers_of_judges_are_in_a_table_of_their_own(study, tmp_path):
    from_file(study, tmp_path)
    asked_judge(study)
    folder = unpacked(study, tmp_path, ["jsonl"], judges=True)
    rows = rows_of(folder / "data/judgements.csv")
    assert len(rows) == 36 * 2 + 2
    assert [rows[0][name] for name in ("item", "judge", "sample", "value")] == [
        "I00",
        "From a file",
        "1",
        "1",
    ]
    assert [(row["value"], row["reason"]) for row in rows if row["judge"] == "Chat"] == [
        ("4", ""),
        ("", "refused"),
    ]
    assert (folder / "data/judgements.parquet").exists()
    assert (folder / "data/judgements.jsonl").exists()
    assert "Chat" not in (folder / "data/ratings.csv").read_text()
    assert "Chat" not in (folder / "data/raters.csv").read_text()


def test_the_table_can_be_imported_as_a_file_of_answers(study, tmp_path):
    from_file(study, tmp_path)
    table = unpacked(study, tmp_path, judges=True) / "data/judgements.csv"
    before = list(Judgement.objects.order_by("item", "sample").values_list("item", "sample", "value"))
    Judge.objects.all().delete()
    asked = JudgementFile(notes=JudgeNotes(""), mapped=Mapped.ANSWERS)
    (judge,) = import_judgements(study=study, actor=None, path=table, name=table.name, asked=asked)
    assert judge.name == "From a file"
    assert list(Judgement.objects.order_by("item", "sample").values_list("item", "sample", "value")) == before


def test_it_says_how_each_judge_was_set_up_and_no_secret(study, tmp_path):
    content = from_file(study, tmp_path)
    asked_judge(study)
    local_judge(study)
    folder = unpacked(study, tmp_path, judges=True)
    judges = {one["name"]: one for one in json.loads((folder / "judges.json").read_text())}
    assert judges["From a file"]["file"] == {
        "file_name": "answers.csv",
        "sha256": hashlib.sha256(content).hexdigest(),
        "mapping": "answers",
    }
    chat = judges["Chat"]
    assert (chat["chat"]["model"], chat["chat"]["host"]) == ("judge-1", "models.example.org")
    assert (chat["chat"]["consent_version"], chat["criteria"]) == (1, ["quality", "creativity"])
    assert chat["template"].startswith("v2 ")
    assert (chat["n_answers"], chat["n_without"]) == (1, 1)
    local = judges["Local"]
    assert local["model"]["checkpoint"] == "judge-2"
    assert local["model"]["digest"] == "sha256:0123"
    files = {path.name: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    found = {(name, one) for name, text in files.items() for one in SECRETS if one.encode() in text}
    assert found == set()


def test_calls_and_their_cost_are_in_the_bundle(study, tmp_path):
    judge = chat_judge(study)
    judge.settings |= {"form": "similes", "counts": {"spent": "0.02", "failures": 3, "repeated": 1}}
    judge.save()
    for n, (item, state) in enumerate(
        zip(study.items.all(), ("answered", "answered", "failed"), strict=False)
    ):
        JudgeCall.objects.create(judge=judge, item=item, state=state, key=str(n) * 64)
    (stored,) = json.loads((unpacked(study, tmp_path, judges=True) / "judges.json").read_text())
    assert stored["calls"] == {
        "answered": 2,
        "without_answer": 1,
        "failed_tries": 3,
        "repeated": 1,
        "spent": "0.02",
    }


def test_sheets_and_descriptions_for_machines_name_the_table(study, tmp_path, monkeypatch):
    from_file(study, tmp_path)
    folder = unpacked(study, tmp_path, judges=True)
    assert (
        "72 answers of 1 automatic judges are in `data/judgements.csv`"
        in (folder / "datasheet.md").read_text()
    )
    readme = (folder / "README.md").read_text()
    assert "## Automatic judges" in readme
    assert "| `judges.json` |" in readme
    described = json.loads((folder / "csv-metadata.json").read_text())
    (columns,) = (
        one["tableSchema"]["columns"] for one in described["tables"] if one["url"] == "data/judgements.csv"
    )
    assert {one["titles"]: one["datatype"] for one in columns}["sample"] == "integer"
    croissant = mlcroissant.Dataset(jsonld=str(folder / "croissant.json"))
    assert croissant.metadata.ctx.issues.errors == set()
    assert "From a file" in str(
        json.loads((folder / "croissant.json").read_text())["rai:machineAnnotationTools"]
    )
    first = next(iter(croissant.records("judgements")))
    assert first["judgements/judge"] == b"From a file"
    monkeypatch.setenv("HF_DATASETS_OFFLINE", "1")
    card = yaml.safe_load(readme.split("---\n")[1])
    assert [one["config_name"] for one in card["configs"]] == ["ratings", "items", "scores", "judgements"]
    loaded = load_dataset(str(folder), "judgements", cache_dir=str(tmp_path / "cache"), split="train")
    assert len(loaded) == 72


def test_a_report_on_judges_is_in_the_bundle_that_asked_alone(study, tmp_path):
    add_judge(study)
    compute_judges(lease=quick(request_judges(study=study, actor=None)))
    asked = unpacked(study, tmp_path / "asked", judges=True)
    report = json.loads((asked / "reports/judges.json").read_text())
    assert report["tables"].keys() >= {"agreement", "test", "means", "orders", "sizes", "criteria"}
    assert "judges" not in report["tables"]
    plain = unpacked(study, tmp_path / "plain")
    assert not list(plain.glob("reports/*"))
    assert "Not part of a bundle: automatic judges compared with raters." in (plain / "README.md").read_text()
    stored = Report.objects.get(study=study, kind="judges")
    Report.objects.filter(pk=stored.pk).update(method=stored.method | {"definitions": 1})
    earlier = unpacked(study, tmp_path / "earlier", judges=True)
    assert not list(earlier.glob("reports/*")), "recompute has the figures of other definitions"
    add_judge(study, "Judge B")
    stale = unpacked(study, tmp_path / "stale", judges=True)
    assert not list(stale.glob("reports/*"))
    assert "have changed since they were computed: automatic judges" in (stale / "README.md").read_text()


def test_without_judges_a_bundle_that_asked_for_them_has_no_empty_table(study, tmp_path):
    folder = unpacked(study, tmp_path, judges=True)
    assert not (folder / "judges.json").exists()
    assert not list(folder.glob("data/judgements.*"))


def test_an_answer_of_a_judge_that_comes_meanwhile_fits_no_bundle(study):
    judge = add_judge(study)
    left = list(judge.judgements.all())

    def another(done: int, total: int, path: str) -> None:
        if path == "README.md" and done and left:
            left.pop().delete()

    with pytest.raises(GroundworkError) as refusal:
        write_bundle(
            study=study,
            target=io.BytesIO(),
            formats=(),
            bom=False,
            with_pay=False,
            judges=True,
            progress=another,
        )
    assert refusal.value.code == "data_changed"


def test_page_api_and_command_ask_for_judges_and_leave_them_out_by_default(study, tmp_path):
    client, page = owner_of(study), reverse("study-exports", args=[study.slug])
    assert 'name="judges"' not in client.get(page).content.decode()
    add_judge(study)
    assert 'name="judges"' in client.get(page).content.decode()
    start, api = reverse("study-bundle", args=[study.slug]), f"/api/v1/studies/{study.slug}/bundle/"
    asked = [
        lambda: client.post(start),
        lambda: client.post(start, {"judges": "1"}),
        lambda: client.post(api, {}, content_type="application/json"),
        lambda: client.post(api, {"judges": True}, content_type="application/json"),
    ]
    for ask in asked:
        ask()
        Job.objects.filter(kind="bundle", state="queued").update(state="cancelled")
    jobs = Job.objects.filter(kind="bundle").order_by("pk")
    assert [job.params.get("judges", False) for job in jobs] == [False, True, False, True]
    for judges in (False, True):
        target = tmp_path / "lamps.zip"
        call_command("export", study.slug, what="bundle", out=str(target), judges=judges)
        with zipfile.ZipFile(target) as archive:
            assert any(name.endswith("/judges.json") for name in archive.namelist()) is judges
