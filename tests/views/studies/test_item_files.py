"""Items from a file whose columns are mapped, checked as a whole, and stored by a job."""

from __future__ import annotations

import csv
import io
import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from annotation.domain.base.states import JobState, StudyState
from annotation.models import ImportFile, Item, Job
from annotation.services.items.item_files import check_file
from annotation.services.studies.lifecycle import change_state
from annotation.tasks import run_job
from tests.support.people import Cast, make_cast

pytestmark = pytest.mark.django_db
FILE = "id,Satz,Quelle,note\na,like rain,S1,x\nb,like snow,S2,y\n"
COLUMNS = {
    "use-0": "item",
    "use-1": "text:",
    "name-1": "simile",
    "use-2": "system",
    "use-3": "meta:",
    "name-3": "n",
}


@pytest.fixture
def cast() -> Cast:
    return make_cast(opened=False)


@pytest.fixture
def client(cast: Cast) -> Client:
    client = Client()
    client.force_login(cast.users["researcher"])
    return client


def upload(client: Client, content: str, name: str = "my.csv") -> str:
    sent = {"what": "columns", "file": SimpleUploadedFile(name, content.encode())}
    answer = client.post(reverse("study-import", args=["lamps"]), sent)
    assert answer.status_code == 302, answer.context["problems"]
    return answer.headers["Location"]


def stored() -> dict[str, Any]:
    return {
        item.key: (item.fields, item.system, item.metadata)
        for item in Item.objects.exclude(key__startswith="L")
    }


def test_an_item_id_that_only_counts_the_rows_is_warned_of(client):
    url = upload(client, "n,simile\n0,like rain\n1,like snow\n")
    warning = "The column “n” only counts the rows of the file."
    assert warning in client.get(url).content.decode()
    assert "only counts the rows" not in client.get(upload(client, FILE)).content.decode()


def test_columns_are_mapped_shown_and_stored_by_a_job(client):
    url = upload(client, FILE)
    page = client.post(url, {**COLUMNS, "act": "check"})
    assert (len(page.context["checked"].new), page.context["problems"]) == (2, [])
    assert "like rain" in page.content.decode()
    assert not stored()
    job_url = client.post(url, {**COLUMNS, "act": "import"}).headers["Location"]
    run_job(Job.objects.get(kind="import_items").pk)
    assert stored() == {
        "a": ({"simile": "like rain"}, "S1", {"n": "x"}),
        "b": ({"simile": "like snow"}, "S2", {"n": "y"}),
    }
    assert reverse("study-import-file", args=["lamps", 1])[:-2] in client.get(job_url).content.decode()
    assert "2 items added from my.csv." in client.get(url).content.decode()
    assert client.post(url, {**COLUMNS, "act": "import"}).status_code == 409


def test_first_items_and_rating_page_follow_the_columns_before_anything_is_checked(client):
    url = upload(client, FILE)
    page = client.post(url, {**COLUMNS, "name-1": "", "use-2": "text:simile", "act": "preview"})
    shown = page.content.decode()
    assert page.context["checked"] is None
    assert [item["fields"]["simile"] for item in page.context["preview"]] == ["S1", "S2"]
    assert 'name="answer-quality"' in shown[shown.index('id="preview"') :]
    assert ">S1</p>" in shown[shown.index('id="preview"') :]
    without = client.post(url, {"use-1": "text:simile", "act": "preview"}).content.decode()
    assert "Choose the column that contains the item IDs, or use row numbers." in without


def test_empty_cells_of_texts_are_named_before_anything_is_stored(client):
    url = upload(client, "item,literal,simile\na,It rained,like rain\nb,It snowed,\n")
    uses = {"use-0": "item", "use-1": "text:", "use-2": "text:simile", "act": "check"}
    page = " ".join(re.sub(r"<[^>]+>", "", client.post(url, uses).content.decode()).split())
    assert "1 cell of the text column “simile” is empty (row 3)." in page
    assert "text column “literal”" not in page
    assert not stored()


BAD = "item,simile\na,like rain\n,no key\nb,like snow\nb,twice\nL00,known\nc\nd,\n"


def test_one_bad_row_stores_nothing_and_each_is_listed_in_a_file(client):
    url = upload(client, BAD)
    refused = client.post(url, {"use-0": "item", "use-1": "text:", "act": "import"})
    assert refused.status_code == 422
    assert not Job.objects.filter(kind="import_items").exists()
    answer = client.get(reverse("study-import-problems", args=["lamps", ImportFile.objects.get().pk]))
    rows = list(csv.DictReader(io.StringIO(b"".join(answer.streaming_content).decode())))
    assert [(row["row"], row["code"]) for row in rows] == [
        ("3", "empty_cell"),
        ("5", "doubled_item"),
        ("6", "doubled_item"),
        ("7", "ragged_row"),
        ("8", "no_text"),
    ]
    assert not stored()


def test_bad_rows_are_left_out_where_that_is_chosen(client):
    url = upload(client, BAD)
    asked = client.post(url, {"use-0": "item", "use-1": "text:", "act": "import", "skip": "on"})
    assert asked.status_code == 302
    run_job(Job.objects.get(kind="import_items").pk)
    assert sorted(stored()) == ["a", "b"]
    file = ImportFile.objects.get()
    assert (file.stored, file.updated, file.skipped, bytes(file.rows)) == (2, 0, 5, b"")


def test_a_problem_names_the_column_as_the_file_calls_it(client):
    long, name = "x" * 100_001, "S" * 500
    url = upload(client, f"id,Satz,Quelle\na,like rain,S1\na,again,S1\nb,{long},S1\nc,like snow,{name}\n")
    mapping = {"use-0": "item", "use-1": "text:", "name-1": "simile", "use-2": "system"}
    refused = client.post(url, {**mapping, "act": "check"})
    problems = [(one.row, one.column) for one in refused.context["problems"]]
    assert problems == [(3, "id"), (4, "Satz"), (5, "Quelle")]


def test_items_of_a_draft_are_changed_by_their_keys_and_keep_what_the_file_does_not_say(cast, client):
    url = upload(client, "item,simile,gloss\nL00,The lamp hung like moon 0.,new\nL01,Another.,\nz,New.,\n")
    columns = {"use-0": "item", "use-1": "text:", "use-2": "text:", "update": "on"}
    assert client.post(url, {**columns, "act": "import"}).status_code == 302
    run_job(Job.objects.get(kind="import_items").pk)
    same, other = cast.study.items.get(key="L00"), cast.study.items.get(key="L01")
    assert (same.fields["gloss"], same.group, len(same.components)) == ("new", "lamp", 1)
    assert (other.fields["simile"], other.components) == ("Another.", [])
    file = ImportFile.objects.get()
    assert (file.stored, file.updated) == (1, 2)


def test_a_study_that_opened_meanwhile_takes_nothing_and_the_job_says_so(cast, client):
    url = upload(client, FILE)
    client.post(url, {**COLUMNS, "act": "import"})
    change_state(study=cast.study, to=StudyState.OPEN, actor=cast.users["owner"])
    run_job(Job.objects.get(kind="import_items").pk)
    job = Job.objects.get(kind="import_items")
    assert (job.state, job.error_code) == (JobState.FAILED, "not_a_draft")
    assert not stored()


def test_a_waiting_sender_sees_how_many_rows_are_checked(client):
    lines = "".join(f"k{number},text {number}\n" for number in range(4500))
    upload(client, "item,simile\n" + lines)
    reported: list[tuple[int, int]] = []
    mapping = {"item": "item", "simile": "text:simile"}
    check_file(
        file=ImportFile.objects.get(),
        mapping=mapping,
        update=False,
        progress=lambda done, total: reported.append((done, total)),
    )
    assert reported == [(2000, 4500), (4000, 4500)]


def test_the_api_takes_a_mapping_and_refuses_one_that_cannot_be(cast):
    api, sent = cast.client("owner"), {"file": SimpleUploadedFile("my.csv", FILE.encode())}
    bad = api.post(f"{cast.base}/imports/", {**sent, "mapping": '{"id": "item"}'}, format="multipart")
    assert (bad.status_code, bad.json()["code"], list(bad.json()["fields"])) == (422, "bad_mapping", ["text"])
    sent["file"].seek(0)
    mapping = '{"id": "item", "Satz": "text:simile", "Quelle": "", "note": ""}'
    asked = api.post(f"{cast.base}/imports/", {**sent, "mapping": mapping}, format="multipart")
    assert asked.status_code == 202, asked.json()
    run_job(asked.json()["job"])
    done = api.get(f"{cast.base}/imports/{asked.json()['id']}/").json()
    assert (done["stored"], done["updated"], done["skipped"]) == (2, 0, 0)


def test_a_file_is_stored_as_it_was_confirmed_whatever_is_tried_on_its_page_meanwhile(client):
    url = upload(client, FILE)
    client.post(url, {**COLUMNS, "act": "import"})
    client.post(url, {**COLUMNS, "name-1": "tried", "act": "check"})
    run_job(Job.objects.get(kind="import_items").pk)
    assert [list(fields) for fields, _, _ in stored().values()] == [["simile"], ["simile"]]


def test_a_file_that_two_jobs_are_to_store_is_stored_once(client):
    url = upload(client, FILE)
    for name in ("simile", "metaphor"):
        client.post(url, {**COLUMNS, "name-1": name, "update": "on", "act": "import"})
    jobs = Job.objects.filter(kind="import_items").order_by("pk")
    for job in jobs:
        run_job(job.pk)
    assert list(
        Job.objects.filter(kind="import_items").order_by("pk").values_list("state", "error_code")
    ) == [
        ("done", ""),
        ("failed", "already_imported"),
    ]
    assert [list(fields) for fields, _, _ in stored().values()] == [["simile"], ["simile"]]


def test_a_file_that_the_api_refuses_is_not_stored(cast):
    sent = {"file": SimpleUploadedFile("my.csv", BAD.encode())}
    refused = cast.client("owner").post(f"{cast.base}/imports/", sent, format="multipart")
    assert refused.status_code == 422
    assert not ImportFile.objects.exists()


def test_a_key_is_one_line_of_text(client):
    url = upload(client, 'item,simile\n"a\nb",like rain\n"c\td",like snow\ne\u0085f,like hail\nü g,fine\n')
    client.post(url, {"use-0": "item", "use-1": "text:", "act": "import", "skip": "on"})
    problems = client.post(url, {"use-0": "item", "use-1": "text:", "act": "check"}).context["problems"]
    assert [problem.code for problem in problems] == ["control_character"] * 3
    run_job(Job.objects.get(kind="import_items").pk)
    assert list(stored()) == ["ü g"]


def test_a_second_file_is_proposed_as_the_first_one_was_assigned(client):
    first = upload(client, "id,Satz,model\na,like rain,S1\nb,like snow,S2\n")
    columns = {"use-0": "item", "use-1": "text:simile", "use-2": "system"}
    client.post(first, {**columns, "act": "import"})
    run_job(Job.objects.get(kind="import_items").pk)
    url = upload(client, "id,Satz,model,note\nc,like ice,S1,x\n", "second.csv")
    page = client.get(url)
    kinds = {row["column"]: row["kind"] for row in page.context["rows"]}
    assert kinds == {"id": "item", "Satz": "text:simile", "model": "system", "note": "meta:"}
    assert "Columns with the same names as in <bdi>my.csv</bdi>" in page.content.decode()


def test_the_import_says_how_to_undo_it(client):
    url = upload(client, FILE)
    client.post(url, {**COLUMNS, "act": "import"})
    run_job(Job.objects.get(kind="import_items").pk)
    page = client.get(url).content.decode()
    assert "2 items added from my.csv." in page
    assert "To undo this, remove the items under “Items”." in page
