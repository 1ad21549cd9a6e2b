"""What the web process loads."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

PURE_PACKAGES = ("stats", "hauser", "textmetrics", "judging", "replication")

LOAD_EVERYTHING = """
import sys
import tomllib
import config.wsgi
import scoring.backends.fetching.hub
import scoring.services.base.model_profiles
import scoring.textmetrics.scores
from django.urls import get_resolver

def visit(resolver):
    for pattern in resolver.url_patterns:
        if hasattr(pattern, "url_patterns"):
            visit(pattern)
        else:
            assert callable(pattern.callback)

visit(get_resolver())
print(*sorted({*sys.argv[1:]} & {name.partition(".")[0] for name in sys.modules}))
"""
WORKER_LIBRARIES = (
    "huggingface_hub",
    "nltk",
    "rouge_score",
    "sacrebleu",
    "tokenizers",
    "torch",
    "transformers",
    "vaderSentiment",
)


def test_the_web_process_loads_nothing_of_the_worker_extra():
    for name in WORKER_LIBRARIES:
        assert find_spec(name), f"{name} is not installed: pip install -c constraints.txt '.[worker]'"
    result = subprocess.run(
        [sys.executable, "-c", LOAD_EVERYTHING, *WORKER_LIBRARIES],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    assert result.stdout.split() == []


def test_every_pure_package_that_exists_is_held_to_be_pure():
    """The contract names packages to come by their modules alone; one that is there, by its own name."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    held = settings["tool"]["importlinter"]["contracts"][0]["source_modules"]
    there = {f"scoring.{name}" for name in PURE_PACKAGES if (ROOT / "scoring" / name).is_dir()}
    assert there <= set(held)
