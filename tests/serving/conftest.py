"""The wheel of this checkout, built once."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from config.settings import env
from tests.support.running import wheel


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if importlib.util.find_spec("hatchling") is None:
        assert not env.flag("CI", default=False), "CI=true, and there is no hatchling: run `make setup`"
        pytest.skip("hatchling is not installed: run `make setup`")
    return wheel.build(tmp_path_factory.mktemp("wheel"))
