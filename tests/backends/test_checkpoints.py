"""Which checkpoint is meant, where it is, and how it gets there."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from scoring.backends.checkpoints import Checkpoint, content_revision, locate
from scoring.backends.classifier import Classifier
from scoring.backends.errors import ModelRefused
from scoring.backends.models import Models
from scoring.backends.profiles import EMBEDDED, ONLY_FOR_DEMO, PROFILES, profile
from tests.support.outside import model_hub

ROOT = Path(__file__).resolve().parents[2]
COMMIT = model_hub.COMMIT
FEW_MEGABYTES = 5_000_000


def code_of(refused: pytest.ExceptionInfo[ModelRefused]) -> str:
    return refused.value.code


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("org/name@abc", Checkpoint("org/name", "abc")),
        ("gpt2", Checkpoint("gpt2", "main")),
        ("/models/mine", Checkpoint("/models/mine", folder=Path("/models/mine"))),
        ("./mine", Checkpoint("./mine", folder=Path.cwd() / "mine")),
    ],
)
def test_a_checkpoint_is_a_published_name_or_a_folder(text, expected):
    assert Checkpoint.parsed(text) == expected


@pytest.mark.parametrize("text", ["", "a b", "org/name/more", "https://example.org/x"])
def test_anything_else_is_no_checkpoint(text):
    with pytest.raises(ModelRefused) as refused:
        Checkpoint.parsed(text)
    assert code_of(refused) == "bad_checkpoint_name"


def test_a_published_checkpoint_that_was_not_fetched_says_how_to_get_it(tmp_path):
    for checkpoint in PROFILES["paper"].checkpoints.values():
        with pytest.raises(ModelRefused, match="models fetch") as refused:
            locate(checkpoint, tmp_path)
        assert code_of(refused) == "checkpoint_missing"


def test_a_published_checkpoint_is_found_at_its_commit_only(tmp_path):
    shutil.copytree(EMBEDDED / "nli", tmp_path / "org--name" / COMMIT)
    found = locate(Checkpoint("org/name", COMMIT), tmp_path)
    assert (found.revision, found.folder) == (COMMIT, tmp_path / "org--name" / COMMIT)
    with pytest.raises(ModelRefused):
        locate(Checkpoint("org/name", "f" * 40), tmp_path)
    with pytest.raises(ModelRefused):
        locate(Checkpoint("org/name", "main"), tmp_path)


def test_the_revision_of_a_folder_changes_with_anything_that_changes_its_answers(tmp_path):
    folder = Path(shutil.copytree(EMBEDDED / "sentiment", tmp_path / "copy"))
    before = content_revision(folder)
    assert before == content_revision(EMBEDDED / "sentiment")
    (folder / "README.md").write_text("notes")
    assert content_revision(folder) == before
    seen = {before}
    for name in ("model.safetensors", "config.json", "tokenizer.json"):
        (folder / name).write_bytes((folder / name).read_bytes() + b" ")
        seen.add(content_revision(folder))
    assert len(seen) == 4


def test_the_embedded_checkpoints_are_small_safe_and_complete():
    for checkpoint in PROFILES["embedded"].checkpoints.values():
        found = locate(checkpoint, EMBEDDED)
        files = list(found.folder.iterdir())
        assert sum(path.stat().st_size for path in files) < FEW_MEGABYTES
        assert {path.suffix for path in files} <= {".json", ".safetensors"}


def test_a_replaced_checkpoint_makes_the_profile_custom_and_the_caution_goes_with_the_last_embedded_one():
    embedded, paper = PROFILES["embedded"], PROFILES["paper"]
    assert embedded.caution == ONLY_FOR_DEMO
    assert not paper.caution
    some = profile("embedded", {"nli": "org/name@abc"})
    assert (some.name, some.caution) == ("custom", ONLY_FOR_DEMO)
    every = profile("embedded", dict.fromkeys(embedded.checkpoints, "org/name@abc"))
    assert (every.name, every.caution) == ("custom", "")
    assert profile("paper", {"encoder": "org/name"}).encoder_layer == 0
    assert profile("paper", {"nli": "org/name"}).encoder_layer == paper.encoder_layer
    assert profile("paper", {"sentiment": str(EMBEDDED / "sentiment")}).caution == ONLY_FOR_DEMO


def test_an_unknown_profile_or_role_is_refused():
    with pytest.raises(ModelRefused) as refused:
        profile("best")
    assert code_of(refused) == "no_such_profile"
    with pytest.raises(ModelRefused) as refused:
        profile("paper", {"oracle": "org/name"})
    assert code_of(refused) == "no_such_role"


def test_a_run_can_say_which_models_exactly_it_used(tmp_path):
    description = Models(PROFILES["embedded"], tmp_path).described(["nli", "sentiment"])
    assert description["profile"] == "embedded"
    assert description["caution"]
    assert set(description["checkpoints"]) == {"nli", "sentiment"}
    assert description["checkpoints"]["nli"]["revision"].startswith("sha256:")
    assert {"torch", "transformers"} <= set(description["software"])


def models_command(tmp_path: Path, hub: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {
        **os.environ,
        "HF_ENDPOINT": hub,
        "HF_HOME": str(tmp_path / "home"),
        "HF_HUB_DISABLE_XET": "1",
        "GROUNDWORK_VAR": str(tmp_path / "var"),
        "GROUNDWORK_MODEL_CHECKPOINTS": f"nli=org/pairs,sentiment=org/feelings@{COMMIT},encoder=org/absent",
    }
    command = [sys.executable, "manage.py", "models", *arguments, "--profile", "custom"]
    return subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300, check=False
    )


def test_fetching_takes_a_checkpoint_at_one_commit_and_converts_old_weights(tmp_path, nli):
    import torch
    from safetensors.torch import load_file

    pairs = Path(shutil.copytree(EMBEDDED / "nli", tmp_path / "hub" / "org" / "pairs"))
    torch.save(load_file(pairs / "model.safetensors"), pairs / "pytorch_model.bin")
    (pairs / "model.safetensors").unlink()
    shutil.copytree(EMBEDDED / "sentiment", tmp_path / "hub" / "org" / "feelings")
    with model_hub.running(tmp_path / "hub") as address:
        fetched = models_command(tmp_path, address, "fetch")
    assert fetched.returncode == 2
    assert "[checkpoint_unknown]" in fetched.stderr
    assert "org/absent" in fetched.stderr
    store = tmp_path / "var" / "models"
    text = ("The sea was calm.", "The sea was like a wasp.")
    converted = Classifier(locate(Checkpoint("org/pairs", "main"), store))([text])
    assert converted == nli([text])
    assert locate(Checkpoint("org/feelings", COMMIT), store).revision == COMMIT
    assert {path.name for path in (store / "org--pairs").iterdir()} == {COMMIT, "main.commit"}
    assert sorted(path.name for path in (store / "org--pairs" / COMMIT).iterdir()) == sorted(
        path.name for path in (EMBEDDED / "nli").iterdir()
    )


def test_offline_nothing_is_fetched_and_the_message_says_so(tmp_path):
    fetched = models_command(tmp_path, "http://127.0.0.1:9", "fetch")
    assert fetched.returncode == 2
    assert "[hub_not_reached]" in fetched.stderr
    assert not (tmp_path / "var" / "models").exists()
