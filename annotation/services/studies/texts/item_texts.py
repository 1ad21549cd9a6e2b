"""Items that lack a text or a media file which raters are to see."""

from __future__ import annotations

from annotation.domain.base.errors import NotAllowedNow
from annotation.domain.base.messages import counted_message, message
from annotation.models import Study
from annotation.selectors.items.media import media_gaps

# More items without a text are only counted.
MOST_NAMED = 5


def check_texts(study: Study) -> None:
    """Refuse a study with an item that lacks a text or a media file of a form.

    A form without listed texts shows all texts of an item.

    Parameters
    ----------
    study : Study
        A study about to open, or an open one with a changed form.

    Raises
    ------
    NotAllowedNow
        `items_without_text`, `media_missing`, `media_of_other_kind` or `media_without_words`.
    """
    _check_fields(study)
    _check_media(study)


def _check_fields(study: Study) -> None:
    shown = [
        [
            block["field"]
            for block in form.versions.latest("number", "correction").blocks
            if not block.get("optional")
        ]
        for form in study.forms.all()
    ]
    wanted = list(dict.fromkeys(field for fields in shown for field in fields))
    lacking: list[str] = []
    missing: set[str] = set()
    for item in study.items.order_by("position").only("study", "key", "fields").iterator():
        empty = {field for field in wanted if not item.fields.get(field)}
        if empty or (shown and not item.fields):
            lacking.append(item.key)
            missing |= empty
    if lacking:
        texts = ", ".join(field for field in wanted if field in missing)
        raise NotAllowedNow(
            _items_without_text(len(lacking), texts, _named(lacking)), code="items_without_text"
        )


def _check_media(study: Study) -> None:
    gaps = media_gaps(study)
    if gaps.missing:
        sentence = message(
            "Items name media files that the study does not have: %(names)s. Add them under “Media files”.",
            names=_named(gaps.missing),
        )
        raise NotAllowedNow(sentence, code="media_missing")
    if gaps.other_kind:
        sentence = message(
            "The form shows these media files as another kind than they are: %(names)s. Change the form or "
            "the files.",
            names=_named(gaps.other_kind),
        )
        raise NotAllowedNow(sentence, code="media_of_other_kind")
    if gaps.wordless:
        sentence = message(
            "These media files have no description or transcript: %(names)s. Describe them under “Media "
            "files” for raters who cannot see or hear them.",
            names=_named(gaps.wordless),
        )
        raise NotAllowedNow(sentence, code="media_without_words")


def _named(names: list[str]) -> str:
    return ", ".join(names[:MOST_NAMED]) + (" …" if len(names) > MOST_NAMED else "")


def _items_without_text(n: int, texts: str, items: str) -> str:
    if not texts:
        return counted_message(
            "%(n)d item has no text: %(items)s. Import the items with their texts before you open the study.",
            "%(n)d items have no text: %(items)s. Import the items with their texts before you open the "
            "study.",
            n=n,
            items=items,
        )
    return counted_message(
        "%(n)d item lacks a text that a form shows (%(texts)s): %(items)s. Import the items with their texts "
        "before you open the study.",
        "%(n)d items lack a text that a form shows (%(texts)s): %(items)s. Import the items with their texts "
        "before you open the study.",
        n=n,
        texts=texts,
        items=items,
    )
