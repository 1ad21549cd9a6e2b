"""Checkpoints of models, and the location of their files."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from annotation.domain.base.messages import message
from config.command_line import command
from config.settings.env import from_here
from scoring.backends.errors import ModelRefused

COMMIT = re.compile(r"[0-9a-f]{40}")
HUB_NAME = re.compile(r"[\w.-]+(/[\w.-]+)?")
# Bytes of an entered name: names of files have at most 255, with their endings.
LONGEST_ENTERED = 200
DIGEST_LENGTH = 40
# Digests of the files of a checkpoint that was copied manually.
COPIED = "sha256.json"
# How the path of a folder begins, which a published name never does.
FOLDER_MARKS = ("/", ".", "~")
TOKENIZERS = ("tokenizer.json", "vocab.txt", "vocab.json", "*.model")
IDENTIFYING = ("config.json", *TOKENIZERS, "tokenizer_config.json", "merges.txt", "*.safetensors")


@dataclass(frozen=True)
class Checkpoint:
    """A published checkpoint at a revision, or a folder with one."""

    name: str  # Name on the hub or in the project; the path of a folder as given
    revision: str = ""  # Commit, branch or tag on the hub; empty for a folder, whose files are the revision
    folder: Path | None = None  # The folder with the files, if they are not from the hub
    package: str = ""  # Installed Python package that is the model itself, such as a lexicon

    @classmethod
    def parsed(cls, text: str) -> Checkpoint:
        """Read `ORGANISATION/NAME@REVISION` or a folder's path, which begins with `/`, `.` or `~`.

        Parameters
        ----------
        text
            Text of a setting; without `@REVISION` it is the branch `main`.

        Raises
        ------
        ModelRefused
            `bad_checkpoint_name` when it is neither.
        """
        if text.startswith(FOLDER_MARKS):
            return cls(text, folder=from_here(Path(text)))
        name, _, revision = text.partition("@")
        if not HUB_NAME.fullmatch(name):
            raise ModelRefused(
                "bad_checkpoint_name",
                f"{text!r} is not a checkpoint. Enter ORGANISATION/NAME@REVISION, or a folder's path "
                "that starts with / or ./",
            )
        return cls(name, revision or "main")

    def __str__(self) -> str:
        return f"{self.name}@{self.revision}" if self.revision else self.name


@dataclass(frozen=True)
class Located:
    """A checkpoint whose files were found: its name, its exact revision, and its folder."""

    name: str
    revision: str
    folder: Path

    @property
    def shown(self) -> str:
        """Its name without the path of its folder."""
        return shown_checkpoint(self.name)


def locate(checkpoint: Checkpoint, store: Path) -> Located:
    """Find the files of a checkpoint without any network.

    Parameters
    ----------
    checkpoint
        The checkpoint.
    store
        The folder that `models fetch` fills.

    Returns
    -------
    Located
        `revision` is the commit; `sha256:` and a digest of the files of a folder, or of a checkpoint that was
        copied manually; or the version of a package.

    Raises
    ------
    ModelRefused
        `checkpoint_missing`, `checkpoint_incomplete`, `no_safetensors` or `worker_extra_missing`.
    """
    if checkpoint.package:
        return _installed(checkpoint)
    folder = _folder_of(checkpoint, store)
    copied = checkpoint.folder is not None or (folder / COPIED).is_file()
    return Located(checkpoint.name, content_revision(folder) if copied else folder.name, folder)


def _folder_of(checkpoint: Checkpoint, store: Path) -> Path:
    """The folder of a checkpoint, with all files that a model needs."""
    folder = checkpoint.folder
    if folder is None:
        folder = hub_folder(checkpoint.name, store) / pinned_commit(checkpoint, store)
    _complete(checkpoint, folder)
    return folder


def _installed(checkpoint: Checkpoint) -> Located:
    try:
        found = distribution(checkpoint.package)
    except PackageNotFoundError as error:
        raise ModelRefused(
            "worker_extra_missing",
            message(
                "%(package)s is not installed here. Run this on a worker, or run "
                "pip install 'groundwork-ratings[worker]'.",
                package=checkpoint.package,
            ),
        ) from error
    return Located(checkpoint.name, found.version, Path(str(found.locate_file(checkpoint.package))))


def hub_folder(name: str, store: Path) -> Path:
    """The folder of all stored revisions of a published checkpoint."""
    return store / name.replace("/", "--")


def branch_file(checkpoint: Checkpoint, store: Path) -> Path:
    """The file with the commit of a branch or tag at the time of its download."""
    return hub_folder(checkpoint.name, store) / f"{checkpoint.revision.replace('/', '--')}.commit"


def pinned_commit(checkpoint: Checkpoint, store: Path) -> str:
    """The commit of a checkpoint's revision: the revision itself, or the one downloaded for it.

    Raises
    ------
    ModelRefused
        `checkpoint_missing` when a branch was never fetched.
    """
    if COMMIT.fullmatch(checkpoint.revision):
        return checkpoint.revision
    pinned = branch_file(checkpoint, store)
    if not pinned.is_file():
        raise missing(checkpoint)
    return pinned.read_text(encoding="ascii").strip()


def missing(checkpoint: Checkpoint) -> ModelRefused:
    """The refusal of a missing checkpoint, with the way to get it."""
    name = shown_checkpoint(str(checkpoint))
    if checkpoint.folder is not None:
        return ModelRefused(
            "checkpoint_missing", message("The folder of the checkpoint %(name)s does not exist.", name=name)
        )
    return ModelRefused(
        "checkpoint_missing",
        message(
            "The checkpoint %(name)s is not in the folder of models (GROUNDWORK_MODELS). Run `%(command)s` "
            "on a machine with access to the model hub and copy its folder of models, or copy the files of "
            "the checkpoint and run `%(command)s --from FOLDER`.",
            name=name,
            command=command("models fetch"),
        ),
    )


def shown_checkpoint(text: str) -> str:
    """The name of a checkpoint without the path of its folder.

    Parameters
    ----------
    text
        As `Checkpoint.parsed` reads it.
    """
    return Path(text).name if text.startswith(FOLDER_MARKS) else text


def stored_checkpoints(store: Path) -> list[str]:
    """Names of the checkpoints in the folder of models, in order: of folders, and of published revisions.

    Parameters
    ----------
    store
        The folder of models; it may not exist.
    """
    found = [
        config.parent for pattern in ("*/config.json", "*--*/*/config.json") for config in store.glob(pattern)
    ]
    names = []
    for folder in found:
        published = folder.parent != store
        if not published or COMMIT.fullmatch(folder.name):
            name = f"{folder.parent.name.replace('--', '/')}@{folder.name}" if published else folder.name
            names.append(name)
    return sorted(names)


def checkpoint_in_store(name: str, store: Path) -> str:
    """A checkpoint that is in the folder of models, as `Checkpoint.parsed` reads it.

    Parameters
    ----------
    name
        Name of a folder in it, or `ORGANISATION/NAME@REVISION`.
    store
        The folder of models.

    Raises
    ------
    ModelRefused
        `bad_checkpoint_name`, also for a path: not everyone who may name a model may read the disk;
        `checkpoint_missing`, `checkpoint_incomplete` or `no_safetensors`.
    """
    plain, _, revision = name.partition("@")
    too_long = len(name.encode(errors="replace")) > LONGEST_ENTERED
    if too_long or name.startswith(FOLDER_MARKS) or not HUB_NAME.fullmatch(plain):
        raise ModelRefused(
            "bad_checkpoint_name",
            message("Enter the name of a model in the folder of models, or ORGANISATION/NAME@REVISION."),
        )
    folder = store / plain
    found = str(folder) if "/" not in plain and not revision and folder.is_dir() else name
    try:
        _folder_of(Checkpoint.parsed(found), store)
    except ModelRefused as refusal:
        raise _not_stored(name, store) if refusal.code == "checkpoint_missing" else refusal from refusal
    return found


def _not_stored(name: str, store: Path) -> ModelRefused:
    names, how = stored_checkpoints(store), command("models fetch")
    if not names:
        sentence = message(
            "The folder of models of this installation is empty. An administrator adds models with "
            "`%(command)s`.",
            command=how,
        )
        return ModelRefused("checkpoint_missing", sentence)
    sentence = message(
        "The model “%(name)s” is not in the folder of models. Choose one of %(names)s. An administrator adds "
        "others with `%(command)s`.",
        name=name,
        names=", ".join(names),
        command=how,
    )
    return ModelRefused("checkpoint_missing", sentence)


def _complete(checkpoint: Checkpoint, folder: Path) -> None:
    name = shown_checkpoint(str(checkpoint))
    if not folder.is_dir():
        raise missing(checkpoint)
    if not (folder / "config.json").is_file():
        raise ModelRefused(
            "checkpoint_incomplete",
            message("The checkpoint %(name)s has no config.json. Fetch or copy it again.", name=name),
        )
    if not any(any(folder.glob(pattern)) for pattern in TOKENIZERS):
        raise ModelRefused(
            "checkpoint_incomplete",
            message(
                "The checkpoint %(name)s has no tokenizer. Add one of: %(files)s.",
                name=name,
                files=", ".join(TOKENIZERS),
            ),
        )
    if not any(folder.glob("*.safetensors")):
        raise ModelRefused(
            "no_safetensors",
            message(
                "The checkpoint %(name)s has no safetensors weights. Other formats are not opened, because "
                "they can contain programs. `%(command)s` converts published checkpoints.",
                name=name,
                command=command("models fetch"),
            ),
        )


def content_revision(folder: Path) -> str:
    """A digest of everything in a folder that the results of its model depend on.

    Parameters
    ----------
    folder
        Folder of the checkpoint.

    Returns
    -------
    str
        `sha256:` and 40 hexadecimal digits.
    """
    files = sorted({path for pattern in IDENTIFYING for path in folder.glob(pattern)})
    stats = [(path, path.stat()) for path in files]
    return _digest(tuple((path, stat.st_mtime_ns, stat.st_size) for path, stat in stats))


@lru_cache(maxsize=64)
def _digest(files: tuple[tuple[Path, int, int], ...]) -> str:
    digest = hashlib.sha256()
    for path, _, size in files:
        digest.update(f"{path.name}:{size}\n".encode())
        with path.open("rb") as stream:
            digest.update(hashlib.file_digest(stream, "sha256").digest())
    return f"sha256:{digest.hexdigest()[:DIGEST_LENGTH]}"
