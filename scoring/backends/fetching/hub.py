"""Published checkpoints from the model hub into a folder, at one commit, as safetensors."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from config.command_line import command
from scoring.backends.checkpoints import COMMIT, Checkpoint, Located, branch_file, hub_folder, locate
from scoring.backends.errors import ModelRefused
from scoring.backends.inference import library

DESCRIBING = ["*.json", "*.txt", "*.model"]
SAFE, OLD = "*.safetensors", "pytorch_model*.bin"
KINDS = {
    "nli": "AutoModelForSequenceClassification",
    "sentiment": "AutoModelForSequenceClassification",
    "encoder": "AutoModel",
    "language_model": "AutoModelForCausalLM",
}


def fetch(checkpoint: Checkpoint, role: str, store: Path) -> Located:
    """Download a published checkpoint, unless it is already stored.

    A branch is recorded as its commit at the time of the download. Weights that exist only in torch's own
    format are read without running any code in them and stored as safetensors.

    Parameters
    ----------
    checkpoint
        The checkpoint; a folder is checked, not downloaded.
    role
        Role of the model, one of `ROLES`.
    store
        The folder of downloaded checkpoints.

    Raises
    ------
    ModelRefused
        `hub_not_reached`, `checkpoint_unknown`, `checkpoint_unreadable`, `worker_extra_missing`, and those of
        `locate`. Nothing is left half-fetched under the checkpoint's name.
    """
    try:
        return locate(checkpoint, store)
    except ModelRefused as refusal:
        if checkpoint.folder is not None or checkpoint.package or refusal.code == "checkpoint_incomplete":
            raise
    with _reaching(checkpoint):
        commit, safe = _looked_up(checkpoint)
        folder = hub_folder(checkpoint.name, store) / commit
        partial = folder.with_name(f"{commit}.partial")
        library("huggingface_hub").snapshot_download(
            checkpoint.name,
            revision=commit,
            local_dir=partial,
            allow_patterns=[*DESCRIBING, SAFE if safe else OLD],
        )
    if not safe:
        convert(partial, role, checkpoint)
    shutil.rmtree(partial / ".cache", ignore_errors=True)
    if folder.exists():
        shutil.rmtree(folder)
    partial.rename(folder)
    if not COMMIT.fullmatch(checkpoint.revision):
        branch_file(checkpoint, store).write_text(commit, encoding="ascii")
    return locate(checkpoint, store)


def _looked_up(checkpoint: Checkpoint) -> tuple[str, bool]:
    """The commit of a revision, and whether it has safetensors."""
    info: Any = library("huggingface_hub").HfApi().model_info(checkpoint.name, revision=checkpoint.revision)
    files = [Path(sibling.rfilename) for sibling in info.siblings]
    return str(info.sha), any(path.match(SAFE) for path in files)


@contextmanager
def _reaching(checkpoint: Checkpoint) -> Iterator[None]:
    errors = library("huggingface_hub.errors")
    try:
        yield
    except (errors.RepositoryNotFoundError, errors.RevisionNotFoundError, errors.HFValidationError) as error:
        raise ModelRefused(
            "checkpoint_unknown",
            f"The model hub has no {checkpoint}, or you have no access to it. Check its name and revision.",
        ) from error
    except (OSError, errors.HTTPError, errors.OfflineModeIsEnabled) as error:
        raise ModelRefused(
            "hub_not_reached",
            f"The model hub cannot be reached, so {checkpoint} was not downloaded. Run "
            f"`{command('models fetch')}` on a machine with access and copy the folder of models, or use "
            "the profile “embedded”.",
        ) from error


def convert(folder: Path, role: str, checkpoint: Checkpoint) -> None:
    """Store weights in torch's own format as safetensors, without running any code in them.

    Parameters
    ----------
    folder
        Folder of the checkpoint; the old file is removed.
    role
        Role of the model, one of `ROLES`.
    checkpoint
        The checkpoint, for the message.

    Raises
    ------
    ModelRefused
        `checkpoint_unreadable` or `worker_extra_missing`.
    """
    transformers = library("transformers")
    try:
        model = getattr(transformers, KINDS[role]).from_pretrained(
            folder, use_safetensors=False, weights_only=True, local_files_only=True
        )
    except (OSError, ValueError, RuntimeError, EOFError) as error:
        raise ModelRefused(
            "checkpoint_unreadable", f"The weights of {checkpoint} cannot be read and converted: {error}"
        ) from error
    model.save_pretrained(folder)
    for old in folder.glob(OLD):
        old.unlink()
