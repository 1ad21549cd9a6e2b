"""Small checkpoints: the embedded ones, and others made on the spot."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from scoring.backends.checkpoints import Located, locate
from scoring.backends.classifier import Classifier
from scoring.backends.inference import Compute
from scoring.backends.profiles import EMBEDDED, PROFILES


@pytest.fixture(scope="session")
def nli_checkpoint() -> Located:
    return locate(PROFILES["embedded"].checkpoints["nli"], EMBEDDED)


@pytest.fixture(scope="session")
def nli(nli_checkpoint: Located) -> Classifier:
    return Classifier(nli_checkpoint, Compute(threads=1), labels=3, needed=("contradiction",))


@pytest.fixture(scope="session")
def sentiment() -> Classifier:
    return Classifier(locate(PROFILES["embedded"].checkpoints["sentiment"], EMBEDDED), labels=2)


@pytest.fixture
def made_checkpoint(tmp_path: Path) -> Callable[..., Path]:
    """A tiny checkpoint of any architecture, with random weights and the embedded tokenizer."""

    def make(model: Any, name: str = "made") -> Path:
        folder = tmp_path / name
        model.save_pretrained(folder)
        for file in ("tokenizer.json", "tokenizer_config.json"):
            shutil.copy(EMBEDDED / "nli" / file, folder)
        return folder

    return make
