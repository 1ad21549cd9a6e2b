"""The items of a study as candidates to be scored."""

from __future__ import annotations

import hashlib
import json
from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any, cast

from django.db.models import QuerySet

from annotation.models import Item, Study
from scoring.hauser.base.candidates import ComponentsSource, Group, Simile
from scoring.hauser.base.parts import Components, Extraction, Part
from scoring.hauser.runs.score_trace import components_from
from scoring.models import ItemComponents
from scoring.selectors.data.item_texts import LITERALS, REFERENCES, text_field
from scoring.selectors.spans.marked_components import Marked, marked_components

NAMES = {"tenor": "topic", "ground": "property"}
PARTS = ("topic", "vehicle", "event", "property", "comparator")
CHUNK_SIZE = 2000
FROM_RATERS = "raters"


def literal_field(fields: Mapping[str, str]) -> str:
    """The name of the text that the scored one was made from; empty where there is none."""
    return next((name for name in LITERALS if name in fields), "")


def given_components(item: Item) -> Extraction | None:
    """The components that came with an item; None where none did."""
    field = text_field(item.fields)
    pairs: dict[int, dict[str, Part]] = defaultdict(dict)
    for part in item.components:
        name = NAMES.get(part["part"], part["part"])
        if part["field"] == field and name in PARTS and part["text"].strip():
            pairs[part.get("pair", 0)].setdefault(name, Part(part["text"], part["start"], part["end"]))
    found = [
        Components(
            topic=parts.get("topic"),
            vehicle=parts["vehicle"],
            event=parts.get("event"),
            property=parts.get("property"),
            comparator=parts.get("comparator"),
        )
        for parts in pairs.values()
        if "vehicle" in parts
    ]
    return Extraction(tuple(found)) if found else None


def is_at_position(part: Mapping[str, Any], text: str) -> bool:
    """Whether a part's wording is in the text at its position."""
    return part["start"] is not None and text[part["start"] : part["end"]] == part["text"]


def refresh_positions(pairs: Sequence[Mapping[str, Any]], text: str) -> list[dict[str, Any]]:
    """Corrected pairs; a part that is no longer at its position in the changed text has none."""
    return [
        {
            name: {**part, "start": None, "end": None} if part and not is_at_position(part, text) else part
            for name, part in pair.items()
        }
        for pair in pairs
    ]


def simile_of(item: Item, corrected: ItemComponents | None, marked: Marked | None = None) -> Simile:
    """An item as a candidate, by the item's primary key. Manual corrections take precedence."""
    given, source = (given_components(item), "given") if marked is None else (marked.components, FROM_RATERS)
    fields = item.fields
    text = fields.get(text_field(fields), "")
    if corrected is not None:
        pairs = refresh_positions(corrected.pairs, text)
        given = components_from({"pairs": pairs, "reason": corrected.reason})
        source = "corrected"
    return Simile(
        key=str(item.pk),
        text=text,
        literal=fields.get(literal_field(fields), ""),
        given=given,
        source=cast(ComponentsSource, source),
        references=tuple(fields[name] for name in REFERENCES if fields.get(name, "").strip()),
        answers=marked.answers if marked is not None and source == FROM_RATERS else (),
    )


def similes(study: Study, items: QuerySet[Item], components: str = "data") -> Iterator[tuple[str, Simile]]:
    """Each item's group and candidate, by position; without a group, its literal sentence is one.

    Parameters
    ----------
    study : Study
        Study of the items.
    items : QuerySet
        Items to read.
    components : str
        `raters` for those of the raters' tuples, where an item has any.
    """
    for batch in _batches(items.order_by("position", "pk")):
        corrections = ItemComponents.objects.filter(item__in=batch, source="corrected").in_bulk(
            field_name="item_id"
        )
        texts = {item.pk: item.fields.get(text_field(item.fields), "") for item in batch}
        marked = marked_components(study, texts) if components == FROM_RATERS else {}
        for item in batch:
            simile = simile_of(item, corrections.get(item.pk), marked.get(item.pk))
            yield item.group or simile.literal, simile


def groups_of(study: Study, items: QuerySet[Item], components: str = "data") -> list[Group]:
    """Items in their groups, in the order in which the groups begin; as of `similes`."""
    members: dict[str, list[Simile]] = {}
    alone: list[Group] = []
    for key, simile in similes(study, items, components):
        if key:
            members.setdefault(key, []).append(simile)
        else:
            alone.append(Group("", (simile,)))
    return [*(Group(key, tuple(own)) for key, own in members.items()), *alone]


def digest_of(simile: Simile) -> str:
    """Digest of a candidate that changes with everything that a score depends on."""
    parts: list[Any] = [
        simile.text,
        simile.literal,
        simile.references,
        None if simile.given is None else asdict(simile.given),
        None if simile.given is None else simile.source,
    ]
    if simile.answers:
        parts.append(simile.answers)
    return hashlib.sha256(json.dumps(parts, ensure_ascii=False).encode()).hexdigest()


def fingerprint(
    digests: Iterable[tuple[str, str]], key: str, whole: str = "", *, belongs: bool = True
) -> str:
    """Fingerprint of a group: its candidates, the settings, and the whole run where scores depend on it.

    A candidate that `belongs` to no group has other scores than the only one of a group.
    """
    text = json.dumps([key, whole, sorted(digests), *([] if belongs else ["no group"])])
    return hashlib.sha256(text.encode()).hexdigest()


def items_by_key(study: Study, keys: Sequence[int]) -> QuerySet[Item]:
    """The items with these primary keys."""
    return study.items.filter(pk__in=keys)


def _batches(items: QuerySet[Item]) -> Iterator[list[Item]]:
    """The items in their order, each batch by a query that ends before the caller goes on.

    On SQLite a query that is still open keeps its connection from writing once another process has written.
    """
    keys = array("q", items.values_list("pk", flat=True).iterator())
    for start in range(0, len(keys), CHUNK_SIZE):
        some = keys[start : start + CHUNK_SIZE].tolist()
        found = {item.pk: item for item in items.filter(pk__in=some)}
        yield [found[key] for key in some if key in found]
