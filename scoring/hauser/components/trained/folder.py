"""A trained extractor on disk: a card, a vocabulary and weights, checked by digests when it is opened."""

from __future__ import annotations

import hashlib
import io
import json
import shutil
import tempfile
import zipfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np

from scoring.hauser.components.errors import ExtractorUnavailable
from scoring.hauser.components.trained.comparison import PartF1
from scoring.hauser.components.trained.extractor import TrainedExtractor
from scoring.hauser.components.trained.network import FloatArray, Network, Vocabulary, shapes
from scoring.hauser.components.trained.windows import LANGUAGES, Language

FORMAT = 1
CARD, VOCABULARY, WEIGHTS = "card.json", "vocabulary.json", "weights.npz"
LARGEST_FILE = 4_000_000
DECIMALS = 4
READABLE = 0o755


@dataclass(frozen=True)
class About:
    """How an extractor was trained, for its card."""

    language: Language
    marks: int
    sentences: int
    left_out: int  # Marks whose vehicle follows no comparator
    seed: int
    marks_sha256: str  # Of the file of the marks
    torch: str
    groundwork: str
    f1: Mapping[str, PartF1]  # By five-fold cross-validation, by part


def write_trained(folder: Path, network: Network, about: About) -> None:
    """Write an extractor to a new folder, whole or not at all.

    Parameters
    ----------
    folder : Path
        Must not exist, or be empty; the folder around it must exist.
    network : Network
        The trained classifier.
    about : About
        How it was trained.

    Raises
    ------
    ExtractorUnavailable
        `folder_not_empty` or `unwritable_folder`.
    """
    check_new(folder)
    files = {VOCABULARY: _json(network.vocabulary.entries), WEIGHTS: _packed(network)}
    f1 = {
        part: {name: round(value, DECIMALS) for name, value in asdict(one).items()}
        for part, one in about.f1.items()
    }
    digests = {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}
    files[CARD] = _json({"format": FORMAT, **asdict(about), "f1": f1, "files": digests})
    try:
        unfinished = Path(tempfile.mkdtemp(dir=folder.absolute().parent, prefix=f".{folder.name}."))
    except OSError as problem:
        raise _unwritable(folder, problem) from problem
    try:
        for name, content in files.items():
            (unfinished / name).write_bytes(content)
        unfinished.chmod(READABLE)
        unfinished.replace(folder)
    except OSError as problem:
        raise _unwritable(folder, problem) from problem
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def check_new(folder: Path) -> None:
    """Refuse a folder that has files, or cannot be created (`folder_not_empty`, `unwritable_folder`)."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        message = f"{folder} already has files; name a new folder"
        raise ExtractorUnavailable("folder_not_empty", message)
    if not folder.absolute().parent.is_dir():
        message = f"{folder} cannot be created: there is no folder {folder.absolute().parent}"
        raise ExtractorUnavailable("unwritable_folder", message)


def load_trained(folder: Path, *, known_similes: bool = False) -> TrainedExtractor:
    """Open a trained extractor.

    Parameters
    ----------
    folder : Path
        Folder from `write_trained`.
    known_similes : bool
        Every sentence is known to be a simile.

    Raises
    ------
    ExtractorUnavailable
        `extractor_missing`, `extractor_damaged` or `extractor_format`.
    """
    card = _card(folder)
    contents = {name: _checked(folder, name, card["files"].get(name)) for name in (VOCABULARY, WEIGHTS)}
    try:
        vocabulary = Vocabulary(json.loads(contents[VOCABULARY]))
    except (ValueError, TypeError, RecursionError) as problem:
        raise _damaged(folder, VOCABULARY) from problem
    weights = _weights(folder, contents[WEIGHTS], shapes(len(vocabulary)))
    digest = hashlib.sha256(_json([card["language"], card["files"]])).hexdigest()
    return TrainedExtractor(
        Network(vocabulary, weights), cast(Language, card["language"]), known_similes, digest
    )


def _weights(folder: Path, content: bytes, expected: Mapping[str, tuple[int, ...]]) -> dict[str, FloatArray]:
    """The arrays of these shapes; packed ones, whose size nothing limits, are refused."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            if any(one.compress_type != zipfile.ZIP_STORED for one in packed.infolist()):
                raise _damaged(folder, WEIGHTS)
        with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
            weights = {name: arrays[name].astype(np.float32) for name in expected}
    except (ValueError, TypeError, KeyError, OSError, EOFError, zipfile.BadZipFile) as problem:
        raise _damaged(folder, WEIGHTS) from problem
    fit = all(weights[name].shape == shape for name, shape in expected.items())
    if not fit or not all(np.isfinite(one).all() for one in weights.values()):
        raise _damaged(folder, WEIGHTS)
    return weights


def _card(folder: Path) -> dict[str, Any]:
    content = _read(folder, CARD)
    try:
        card = json.loads(content)
    except (ValueError, RecursionError) as problem:
        raise _damaged(folder, CARD) from problem
    if not isinstance(card, dict) or not isinstance(card.get("files"), dict):
        raise _damaged(folder, CARD)
    if card.get("format") != FORMAT:
        message = (
            f"{folder.name} has format {card.get('format')!r}, but this version reads {FORMAT};"
            " train it again"
        )
        raise ExtractorUnavailable("extractor_format", message)
    if card.get("language") not in LANGUAGES:
        raise _damaged(folder, CARD)
    return card


def _checked(folder: Path, name: str, digest: object) -> bytes:
    content = _read(folder, name)
    if hashlib.sha256(content).hexdigest() != digest:
        raise _damaged(folder, name)
    return content


def _read(folder: Path, name: str) -> bytes:
    try:
        with (folder / name).open("rb") as file:
            content = file.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as problem:
        message = f"there is no trained extractor in {folder.name} ({name} cannot be read)"
        advice = "enter the folder that components --train wrote"
        raise ExtractorUnavailable("extractor_missing", f"{message}; {advice}") from problem
    if len(content) > LARGEST_FILE:
        raise _damaged(folder, name)
    return content


def _packed(network: Network) -> bytes:
    packed = io.BytesIO()
    arrays: dict[str, Any] = dict(network.weights)
    np.savez(packed, **arrays)
    return packed.getvalue()


def _json(value: Any) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode()


def _damaged(folder: Path, name: str) -> ExtractorUnavailable:
    message = f"{name} of the trained extractor in {folder.name} is damaged; train it again, or copy it again"
    return ExtractorUnavailable("extractor_damaged", message)


def _unwritable(folder: Path, problem: OSError) -> ExtractorUnavailable:
    return ExtractorUnavailable("unwritable_folder", f"{folder} cannot be written: {problem.strerror}")
