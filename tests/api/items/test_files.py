"""Files over the API: what is exported comes in again, and refusals name row and column."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from rest_framework.test import APIClient

from annotation.io.items.probing_file import COLUMNS
from annotation.models import Study
from annotation.selectors.questions.long_table import long_ratings
from tests.support.people import Cast, join
from tests.support.studies.answers import answer_for


@pytest.fixture
def rated(cast: Cast) -> Cast:
    _, rater = join(cast.invitation)
    for _ in range(3):
        address = f"/api/v1/rate/{cast.slug}/next/"
        assert rater.post(address, answer_for(rater.get(address).json()), format="json").status_code == 201
    return cast


def send(client: APIClient, path: str, name: str, content: bytes) -> Any:
    file = io.BytesIO(content)
    file.name = name
    return client.post(path, {"file": file}, format="multipart")


def draft(client: APIClient) -> str:
    answer = client.post("/api/v1/studies/", {"slug": "copy", "title": "Copy"}, format="json")
    assert answer.status_code == 201
    return "/api/v1/studies/copy"


@pytest.mark.parametrize("file_format", ["csv", "tsv", "jsonl", "parquet"])
def test_exported_ratings_come_in_again_unchanged(rated: Cast, file_format: str) -> None:
    client = rated.client("researcher")
    export: Any = client.get(f"{rated.base}/exports/", {"format": file_format})
    assert export.status_code == 200
    content = b"".join(export.streaming_content)
    answer = send(client, f"{draft(client)}/ratings/", f"ratings.{file_format}", content)
    assert (answer.status_code, answer.json()) == (201, {"stored": 6})
    rows = [row | {"study": ""} for row in long_ratings(Study.objects.get(slug="copy"))]
    assert rows == [row | {"study": ""} for row in long_ratings(rated.study)]


def test_a_file_that_cannot_be_taken_names_row_and_column(cast: Cast) -> None:
    client = cast.client("researcher")
    answer = send(client, f"{draft(client)}/ratings/", "r.csv", b"item,rater,criterion,value\na,R1,q,x\n")
    assert answer.status_code == 422
    [problem] = answer.json()["fields"]["problems"]
    assert (problem["file"], problem["row"], problem["column"]) == ("r.csv", 2, "value")
    assert not Study.objects.get(slug="copy").items.exists()


def test_a_file_without_item_ids_is_refused_where_its_columns_cannot_be_chosen(cast: Cast) -> None:
    client = cast.client("researcher")
    answer = send(client, f"{draft(client)}/items/", "items.csv", b"id,simile\ni1,like rain\n")
    assert (answer.status_code, answer.json()["code"]) == (422, "missing_column")


def test_researchers_add_items_to_a_draft_and_admins_until_the_study_is_closed(cast: Cast) -> None:
    client, content = cast.client("researcher"), b"item,group,system,simile\ni1,g,s,like rain\n"
    assert send(client, f"{draft(client)}/items/", "items.csv", content).status_code == 201
    assert Study.objects.get(slug="copy").items.get().fields == {"simile": "like rain"}
    assert send(client, f"{cast.base}/items/", "items.csv", content).status_code == 403
    admin = cast.client("admin")
    assert send(admin, f"{cast.base}/items/", "items.csv", content).status_code == 201
    assert cast.study.items.get(key="i1").seats.count() == cast.study.forms.get().overlap
    admin.post(f"{cast.base}/state/", {"state": "closed"}, format="json")
    other = content.replace(b"i1", b"i2")
    assert send(admin, f"{cast.base}/items/", "items.csv", other).status_code == 409


def test_an_unknown_format_is_refused(cast: Cast) -> None:
    assert cast.client("researcher").get(f"{cast.base}/exports/", {"format": "pdf"}).status_code == 400


def test_doubled_item_keys_are_content_that_cannot_be_stored(cast: Cast) -> None:
    client, content = cast.client("researcher"), b"item,simile\ni1,like rain\ni1,like snow\n"
    answer = send(client, f"{draft(client)}/items/", "items.csv", content)
    assert (answer.status_code, answer.json()["code"]) == (422, "doubled_item")
    assert not Study.objects.get(slug="copy").items.exists()


def test_a_study_from_a_protocol_has_its_forms_and_can_be_opened(cast: Cast) -> None:
    client = cast.client("researcher")
    body = {"slug": "mine", "title": "Mine", "protocol": "hauser", "overlap": 2}
    assert client.post("/api/v1/studies/", body, format="json").status_code == 201
    content = b"item,literal,simile\ni1,It rained.,It rained like drums.\n"
    assert send(client, "/api/v1/studies/mine/items/", "items.csv", content).status_code == 201
    opened = client.post("/api/v1/studies/mine/state/", {"state": "open"}, format="json")
    assert (opened.status_code, opened.json()["state"]) == (200, "open")


def test_an_address_of_a_page_is_no_slug(cast: Cast) -> None:
    answer = cast.client("researcher").post("/api/v1/studies/", {"slug": "new", "title": "N"}, format="json")
    assert (answer.status_code, answer.json()["code"]) == (422, "slug_reserved")


CMDAG = (
    '[{"metaphor_id": 12, "context": "记忆是漏水的屋顶。", "tenor": "记忆", "vehicle": "漏水的屋顶", '
    '"ground": "不可靠的保存", "sub_id": 0}, {"metaphor_id": 13, "context": "梦是碗。", "tenor": "梦境", '
    '"vehicle": "碗", "ground": "空", "sub_id": 0}]'
)


def test_cmdags_own_json_comes_in_and_goes_out_equal(cast: Cast) -> None:
    client = cast.client("researcher")
    base = {"slug": "copy", "title": "Copy", "protocol": "cmdag_refined"}
    assert client.post("/api/v1/studies/", base, format="json").status_code == 201
    sent = send(client, "/api/v1/studies/copy/imports/tuples/", "own.json", CMDAG.encode())
    assert (sent.status_code, sent.json()) == (
        201,
        {"items": 2, "tuples": 2, "located": {"wholly": 1, "partly": 1, "not": 0}},
    )
    export: Any = client.get("/api/v1/studies/copy/exports/", {"what": "cmdag"})
    assert json.loads(b"".join(export.streaming_content)) == json.loads(CMDAG)
    again = send(client, "/api/v1/studies/copy/imports/tuples/", "own.json", CMDAG.encode())
    assert (again.status_code, again.json()["code"]) == (409, "not_empty")


def test_cmdags_json_that_cannot_be_taken_stores_nothing(cast: Cast) -> None:
    client = cast.client("researcher")
    base = {"slug": "copy", "title": "Copy", "protocol": "cmdag_refined"}
    client.post("/api/v1/studies/", base, format="json")
    damaged = CMDAG.replace('"context": "梦是碗。", ', "")
    sent = send(client, "/api/v1/studies/copy/imports/tuples/", "own.json", damaged.encode())
    assert sent.status_code == 422
    assert not Study.objects.get(slug="copy").items.exists()


def test_probing_questions_come_in_and_a_wrong_answer_is_reported_by_its_row(cast: Cast) -> None:
    client = cast.client("researcher")
    base = {"slug": "copy", "title": "Copy", "protocol": "simile_probing"}
    assert client.post("/api/v1/studies/", base, format="json").status_code == 201
    lines = (
        ",".join(COLUMNS),
        "The soup was as _ as the harbour .,soup,harbour,was,murky,wide,fresh,foreign,0,0",
        "He was as _ as a heron .,He,heron,was,grey,still,tall,wet,21,1",
    )
    sent = send(client, "/api/v1/studies/copy/imports/probing/", "Own.csv", "\n".join(lines).encode())
    assert sent.status_code == 201
    assert (sent.json()["questions"], sent.json()["answers"]) == (2, 0)
    [refused] = sent.json()["refused"]
    assert (refused["row"], refused["column"]) == (3, "human_idx")
