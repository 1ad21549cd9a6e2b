"""Checkpoints from a folder that was copied manually, into the folder of models."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterator
from pathlib import Path

from scoring.backends.checkpoints import (
    COMMIT,
    COPIED,
    IDENTIFYING,
    TOKENIZERS,
    Checkpoint,
    Located,
    branch_file,
    content_revision,
    hub_folder,
    locate,
)
from scoring.backends.errors import ModelRefused
from scoring.backends.fetching.hub import DESCRIBING, OLD, SAFE, convert

POINTER = b"version https://git-lfs"
HEADER_BYTES = 8
DIGEST_PREFIX = "sha256:"


def copy_checkpoint(checkpoint: Checkpoint, role: str, source: Path, store: Path) -> Located:
    """Copy a published checkpoint from a folder into the folder of models.

    Parameters
    ----------
    checkpoint
        The published checkpoint.
    role
        Role of the model, one of `ROLES`.
    source
        The folder with its files, or a folder that has that folder under the checkpoint's name.
    store
        The folder of models.

    Returns
    -------
    Located
        Its revision is a digest of the files, because they have not been compared with those of a commit.
        `sha256.json` next to them has the digest of each.

    Raises
    ------
    ModelRefused
        `no_such_folder`, `checkpoint_not_in_folder`, `checkpoint_incomplete`, `no_weights`, `file_damaged`,
        and those of a conversion. Nothing is left half-copied under the checkpoint's name.
    """
    folder = _found(checkpoint, source)
    _check(folder)
    own = hub_folder(checkpoint.name, store)
    partial = own / "copied.partial"
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    safe = any(folder.glob(SAFE))
    for path in _wanted(folder, SAFE if safe else OLD):
        shutil.copyfile(path, partial / path.name)
    if not safe:
        convert(partial, role, checkpoint)
    (partial / COPIED).write_text(json.dumps(_digests(partial), indent=1), encoding="utf-8")
    is_commit = bool(COMMIT.fullmatch(checkpoint.revision))
    name = checkpoint.revision if is_commit else content_revision(partial).removeprefix(DIGEST_PREFIX)
    shutil.rmtree(own / name, ignore_errors=True)
    partial.rename(own / name)
    if not is_commit:
        branch_file(checkpoint, store).write_text(name, encoding="ascii")
    return locate(checkpoint, store)


def _found(checkpoint: Checkpoint, source: Path) -> Path:
    if not source.is_dir():
        raise ModelRefused("no_such_folder", f"{source} is not a folder. Enter the folder that you copied.")
    if (source / "config.json").is_file():
        return source
    hub_name = checkpoint.name.replace("/", "--")
    names = (checkpoint.name, hub_name, f"models--{hub_name}", checkpoint.name.rpartition("/")[2])
    for folder in (source / name for name in names):
        inner = [folder, *sorted(folder.glob("*")), *sorted(folder.glob("snapshots/*"))]
        found = [one for one in inner if (one / "config.json").is_file()]
        if found:
            exact = [one for one in found if one.name == checkpoint.revision]
            return (exact or found)[0]
    raise ModelRefused(
        "checkpoint_not_in_folder",
        f"{source} has neither a config.json nor a folder of {checkpoint.name} with one. Enter the folder "
        f"with the files of the checkpoint, or one that contains it as {names[0]} or {hub_name}.",
    )


def _check(folder: Path) -> None:
    """Refuse a folder in which something is missing or was not copied completely."""
    if not any(any(folder.glob(pattern)) for pattern in TOKENIZERS):
        message = f"{folder} has no tokenizer. Copy at least one of: {', '.join(TOKENIZERS)}."
        raise ModelRefused("checkpoint_incomplete", message)
    weights = [*folder.glob(SAFE)] or [*folder.glob(OLD)]
    if not weights:
        message = f"{folder} has no weights. Copy model.safetensors or pytorch_model.bin."
        raise ModelRefused("no_weights", message)
    if lacking := sorted(_listed(folder) - {path.name for path in weights}):
        message = f"{folder} lacks {', '.join(lacking)}, which its index of weights lists. Copy it too."
        raise ModelRefused("checkpoint_incomplete", message)
    for path in weights:
        if fault := _fault(path):
            raise ModelRefused("file_damaged", f"{path}: {fault} Copy the file again.")


def _listed(folder: Path) -> set[str]:
    """The files that an index of weights in several files names."""
    if not any(folder.glob(SAFE)):
        return set()
    index = folder / "model.safetensors.index.json"
    if not index.is_file():
        return set()
    try:
        return set(json.loads(index.read_text(encoding="utf-8"))["weight_map"].values())
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ModelRefused("file_damaged", f"{index}: this is not an index of weights.") from error


def _fault(path: Path) -> str:
    """What is wrong with a file of weights as far as its beginning and its size show."""
    size = path.stat().st_size
    with path.open("rb") as file:
        beginning = file.read(len(POINTER))
        if beginning == POINTER:
            return "this is a pointer of Git LFS and not the file itself."
        if path.suffix != ".safetensors":
            return "" if size else "the file is empty."
        file.seek(0)
        length = int.from_bytes(file.read(HEADER_BYTES), "little")
        if size < HEADER_BYTES or length > size - HEADER_BYTES:
            return "the file is cut short."
        try:
            ends = [one["data_offsets"][1] for one in _tensors(json.loads(file.read(length)))]
        except (ValueError, KeyError, TypeError, AttributeError):
            return "this is not a safetensors file."
    expected = HEADER_BYTES + length + max(ends, default=0)
    return "" if size == expected else f"the file has {size:,} bytes, not {expected:,} as its header says."


def _tensors(header: dict[str, dict[str, list[int]]]) -> list[dict[str, list[int]]]:
    return [tensor for name, tensor in header.items() if name != "__metadata__"]


def _wanted(folder: Path, weights: str) -> Iterator[Path]:
    for pattern in (*DESCRIBING, weights):
        yield from filter(Path.is_file, folder.glob(pattern))


def _digests(folder: Path) -> dict[str, str]:
    found = {}
    for path in sorted({path for pattern in IDENTIFYING for path in folder.glob(pattern)}):
        with path.open("rb") as file:
            found[path.name] = hashlib.file_digest(file, "sha256").hexdigest()
    return found
