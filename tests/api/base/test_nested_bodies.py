"""JSON nested too deeply is refused in a sentence wherever a body, a file or a field is parsed."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import URLResolver, get_resolver
from pytest_django.plugin import DjangoDbBlocker
from rest_framework.parsers import JSONParser
from rest_framework.test import APIClient

from annotation.domain.questions.tuples import marks_in
from annotation.models import Item, Study
from tests.support.people import Cast, join, make_cast
from tests.support.running.tables import rows_of_a_module

pytestmark = pytest.mark.django_db

DEPTHS = (41, 1_100)
CODE = "too_deeply_nested"
WRITING = ("post", "put", "patch")
# Refused before the body is read: there is no such row, no right, or no body is asked for.
NOT_PARSED = {403, 404, 405, 409}
# A body of each of these is parsed for every sender.
PARSED_FOR_ANYBODY = ("auth/token/", "join/TOKEN/")
PARSED_FOR_AN_OWNER = (
    "auth/tokens/",
    "studies/",
    "studies/SLUG/",
    "studies/SLUG/copy/",
    "studies/SLUG/state/",
    "studies/SLUG/invitations/",
    "studies/SLUG/invitations/personal/",
    "studies/SLUG/members/",
    "studies/SLUG/share-links/",
    "studies/SLUG/judges/",
    "studies/SLUG/judges/models/",
    "studies/SLUG/judges/chats/",
    "studies/SLUG/judges/report/",
    "studies/SLUG/adjudication/assignments/",
    "studies/SLUG/webhooks/",
    "studies/SLUG/contact/",
    "studies/SLUG/exclusion-rules/",
    "studies/SLUG/disagreement/views/",
    "studies/SLUG/runs/",
    "study-definitions/",
)
PARSED_FOR_A_RATER = ("rate/SLUG/next/", "rate/SLUG/consent/")


def nested(depth: int) -> str:
    return '{"a":' + "[" * (depth - 1) + "]" * (depth - 1) + "}"


@pytest.fixture
def cast(cast_of_the_module: Cast, db: None) -> Cast:
    return copy.deepcopy(cast_of_the_module)


@pytest.fixture(scope="module")
def cast_of_the_module(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Cast]:
    with rows_of_a_module(django_db_blocker):
        yield make_cast()


@cache
def json_routes() -> tuple[tuple[str, str], ...]:
    """Every address and method of the API that parses JSON bodies."""
    found = []
    for resolver in get_resolver().url_patterns:
        if isinstance(resolver, URLResolver) and str(resolver.pattern) == "api/v1/":
            for pattern in resolver.url_patterns:
                view = pattern.callback.cls  # type: ignore[union-attr]
                if any(issubclass(parser, JSONParser) for parser in view.parser_classes):
                    path = str(pattern.pattern)
                    found += [(path, method) for method in WRITING if hasattr(view, method)]
    return tuple(sorted(found))


def filled(path: str, cast: Cast) -> str:
    values = {"slug": cast.slug, "pk": "1", "key": "L1", "name": "hanna", "token": cast.invitation.token}
    for name, value in values.items():
        for kind in ("slug", "str", "int", "path"):
            path = path.replace(f"<{kind}:{name}>", value)
    return "/api/v1/" + path


def send(client: APIClient, method: str, address: str, depth: int) -> Any:
    return client.generic(method.upper(), address, nested(depth), content_type="application/json")


def refused(answer: Any) -> None:
    body = answer.json()
    assert (answer.status_code, body["code"], body["fields"]) == (400, CODE, {})
    assert body["message"].endswith("lists and objects are nested more than 40 levels deep.")


@pytest.mark.parametrize(("path", "method"), json_routes(), ids=str)
def test_every_address_of_the_api_refuses_it_or_never_reads_it(cast, path, method):
    _, rater = join(cast.invitation)
    for client in (cast.client("anonymous"), rater, cast.client("owner")):
        answer = send(client, method, filled(path, cast), 1_100)
        if answer.status_code == 400:
            refused(answer)
        else:
            assert answer.status_code in NOT_PARSED | {401} or answer.status_code < 300, answer.content


def _parsed() -> Iterator[tuple[str, str]]:
    for who, paths in (
        ("anonymous", PARSED_FOR_ANYBODY),
        ("rater", PARSED_FOR_A_RATER),
        ("owner", PARSED_FOR_AN_OWNER),
    ):
        yield from ((who, path) for path in paths)


@pytest.mark.parametrize("depth", DEPTHS)
@pytest.mark.parametrize(("who", "path"), list(_parsed()))
def test_a_body_that_is_read_is_a_400(cast, who, path, depth):
    client = join(cast.invitation)[1] if who == "rater" else cast.client(who)
    address = "/api/v1/" + path.replace("SLUG", cast.slug).replace("TOKEN", cast.invitation.token)
    method = {"studies/SLUG/": "patch", "studies/SLUG/contact/": "put", "studies/SLUG/members/": "put"}.get(
        path, "post"
    )
    refused(send(client, method, address, depth))


FILES = (
    ("items", "items.json", "[{0}]"),
    ("items", "items.jsonl", "{0}"),
    ("imports", "items.json", "[{0}]"),
    ("imports", "items.jsonl", "{0}"),
    ("ratings", "ratings.json", "[{0}]"),
    ("ratings", "ratings.jsonl", "{0}"),
    ("scores/imports", "scores.json", "[{0}]"),
    ("scores/imports", "scores.jsonl", "{0}"),
    ("imports/tuples", "tuples.json", "[{0}]"),
    ("imports/probing", "probing.json", "[{0}]"),
)


@pytest.mark.parametrize("depth", DEPTHS)
@pytest.mark.parametrize(("way", "name", "around"), FILES)
def test_a_file_is_refused_and_nothing_of_it_is_stored(way, name, around, depth):
    cast = make_cast(slug="draft", opened=False)
    before = Item.everything.count()
    sent = {"file": SimpleUploadedFile(name, around.format(nested(depth)).encode())}
    answer = cast.client("owner").post(f"{cast.base}/{way}/", sent, format="multipart")
    assert (answer.status_code, answer.json()["code"]) == (422, CODE), answer.content
    assert Item.everything.count() == before


@pytest.mark.parametrize("depth", DEPTHS)
@pytest.mark.parametrize(("name", "around"), [("mine.json", "[{0}]"), ("mine.jsonl", "{0}")])
def test_a_file_to_be_scored_is_refused(cast, name, around, depth):
    sent = {"file": SimpleUploadedFile(name, around.format(nested(depth)).encode()), "bad_texts": "refuse"}
    answer = cast.client("owner").post("/api/v1/scorings/", sent, format="multipart")
    assert (answer.status_code, answer.json()["code"]) == (422, CODE), answer.content


@pytest.mark.parametrize("depth", DEPTHS)
def test_what_columns_are_is_a_field_of_json_and_refused_like_one(depth):
    cast = make_cast(slug="draft", opened=False)
    sent = {
        "file": SimpleUploadedFile("items.csv", b"item,simile\nX1,so\n"),
        "mapping": nested(depth)[:100_000],
    }
    answer = cast.client("owner").post(f"{cast.base}/imports/", sent, format="multipart")
    assert answer.status_code == 400
    assert "mapping" in answer.json()["fields"]


@pytest.mark.parametrize("name", ["cmdag_test", "cmdag", "hanna", "hauser", "miyazawa", "simile_probing"])
@pytest.mark.parametrize("depth", DEPTHS)
def test_published_files_are_refused(cast, name, depth):
    files = [
        SimpleUploadedFile(one, nested(depth).encode())
        for one in ("test_data.json", "task1_no_ground_gpt4.json", "annotation.jsonl")
    ]
    answer = cast.client("owner").post(f"/api/v1/published/{name}/", {"file": files}, format="multipart")
    assert 400 <= answer.status_code < 500
    assert answer.json()["message"]


DOCUMENTS = {
    "study.json": nested,
    "list.json": lambda depth: "[" * depth + "]" * depth,
    "flow.yaml": lambda depth: "study: " + nested(depth),
    "block.yaml": lambda depth: "".join(f"{' ' * level}a:\n" for level in range(min(depth, 900))),
    "bullets.yaml": lambda depth: "- " * depth + "1",
}


@pytest.mark.parametrize("depth", [45, 1_100])
@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_study_definition_as_a_file_is_refused(cast, name, depth):
    client = Client()
    client.force_login(cast.users["stranger"])
    sent = {"file": SimpleUploadedFile(name, DOCUMENTS[name](depth).encode()), "title": "Deep"}
    answer = client.post("/studies/new/definition/", sent)
    assert answer.status_code == 422
    assert "nested more than 40 levels deep" in answer.content.decode()
    assert not Study.objects.filter(title="Deep").exists()


@pytest.mark.parametrize("depth", DEPTHS)
def test_marked_tuples_in_a_field_of_a_page_are_refused_in_words(depth):
    with pytest.raises(ValueError, match="Tuples must be JSON"):
        marks_in(nested(depth))
    with pytest.raises(ValueError, match="Tuples must be JSON"):
        marks_in(
            json.dumps([{"tuple": 1, "part": "tenor", "text": "x"}])[:-2] + f', "more": {nested(depth)}}}]'
        )
