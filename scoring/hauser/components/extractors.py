"""The extractors that a researcher can choose, by name."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from pathlib import Path

from scoring.hauser.base.parts import Extraction
from scoring.hauser.components.built_in import extract
from scoring.hauser.components.errors import ExtractorUnavailable
from scoring.hauser.components.spacy_components import load_pipeline
from scoring.hauser.components.trained.folder import load_trained

BUILT_IN = "built-in"
SPACY = "spacy:"
TRAINED = "trained:"
Extractor = Callable[[str], Extraction]
LONGEST_SHORT_NAME = 60
PLAIN_NAME = re.compile(r"\w[\w.-]*", re.ASCII)


def short_name(name: str) -> str:
    """The name of an extractor with the last part of its folder only, at most 60 characters.

    Parameters
    ----------
    name : str
        Name for `extractor_named`.
    """
    kind, colon, folder = name.partition(":")
    return f"{kind}{colon}{Path(folder).name if folder else ''}"[:LONGEST_SHORT_NAME]


def extractor_in_store(name: str, store: Path) -> str:
    """An extractor that is named without a path, as `extractor_named` reads it.

    Parameters
    ----------
    name : str
        `built-in`, `spacy:` and the name of an installed pipeline, or `trained:` and the name of a folder in
        the folder of models.
    store : Path
        The folder of models.

    Raises
    ------
    ExtractorUnavailable
        `bad_extractor_name`, also for a path: not everyone who may name an extractor may read the disk.
    """
    kind, colon, plain = name.partition(":")
    if name == BUILT_IN:
        return name
    if f"{kind}{colon}" not in (SPACY, TRAINED) or not PLAIN_NAME.fullmatch(plain):
        raise ExtractorUnavailable(
            "bad_extractor_name",
            f"{name!r} is no name of an extractor; enter {BUILT_IN}, {SPACY} and the name of an installed"
            f" pipeline, or {TRAINED} and the name of a folder in the folder of models",
        )
    return f"{TRAINED}{store / plain}" if f"{kind}{colon}" == TRAINED else name


def extractor_named(name: str, *, known_similes: bool = False) -> Extractor:
    """The extractor of a name.

    Parameters
    ----------
    name : str
        `built-in`, `spacy:` with the name or folder of an installed spaCy pipeline, or `trained:` with the
        folder of a trained extractor.
    known_similes : bool
        Every sentence is known to be a simile (see `extract`); a pipeline gives every pair that it parses.

    Raises
    ------
    ExtractorUnavailable
        `unknown_extractor`, `spacy_missing`, `pipeline_missing`, `pipeline_without_parser`,
        `extractor_missing`, `extractor_damaged` or `extractor_format`.
    """
    if name == BUILT_IN:
        return functools.partial(extract, known_simile=known_similes)
    if name.startswith(SPACY) and name != SPACY:
        return load_pipeline(name.removeprefix(SPACY))
    if name.startswith(TRAINED) and name != TRAINED:
        return load_trained(Path(name.removeprefix(TRAINED)), known_similes=known_similes)
    raise ExtractorUnavailable(
        "unknown_extractor",
        f"there is no extractor {name!r}; use {BUILT_IN}, {SPACY}NAME, as in spacy:en_core_web_sm, or"
        f" {TRAINED}FOLDER",
    )
