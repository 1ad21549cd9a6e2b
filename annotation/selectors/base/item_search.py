"""Search in items, and the text that represents an item in a list."""

from __future__ import annotations

import json
from collections.abc import Sequence

from django.db.models import Q

from annotation.models import FormVersion, Item, Study

TEXT_SEPARATOR = " / "
# Items of one file have the same columns.
MOST_LOOKED_AT = 200


def json_contains(field: str, words: str) -> Q:
    """Rows whose JSON field contains these words.

    SQLite stores characters beyond ASCII as escapes, PostgreSQL as they are.
    """
    escaped = json.dumps(words)[1:-1]
    return Q(**{f"{field}__icontains": words}) | Q(**{f"{field}__icontains": escaped})


def item_columns(study: Study) -> tuple[list[str], list[str]]:
    """The names under which the first items of a study have texts, and those of their metadata."""
    first = Item.objects.filter(study=study).order_by("position").values_list("fields", "metadata")
    texts: dict[str, None] = {}
    metadata: dict[str, None] = {}
    for fields, values in first[:MOST_LOOKED_AT]:
        texts |= dict.fromkeys(fields)
        metadata |= dict.fromkeys(values)
    return list(texts), list(metadata)


def representative_fields(study: Study) -> list[str]:
    """The texts that represent an item: the figure that the first form shows, or the two sides of a pair."""
    newest = FormVersion.objects.filter(form__study=study, form__planted=False)
    blocks = newest.order_by("form__position", "form_id", "-number").values_list("blocks", flat=True).first()
    by_role: dict[str, list[str]] = {}
    for block in blocks or ():
        by_role.setdefault(block.get("role", ""), []).append(block["field"])
    return by_role.get("figure", [])[:1] or by_role.get("side", [])


def text_of(item: Item, fields: Sequence[str]) -> str:
    """The text of an item in a list: these of its texts, or the one whose name comes last in the alphabet.

    A database need not keep the order in which the texts came.
    """
    texts = [item.fields[field] for field in fields if field in item.fields]
    return TEXT_SEPARATOR.join(map(str, texts or [item.fields[name] for name in sorted(item.fields)[-1:]]))
