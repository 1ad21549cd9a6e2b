"""The table of rights holds for every address, and no address is missing from it."""

from __future__ import annotations

import pytest
from django.db import transaction
from django.urls import reverse

from tests.rights.permissions import CALLERS, pages, rows
from tests.rights.world import World, ours, send

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
ROWS = rows()


def path_of(world: World, name: str) -> str:
    if name == "api_nothing":
        return "/api/v1/nothing/here/"
    return reverse(name, kwargs=world.arguments(name, ours()[name].arguments))


def test_no_address_is_missing_from_the_table() -> None:
    listed = {name for name, _ in ROWS}
    assert sorted(ours().keys() - listed) == [], "add rows to tests/rights/permissions.py"
    assert sorted(listed - ours().keys()) == [], "these rows name no address any more"


def test_no_method_of_a_view_is_missing_from_the_table() -> None:
    missing = []
    for name, address in ours().items():
        view = getattr(address.view, "cls", None) or getattr(address.view, "view_class", None)
        handled = [method for method in METHODS if view is not None and hasattr(view, method.lower())]
        missing += [f"{name} {method}" for method in handled if (name, method) not in ROWS]
    assert missing == []


@pytest.mark.parametrize(("name", "method"), ROWS)
def test_every_caller_gets_the_status_in_the_table(world: World, name: str, method: str) -> None:
    path, found = path_of(world, name), {}
    for who in CALLERS:
        client = world.client(who)
        with transaction.atomic():
            found[who] = send(client, name, method, path, world.cast)
            transaction.set_rollback(True)
    assert found == ROWS[name, method]


@pytest.mark.parametrize("name", sorted({name for name, _ in ROWS} - {"api_nothing"}))
def test_a_method_outside_the_table_is_not_answered(world: World, name: str) -> None:
    path, client, answered = path_of(world, name), world.client("owner"), {}
    for method in METHODS:
        if (name, method) not in ROWS:
            with transaction.atomic():
                answered[method] = send(client, name, method, path, world.cast)
                transaction.set_rollback(True)
    assert set(answered.values()) <= {405}, answered


PAGES = pages()


@pytest.mark.parametrize("name", PAGES)
def test_head_is_answered_like_get_without_a_body(world: World, name: str) -> None:
    path, caller = path_of(world, name), "rater" if name.startswith("rate-") else "owner"
    with transaction.atomic():
        shown = world.client(caller).get(path)
        transaction.set_rollback(True)
    with transaction.atomic():
        asked = world.client(caller).head(path)
        transaction.set_rollback(True)
    assert (asked.status_code, asked.get("Content-Type")) == (shown.status_code, shown.get("Content-Type"))
    assert b"".join(asked) == b""


@pytest.mark.parametrize("name", [name for name in PAGES if name == "study" or name.startswith("study-")])
def test_a_study_page_refuses_options_and_names_the_methods_that_it_takes(world: World, name: str) -> None:
    answer = world.client("owner").options(path_of(world, name))
    taken = {"GET", "HEAD"} | ({"POST"} if (name, "POST") in ROWS else set())
    assert (answer.status_code, set(answer["Allow"].split(", "))) == (405, taken)
