"""Which texts of an item are its simile, its literal sentence and its references."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import QuerySet

from annotation.models import Item, Study

TEXTS = ("simile", "story", "text", "sentence")


LITERALS = ("literal", "prompt")


REFERENCES = ("references", "reference", "human_story")


def text_field(fields: Mapping[str, str]) -> str:
    """The name of the text that is scored; empty where an item has none."""
    named = next((name for name in TEXTS if name in fields), "")
    others = [name for name in fields if name not in {*LITERALS, *REFERENCES}]
    return named or (others[-1] if others else "")


def item_texts(study: Study) -> QuerySet[Item, Any]:
    """What lists of a study's items are searched by, in order."""
    rows = study.items.order_by("position", "pk")
    return rows.values_list("pk", "position", "key", "group", "system", "fields")
