"""No page needs more queries than its budget, and none more for a larger study."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.support.every_page import BUDGETS, asks


def count(client: Client, path: str) -> int:
    client.get(path)
    with CaptureQueriesContext(connection) as queries:
        assert client.get(path).status_code in {200, 302}
    return sum(1 for query in queries if "SAVEPOINT" not in query["sql"])


@pytest.mark.django_db
def test_every_page_stays_within_its_budget_at_any_size() -> None:
    small, large = asks("small", items=3, raters=2), asks("large", items=12, raters=5)
    found = {name: (count(*small[name]), count(*large[name])) for name in BUDGETS}
    assert {name: pair for name, pair in found.items() if max(pair) > BUDGETS[name]} == {}, found
    # A seat is looked for from a drawn place to the end of its circle, then from the start: one more query.
    assert {name: pair for name, pair in found.items() if abs(pair[1] - pair[0]) > 1} == {}, found
