"""Files over the API: what is exported comes in again, and refusals name row and column."""

from __future__ import annotations

import io
from typing import Any

import pytest
from rest_framework.test import APIClient

from annotation.models import Study
from annotation.selectors.ratings import long_ratings
from tests.api.people import Cast, join
from tests.api.test_rate import answer_for


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


def test_items_are_added_to_a_draft_only(cast: Cast) -> None:
    client, content = cast.client("researcher"), b"item,group,system,simile\ni1,g,s,like rain\n"
    assert send(client, f"{draft(client)}/items/", "items.csv", content).status_code == 201
    assert Study.objects.get(slug="copy").items.get().fields == {"simile": "like rain"}
    assert send(client, f"{cast.base}/items/", "items.csv", content).status_code == 409


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
