"""Each test has a storage of its own."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytest_django import Settings


@pytest.fixture(autouse=True)
def _own_storage(settings: Settings, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path / "stored"
