"""An object is reached through its own study alone, whatever one may do in another."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.urls import reverse

from tests.rights.permissions import rows
from tests.rights.world import World, client_for, ours, send
from tests.support.people import Cast, make_cast

NUMBERS = {"pk", "assignment", "report", "job"}
STUDIES = {"slug", "study"}


def nested() -> list[tuple[str, str]]:
    """Addresses that name a study and, by its number, something in it."""
    found = ours()
    return [
        (name, method)
        for name, method in rows()
        if STUDIES & {*found[name].arguments} and NUMBERS & {*found[name].arguments}
    ]


def path_under(other: Cast, world: World, name: str) -> str:
    """The address of an object of `world`, with the other study in place of its own."""
    own: dict[str, Any] = world.arguments(name, ours()[name].arguments)
    return reverse(name, kwargs={key: other.slug if key in STUDIES else own[key] for key in own})


def test_an_object_of_another_study_is_not_found_under_ones_own(world: World) -> None:
    other, found = make_cast(slug="moons"), {}
    client = client_for(other, "owner")
    for name, method in nested():
        with transaction.atomic():
            found[name, method] = send(client, name, method, path_under(other, world, name), other)
            transaction.set_rollback(True)
    assert len(found) > 40
    assert {key: status for key, status in found.items() if status != 404} == {}
