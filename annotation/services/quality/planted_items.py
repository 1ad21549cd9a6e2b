"""The item that an attention check shows: its texts, with components marked as in the study's items."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from annotation.domain.base.errors import NotAllowedNow
from annotation.domain.base.messages import counted_message, message
from annotation.models import Item, Study
from annotation.protocols.markup import unmark
from annotation.selectors.quality.checks.texts import checks_without_text
from annotation.services.items.item_storage import PLANTED_KEY

# The metadata that the page of an item shows.
SHOWN_METADATA = ("language", "source")
CHECKS_IN_DRAFTS = message("You can only add or change checks while the study is a draft.")


def missing_texts(lacking: Sequence[str]) -> str:
    """A sentence about the texts, by name, that a page needs; without a name, it needs any text."""
    if not lacking:
        return message("Enter at least one text.")
    return message("Enter a text for: %(fields)s.", fields=", ".join(lacking))


def refuse_checks_without_text(study: Study) -> None:
    """Refuse a study with a check whose page has no text.

    Parameters
    ----------
    study : Study
        About to open; its checks cannot be changed afterwards.

    Raises
    ------
    NotAllowedNow
        `checks_without_text`.
    """
    empty = checks_without_text(study)
    if empty:
        raise NotAllowedNow(
            counted_message(
                "The attention check %(names)s has no text. Enter one, or delete the check.",
                "The attention checks %(names)s have no text. Enter one for each, or delete them.",
                n=len(empty),
                names=", ".join(f"“{name}”" for name in empty),
            ),
            code="checks_without_text",
        )


def plant_item(*, study: Study, key: str, texts: Mapping[str, str], original: Item | None) -> Item:
    """Store the item of a check; a twin's text without marks gets the marks of its original.

    Parameters
    ----------
    study, key
        A draft, and the name of the check.
    texts : mapping of str to str
        What the item shows; `{vehicle:a bell}` marks a component.
    original : Item or None
        The item that a twin is a degraded copy of: its language and source hold for the twin too.
    """
    metadata = original.metadata if original else {}
    written = {name: unmark(text, name) for name, text in texts.items() if text.strip()}
    return Item.everything.create(
        study=study,
        key=f"{PLANTED_KEY}{key}",
        group=original.group if original else "",
        fields={name: text for name, (text, _) in written.items()},
        components=[
            part
            for name, (text, own) in written.items()
            for part in own or _shared_components(original, name, text)
        ],
        metadata={name: metadata[name] for name in SHOWN_METADATA if name in metadata},
        planted=True,
    )


def _shared_components(original: Item | None, name: str, text: str) -> Iterator[dict[str, Any]]:
    """The components of the original whose wording is also in the twin's text, without overlaps."""
    components = original.components if original else []
    placed = [part for part in components if part["field"] == name and part["start"] is not None]
    past = 0
    for part in sorted(placed, key=lambda part: int(part["start"])):
        found = _wording(part["text"], text).search(text, past)
        if found is not None:
            past = found.end()
            yield {**part, "start": found.start(), "end": found.end()}


def _wording(words: str, text: str) -> re.Pattern[str]:
    """Whole words, in a text whose words are separated."""
    wording = re.escape(words)
    return re.compile(rf"(?<!\w){wording}(?!\w)" if " " in text else wording)
