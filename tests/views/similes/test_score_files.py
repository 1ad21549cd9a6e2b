"""Columns of scores from a file: mapped, checked as a whole, stored by a job, compared like any metric."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from annotation.domain.base.states import JobState, Role
from annotation.models import AuditEntry, ImportFile, Job, Study
from annotation.tasks import run_job
from scoring.models import Score, ScoreRun
from scoring.selectors.data.answers import study_answers
from scoring.selectors.data.metric_scores import metric_scores
from scoring.selectors.data.staleness import data_state
from tests.support.people import Cast, make_cast
from tests.support.studies.disagreement_study import figures_of, make_study

pytestmark = pytest.mark.django_db
FILE = "id,note,bleu,ours\nL00,x,0.5,1e-3\nL01,y,,2\n"
COLUMNS = {"use-0": "item", "use-1": "", "use-2": "metric:", "name-2": "BLEU", "use-3": "metric:"}


@pytest.fixture
def cast() -> Cast:
    return make_cast()


@pytest.fixture
def client(cast: Cast) -> Client:
    client = Client()
    client.force_login(cast.users["researcher"])
    return client


def upload(client: Client, content: bytes, name: str = "my.csv") -> str:
    sent = {"file": SimpleUploadedFile(name, content)}
    answer = client.post(reverse("study-scores-import", args=["lamps"]), sent)
    assert answer.status_code == 302, answer.context["problems"]
    return answer.headers["Location"]


def stored() -> dict[tuple[str, str], Any]:
    found = Score.objects.values_list("item__key", "metric", "value", "reason")
    return {(key, metric): (value, reason) for key, metric, value, reason in found}


def test_columns_are_mapped_shown_and_stored_by_a_job(cast: Cast, client: Client) -> None:
    url = upload(client, FILE.encode())
    page = client.post(url, {**COLUMNS, "run": "mine", "act": "check"})
    assert (len(page.context["checked"].rows), page.context["problems"]) == (2, [])
    assert ("L00", ["0.5", "1e-3"]) in page.context["preview"]
    assert not stored()
    before = data_state(cast.study, "metrics")
    job = client.post(url, {**COLUMNS, "run": "mine", "act": "import"}).headers["Location"]
    run_job(Job.objects.get(kind="import_scores").pk)
    assert stored() == {
        ("L00", "BLEU"): (0.5, ""),
        ("L00", "ours"): (0.001, ""),
        ("L01", "BLEU"): (None, "not_given"),
        ("L01", "ours"): (2.0, ""),
    }
    assert ScoreRun.objects.get().name == "mine"
    assert data_state(cast.study, "metrics") != before
    assert AuditEntry.objects.get(act="import_scores").detail["metrics"] == ["BLEU", "ours"]
    assert url in client.get(job).content.decode()
    assert "Scores of 2 items added from my.csv." in client.get(url).content.decode()
    assert client.post(url, {**COLUMNS, "run": "mine", "act": "import"}).status_code == 409


def test_item_ids_are_proposed_where_those_of_the_study_are(client: Client) -> None:
    url = upload(client, b"item,key,bleu\n0,L00,0.5\n1,L01,0.25\n")
    proposed = {row["column"]: row["kind"] for row in client.get(url).context["rows"]}
    assert proposed == {"item": "", "key": "item", "bleu": "metric:"}
    other = client.get(upload(client, b"item,bleu\nX,0.5\n"))
    assert [row["kind"] for row in other.context["rows"]] == ["item", "metric:"]


BAD = "item,bleu\nL00,0.5\nL00,0.6\nnobody,1\nL01,high\nL02,1_0\nL03,inf\n"


def test_one_bad_row_stores_nothing_and_each_is_listed_in_a_file(client: Client) -> None:
    url = upload(client, BAD.encode())
    mapping = {"use-0": "item", "use-1": "metric:", "run": "mine"}
    refused = client.post(url, {**mapping, "act": "import"})
    assert refused.status_code == 422
    assert not stored()
    assert not Job.objects.filter(kind="import_scores").exists()
    file = client.get(reverse("study-scores-problems", args=["lamps", ImportFile.objects.get().pk]))
    rows = list(csv.DictReader(io.StringIO(b"".join(file).decode())))
    assert [(row["row"], row["code"]) for row in rows] == [
        ("3", "doubled_item"),
        ("4", "unknown_item"),
        ("5", "not_a_number"),
        ("6", "not_a_number"),
        ("7", "not_a_number"),
    ]
    client.post(url, {**mapping, "act": "import", "skip": "on"})
    run_job(Job.objects.get(kind="import_scores").pk)
    assert stored() == {("L00", "bleu"): (0.5, "")}
    assert ImportFile.objects.get().skipped == 5


@pytest.mark.parametrize("ending", ["tsv", "jsonl", "xlsx", "parquet"])
def test_every_format_gives_the_same_scores(client: Client, ending: str, tmp_path: Path) -> None:
    frame, path = pd.DataFrame({"item": ["L00", "L01"], "chrf": [0.25, 3.0]}), tmp_path / f"it.{ending}"
    write = {
        "tsv": lambda: frame.to_csv(path, sep="\t", index=False),
        "jsonl": lambda: frame.to_json(path, orient="records", lines=True),
        "xlsx": lambda: frame.to_excel(path, index=False),
        "parquet": lambda: frame.to_parquet(path),
    }
    write[ending]()
    url = upload(client, path.read_bytes(), path.name)
    page = client.get(url)
    assert [(row["kind"], row["name"]) for row in page.context["rows"]] == [("item", ""), ("metric:", "chrf")]
    client.post(url, {"use-0": "item", "use-1": "metric:", "run": page.context["asked"].run, "act": "import"})
    run_job(Job.objects.get(kind="import_scores").pk)
    assert stored() == {("L00", "chrf"): (0.25, ""), ("L01", "chrf"): (3.0, "")}
    assert ScoreRun.objects.get().name == "it"


def send(cast: Cast, content: str, **fields: str) -> Any:
    sent = {"file": SimpleUploadedFile("mine.csv", content.encode()), **fields}
    return cast.client("researcher").post(f"{cast.base}/scores/imports/", sent, format="multipart")


def test_a_run_of_the_same_name_is_replaced_only_where_that_is_asked_for(cast: Cast) -> None:
    for content, fields, status in [
        ("item,m\nL00,1\nL01,1\n", {}, 202),
        ("item,m\nL00,2\n", {}, 422),
        ("item,m\nL00,2\n", {"replace": "true"}, 202),
    ]:
        answer = send(cast, content, **fields)
        assert answer.status_code == status, answer.json()
        if status == 202:
            run_job(answer.json()["job"])
        else:
            assert answer.json()["code"] == "run_taken"
    assert stored() == {("L00", "m"): (2.0, "")}
    assert ScoreRun.objects.get().revision == 2
    payload = cast.client("researcher").get(f"{cast.base}/scores/imports/{answer.json()['id']}/").json()
    assert (payload["stored"], payload["skipped"]) == (1, 0)


def test_a_run_that_was_computed_is_never_replaced(cast: Cast) -> None:
    ScoreRun.objects.create(study=cast.study, name="mine", profile="embedded", key="0")
    assert send(cast, "item,m\nL00,1\n", replace="true").json()["code"] == "run_taken"


@pytest.mark.parametrize(
    "mapping", ["[]", "{", '{"item": "item"}', '{"m": "metric:m"}', '{"item": "item", "m": "metric:"}']
)
def test_an_impossible_mapping_is_refused_and_the_file_is_not_stored(cast: Cast, mapping: str) -> None:
    assert send(cast, "item,m\nL00,1\n", mapping=mapping).status_code in {400, 422}
    assert not ImportFile.objects.exists()


def test_the_command_stores_named_columns_and_says_what_is_wrong(cast: Cast, tmp_path: Path) -> None:
    (tmp_path / "ours.csv").write_text(FILE, encoding="utf-8")
    out = io.StringIO()
    call_command("import_scores", "lamps", tmp_path / "ours.csv", item="id", metric=["ours=O"], stdout=out)
    assert out.getvalue() == "ours: scores of 2 items imported, 0 rows skipped\n"
    assert stored() == {("L00", "O"): (0.001, ""), ("L01", "O"): (2.0, "")}
    assert Job.objects.get(kind="import_scores").state == JobState.DONE
    (tmp_path / "bad.csv").write_text(BAD, encoding="utf-8")
    with pytest.raises(CommandError, match=r"row 4.*nobody"):
        call_command("import_scores", "lamps", tmp_path / "bad.csv", metric=["bleu"])
    assert ScoreRun.objects.count() == 1


def test_an_imported_metric_is_compared_like_any_other() -> None:
    """It is listed among the metrics of the item list, with a divergence for each item that has a score."""
    study: Study = make_study()
    client = Client()
    client.force_login(study.memberships.get(role=Role.OWNER).user)
    lines = [f"{item.key},{place % 7}" for place, item in enumerate(study.items.all())]
    sent = {"file": SimpleUploadedFile("ours.csv", "\n".join(["item,ours", *lines]).encode())}
    url = client.post(reverse("study-scores-import", args=[study.slug]), sent).headers["Location"]
    client.post(url, {"use-0": "item", "use-1": "metric:", "run": "ours", "act": "import"})
    run_job(Job.objects.get(kind="import_scores").pk)
    assert list(metric_scores(study, study_answers(study)).columns) == ["ours"]
    figures_of(study)
    page = client.get(
        f"{reverse('study-disagreement', args=[study.slug])}?metric=ours&sort=-quality.divergence"
    )
    assert page.context["asked"].problems == ()
    assert page.context["shown"].paginator.count == study.items.count()
