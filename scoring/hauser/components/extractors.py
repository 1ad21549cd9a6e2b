"""The extractors that a researcher can choose between, by name."""

from __future__ import annotations

import functools
from collections.abc import Callable

from scoring.hauser.base.parts import Extraction
from scoring.hauser.components.built_in import extract
from scoring.hauser.components.spacy_components import ExtractorUnavailable, load_pipeline

BUILT_IN = "built-in"
SPACY = "spacy:"
Extractor = Callable[[str], Extraction]


def extractor_named(name: str, *, known_similes: bool = False) -> Extractor:
    """The extractor of a name.

    Parameters
    ----------
    name : str
        `built-in`, or `spacy:` with the name or folder of an installed spaCy pipeline.
    known_similes : bool
        Every sentence is known to be a simile (see `extract`); a pipeline gives every pair that it parses.

    Raises
    ------
    ExtractorUnavailable
        `unknown_extractor`, `spacy_missing`, `pipeline_missing` or `pipeline_without_parser`.
    """
    if name == BUILT_IN:
        return functools.partial(extract, known_simile=known_similes)
    if name.startswith(SPACY) and name != SPACY:
        return load_pipeline(name.removeprefix(SPACY))
    raise ExtractorUnavailable(
        "unknown_extractor",
        f"there is no extractor {name!r}; use {BUILT_IN} or {SPACY}NAME, as in spacy:en_core_web_sm",
    )
