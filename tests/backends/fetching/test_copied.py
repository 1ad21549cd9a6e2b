"""`models fetch --from`: a checkpoint copied manually is checked, stored with digests, and used."""

from __future__ import annotations

import hashlib
import io
import json
import shutil

import pytest
from django.core.management import CommandError, call_command

from scoring.backends.checkpoints import Checkpoint, locate
from scoring.backends.classifier import Classifier
from scoring.backends.errors import ModelRefused
from scoring.backends.fetching.copied import copy_checkpoint
from scoring.backends.profiles import EMBEDDED

COMMIT = "0123456789abcdef0123456789abcdef01234567"
PINNED = Checkpoint("organisation/nli", COMMIT)
BRANCH = Checkpoint("organisation/nli", "main")


@pytest.fixture
def copied(tmp_path):
    return shutil.copytree(EMBEDDED / "nli", tmp_path / "copied")


@pytest.fixture
def store(tmp_path):
    return tmp_path / "models"


def refused(source, store, checkpoint=PINNED):
    with pytest.raises(ModelRefused) as caught:
        copy_checkpoint(checkpoint, "nli", source, store)
    with pytest.raises(ModelRefused):
        locate(checkpoint, store)
    return caught.value


@pytest.mark.parametrize("checkpoint", [PINNED, BRANCH])
def test_a_copied_checkpoint_is_found_by_its_digest_and_answers(copied, store, checkpoint):
    located = copy_checkpoint(checkpoint, "nli", copied, store)
    assert located == locate(checkpoint, store)
    assert located.revision.startswith("sha256:")
    assert located.name == "organisation/nli"
    weights = (copied / "model.safetensors").read_bytes()
    digests = json.loads((located.folder / "sha256.json").read_text())
    assert digests["model.safetensors"] == hashlib.sha256(weights).hexdigest()
    (answer,) = Classifier(located, labels=3)([("It was slow.", "It was quick.")])
    assert set(answer.probabilities) == {"entailment", "neutral", "contradiction"}
    assert not list(store.glob("**/*.partial"))


@pytest.mark.parametrize(
    "place",
    ["organisation/nli", "organisation--nli/main", f"models--organisation--nli/snapshots/{COMMIT}", "nli"],
)
def test_it_is_found_in_a_folder_by_its_name(copied, store, tmp_path, place):
    shutil.copytree(copied, tmp_path / "all" / place)
    located = copy_checkpoint(PINNED, "nli", tmp_path / "all", store)
    assert located.folder.name == COMMIT


def test_weights_in_the_old_format_are_converted(copied, store):
    import torch
    from safetensors.torch import load_file

    torch.save(load_file(copied / "model.safetensors"), copied / "pytorch_model.bin")
    (copied / "model.safetensors").unlink()
    located = copy_checkpoint(PINNED, "nli", copied, store)
    assert [path.name for path in located.folder.glob("*.safetensors")] == ["model.safetensors"]
    assert not list(located.folder.glob("*.bin"))


def test_what_is_missing_is_named(copied, store, tmp_path):
    assert refused(tmp_path / "none", store).code == "no_such_folder"
    assert refused(tmp_path, store).code == "checkpoint_not_in_folder"
    index = copied / "model.safetensors.index.json"
    index.write_text(json.dumps({"weight_map": {"a": "model.safetensors", "b": "other.safetensors"}}))
    assert "other.safetensors" in str(refused(copied, store))
    index.write_text("[]")
    assert refused(copied, store).code == "file_damaged"
    index.unlink()
    (copied / "model.safetensors").unlink()
    assert refused(copied, store).code == "no_weights"
    (copied / "tokenizer.json").unlink()
    assert refused(copied, store).code == "checkpoint_incomplete"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"version https://git-lfs.github.com/spec/v1", "Git LFS"),
        (b"abc", "cut short"),
        (b"\x02" + bytes(7) + b"[]", "not a safetensors file"),
    ],
)
def test_a_damaged_file_is_named(copied, store, content, message):
    (copied / "model.safetensors").write_bytes(content)
    refusal = refused(copied, store)
    assert refusal.code == "file_damaged"
    assert message in str(refusal)


def test_a_file_that_is_not_copied_to_its_end_is_named(copied, store):
    weights = copied / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-10])
    assert "as its header says" in str(refused(copied, store))


def test_the_command_takes_a_folder_and_needs_the_role_of_a_single_checkpoint(copied, store, settings):
    settings.MODEL_FOLDER = store
    with pytest.raises(CommandError, match="bad_option") as caught:
        call_command("models", "fetch", "--from", str(copied))
    assert caught.value.returncode == 2
    out = io.StringIO()
    call_command("models", "fetch", "--from", str(copied), "--role", "nli", stdout=out)
    assert "mujeensung/roberta-base_mnli_bc sha256:" in out.getvalue()
    with pytest.raises(CommandError, match="bad_option"):
        call_command("models", "check", "--from", str(copied))
