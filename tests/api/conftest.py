from __future__ import annotations

import pytest

from tests.support.people import Cast, make_cast


@pytest.fixture
def cast(db: None) -> Cast:
    return make_cast()
