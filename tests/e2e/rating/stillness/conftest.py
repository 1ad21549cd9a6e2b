"""A study of twenty items for each test."""

from __future__ import annotations

import pytest

from tests.e2e.demo import Demo
from tests.e2e.rating.stillness.sittings import MAKE, Study


@pytest.fixture
def study(demo: Demo) -> Study:
    slug, token = demo.installation.run_script(MAKE).partition("FOUND")[2].split()
    return Study(demo, slug, f"{demo.url.rstrip('/')}/join/{token}/")
