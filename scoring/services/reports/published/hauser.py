"""The published ratings of HAUSER (He et al., ACL 2023) as a closed study."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from django.db import transaction

from annotation.io.base.cells import Row
from annotation.models import Item, Study, User
from annotation.protocols.hauser import HAUSER
from annotation.services.base.bulk_insert import Progress
from annotation.services.items.answer_storage import LoadedResponse, store_responses
from annotation.services.items.item_storage import NewItem, add_items
from scoring.io.published_studies import HAUSER_METRICS, HauserRow
from scoring.replication.hauser.data import FILE, RATERS
from scoring.services.metrics.directions import declare_directions
from scoring.services.reports.published.study_builder import (
    criteria_of,
    loads_once,
    make_raters,
    make_study,
    store_scores,
)

SLUG = "hauser"
TEXTS = ("similes", "components", "literal_sentences")
LETTERS = {"q": "quality", "c": "creativity", "i": "informativeness"}


@loads_once(SLUG)
def import_hauser(rows: Sequence[HauserRow], owner: User | None, progress: Progress) -> Study:
    """Load the published HAUSER ratings: 150 candidates, three raters, three criteria, metric columns.

    The file is `human_annotated.csv`. Parameters as of `Importer`, but what was read.
    """
    with transaction.atomic():
        study = make_study(
            name=SLUG,
            title="HAUSER, published ratings",
            description="150 simile candidates for 44 literal sentences, rated by three raters on three "
            "criteria (He et al., ACL 2023).",
            template=HAUSER,
            overlap=len(RATERS),
            identified=True,
            owner=owner,
        )
        add_items(study=study, rows=_items(rows))
        items = list(study.items.order_by("position"))
        _store_ratings(study, items, [row.cells for row in rows], progress)
        scores = (
            (item, metric, float(row.cells[metric]))
            for item, row in zip(items, rows, strict=True)
            for metric in HAUSER_METRICS
        )
        store_scores(study, f"imported from {FILE}, scaled 0 to 1 within each sentence", scores, progress)
        declare_directions(study=study, directions=dict.fromkeys(HAUSER_METRICS, "higher"), actor=None)
    return study


def _items(rows: Sequence[HauserRow]) -> list[NewItem]:
    groups: dict[str, int] = {}
    numbers: dict[str, int] = {}
    items = []
    for row in rows:
        literal, simile = row.cells["literal_sentences"], row.cells["similes"]
        group = f"S{groups.setdefault(literal, len(groups) + 1):02d}"
        numbers[group] = numbers.get(group, 0) + 1
        items.append(
            NewItem(
                key=f"{group}-{numbers[group]}",
                group=group,
                system="BART",
                fields={"literal": literal, "simile": simile},
                components=_components(simile, row.components),
            )
        )
    return items


def whole_words(words: str, text: str) -> re.Match[str] | None:
    """The first occurrence of words in a text, not within longer words; None without one."""
    if not re.search(r"\w", words):
        return None
    return re.search(rf"(?<!\w){re.escape(words)}(?!\w)", text)


def _components(simile: str, triples: Sequence[tuple[str, str, str]]) -> list[dict[str, Any]]:
    """Offsets of the wording in the simile, null where it is not in it."""
    parts = []
    for pair, triple in enumerate(triples):
        for part, words in zip(("topic", "vehicle", "event"), triple, strict=True):
            found = whole_words(words, simile)
            parts.append(
                {
                    "field": "simile",
                    "part": part,
                    "pair": pair,
                    "start": found and found.start(),
                    "end": found and found.end(),
                    "text": words,
                }
            )
    return parts


def _store_ratings(study: Study, items: Sequence[Item], rows: Sequence[Row], progress: Progress) -> None:
    criteria = criteria_of(study)
    raters = make_raters(study, [f"R-{number:03d}" for number in RATERS])
    store_responses(
        progress=progress,
        loaded=[
            LoadedResponse(
                item=item,
                rater=rater,
                version=criteria["quality"][0],
                values={
                    criteria[key][1]: int(row[f"label{number}_{letter}"]) for letter, key in LETTERS.items()
                },
            )
            for item, row in zip(items, rows, strict=True)
            for number, rater in zip(RATERS, raters, strict=True)
        ],
    )
