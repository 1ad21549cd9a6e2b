"""The sentences that pages say, read from templates and modules."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from django.utils.translation.template import templatize

from config.catalogues.sources import modules, templates
from config.settings.places import ROOT

GETTEXT = {
    "_": None,
    "gettext": None,
    "gettext_lazy": None,
    "gettext_noop": None,
    "ngettext": (1, 2),
    "pgettext": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
    "ngettext_lazy": (1, 2),
    "pgettext_lazy": ((1, "c"), 2),
    "message": None,
    "counted_message": (1, 2),
}
Sentence = tuple[str | tuple[str, str], str | None]


def sentences() -> Catalog:
    """Read every sentence of the sources into a catalogue without translations.

    Returns
    -------
    babel.messages.catalog.Catalog
        Each sentence once, with the files that contain it, its plural form and its context.
    """
    found = Catalog(charset="utf-8")
    for path in templates():
        python = templatize(path.read_text(encoding="utf-8"), origin=str(path))
        _add(found, path, "\n".join(line.strip() for line in python.splitlines()), GETTEXT)
    for path in modules():
        _add(found, path, path.read_text(encoding="utf-8"), GETTEXT)
    return found


def _add(catalogue: Catalog, path: Path, source: str, keywords: Mapping[str, Any]) -> None:
    name = str(path.relative_to(ROOT))
    for sentence, context in _read(source, keywords):
        catalogue.add(sentence, locations=[(name, 0)], context=context)


def _read(source: str, keywords: Mapping[str, Any]) -> Iterator[Sentence]:
    file = io.BytesIO(source.encode())
    for _, words, _, context in extract("python", file, keywords=keywords, options={"encoding": "utf-8"}):
        if words:
            yield words, context  # type: ignore[misc]
