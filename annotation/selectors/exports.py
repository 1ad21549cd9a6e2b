"""What a study exports: columns and rows of each kind of table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from annotation.models import Study
from annotation.selectors.ratings import long_ratings, rating_columns

Table = tuple[Sequence[str], Iterable[Mapping[str, Any]]]


def ratings_table(study: Study, *, all_revisions: bool = False) -> Table:
    """The ratings in long form."""
    return rating_columns(study), long_ratings(study, all_revisions=all_revisions)


def items_table(study: Study) -> Table:
    """The items: key, group, system, then a column a text field and a metadata key."""
    texts: dict[str, None] = {}
    metadata: dict[str, None] = {}
    for fields, more in study.items.order_by("position").values_list("fields", "metadata").iterator():
        texts.update(dict.fromkeys(fields))
        metadata.update(dict.fromkeys(f"meta.{key}" for key in more))
    columns = ("item", "group", "system", *texts, *metadata)
    rows = (
        dict.fromkeys(columns, "")
        | {"item": item.key, "group": item.group, "system": item.system}
        | dict(item.fields)
        | {f"meta.{key}": value for key, value in item.metadata.items()}
        for item in study.items.order_by("position").iterator()
    )
    return columns, rows
