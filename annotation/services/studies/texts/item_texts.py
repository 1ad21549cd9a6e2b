"""Items that lack a text which raters are to see."""

from __future__ import annotations

from annotation.domain.base.errors import NotAllowedNow
from annotation.domain.base.messages import counted_message
from annotation.models import Study

# More items without a text are only counted.
MOST_NAMED = 5


def check_texts(study: Study) -> None:
    """Refuse a study with an item that lacks a text of a form (`items_without_text`).

    A form without listed texts shows all texts of an item.

    Parameters
    ----------
    study : Study
        A study about to open, or an open one with a changed form.

    Raises
    ------
    NotAllowedNow
        `items_without_text`.
    """
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
        named = ", ".join(lacking[:MOST_NAMED]) + (" …" if len(lacking) > MOST_NAMED else "")
        raise NotAllowedNow(_items_without_text(len(lacking), texts, named), code="items_without_text")


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
