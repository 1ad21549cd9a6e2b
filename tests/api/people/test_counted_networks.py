"""Attempts and requests are counted by network: of IPv6 by the /64 that one machine may have as a whole."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any

import pytest
from django.conf import settings as installation
from django.test import Client
from rest_framework.test import APIClient

from annotation.api.base.throttles import CallerThrottle

pytestmark = pytest.mark.django_db
OF_ONE_MACHINE = [f"2001:db8:1:2:{number:x}::{number:x}" for number in range(40)]
OF_ITS_NEIGHBOUR = "2001:db8:1:3::1"
numbers = count()


def asks_the_api(address: str) -> bool:
    return APIClient(REMOTE_ADDR=address).get("/api/v1/join/no-such-link/").status_code == 429


def signs_in_by_the_api(address: str) -> bool:
    body = {"email": f"guess{next(numbers)}@example.org", "password": "guess"}
    answer = APIClient(REMOTE_ADDR=address).post("/api/v1/auth/token/", body, format="json")
    return answer.status_code == 429


def signs_in_on_the_page(address: str) -> bool:
    body = {"login": f"guess{next(numbers)}@example.org", "password": "guess"}
    answer = Client(REMOTE_ADDR=address).post("/account/login/", body)
    return answer.status_code == 429 or "Too many failed login attempts" in answer.content.decode()


WAYS: list[Callable[[str], bool]] = [asks_the_api, signs_in_by_the_api, signs_in_on_the_page]


@pytest.fixture(autouse=True)
def few_requests(monkeypatch: pytest.MonkeyPatch) -> None:
    rates: dict[str, Any] = installation.REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"]
    monkeypatch.setattr(CallerThrottle, "THROTTLE_RATES", rates | {"caller": "10/min"})


@pytest.mark.parametrize("is_too_many", WAYS, ids=lambda way: way.__name__)
def test_a_machine_that_changes_its_address_is_counted_as_one_and_its_neighbour_is_not(
    is_too_many: Callable[[str], bool],
) -> None:
    assert any(is_too_many(address) for address in OF_ONE_MACHINE)
    assert not is_too_many(OF_ITS_NEIGHBOUR)


@pytest.mark.parametrize("is_too_many", WAYS, ids=lambda way: way.__name__)
def test_an_address_of_ipv4_is_the_same_however_it_is_written_and_every_other_is_another(
    is_too_many: Callable[[str], bool],
) -> None:
    written = ["192.0.2.7", "::ffff:192.0.2.7", "::FFFF:c000:0207"]
    assert any(is_too_many(written[number % 3]) for number in range(40))
    assert all(is_too_many(one) for one in written)
    assert not is_too_many("::ffff:192.0.2.8")
