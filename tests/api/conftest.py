from __future__ import annotations

import pytest
from django.core.cache import cache

from tests.api.people import Cast, make_cast


@pytest.fixture(autouse=True)
def _no_attempts_counted() -> None:
    cache.clear()


@pytest.fixture
def cast(db: None) -> Cast:
    return make_cast()
