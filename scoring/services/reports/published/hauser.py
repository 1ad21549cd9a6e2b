"""The published ratings of HAUSER (He et al., ACL 2023) as a closed study."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.db import transaction

from annotation.domain.base.errors import FileProblem, FileRefused
from annotation.io.base.cells import Row
from annotation.io.base.readers import read_rows
from annotation.models import Item, Study, User
from annotation.protocols.hauser import HAUSER
from annotation.services.base.bulk_insert import Progress
from annotation.services.items.answer_storage import LoadedResponse, store_responses
from annotation.services.items.item_storage import NewItem, add_items
from scoring.replication.hauser.data import FILE, LABELS, RATERS, components_of
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
METRICS = (
    "BERTS_base",
    "BERTS_large",
    "BLEU1",
    "BLEU2",
    "BLEU3",
    "BLEU4",
    "rouge1",
    "rouge2",
    "rougeL",
    "meteor",
    "fluency",
    "relevance_KB",
    "relevance_COMET",
    "consistency_emo",
    "consistency_mnli",
)
MOST_PROBLEMS = 20


@loads_once(SLUG)
def import_hauser(data: Path, owner: User | None, progress: Progress) -> Study:
    """Load the published HAUSER ratings: 150 candidates, three raters, three criteria, metric columns.

    `data` holds `human_annotated.csv`. Parameters as of `Importer`.

    Raises
    ------
    FileRefused
        A column is missing or a value cannot be taken; nothing was stored.
    """
    rows = read_rows(data / FILE, needed=(*TEXTS, *LABELS, *METRICS))
    _check(rows)
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
        add_items(study=study, rows=_items([row for _, row in rows]))
        items = list(study.items.order_by("position"))
        _store_ratings(study, items, [row for _, row in rows], progress)
        scores = (
            (item, metric, float(row[metric]))
            for item, (_, row) in zip(items, rows, strict=True)
            for metric in METRICS
        )
        store_scores(study, f"imported from {FILE}, scaled 0 to 1 within each sentence", scores, progress)
        declare_directions(study=study, directions=dict.fromkeys(METRICS, "higher"), actor=None)
    return study


def _check(rows: Sequence[tuple[int, Row]]) -> None:
    problems: list[FileProblem] = []
    for number, row in rows:
        for column in LABELS:
            if row[column] not in {"1", "2", "3", "4", "5"}:
                message = f"{row[column]!r} is not a whole number from 1 to 5"
                problems.append(FileProblem(FILE, number, column, "outside_scale", message))
        problems += _number_problems(number, row)
        if components_of(row["components"]) is None:
            message = "not a list of (topic, vehicle, event)"
            problems.append(FileProblem(FILE, number, "components", "bad_components", message))
        problems += [
            FileProblem(FILE, number, column, "empty_cell", "the cell is empty")
            for column in TEXTS
            if not row[column].strip()
        ]
    if problems:
        raise FileRefused(problems[:MOST_PROBLEMS])


def _number_problems(number: int, row: Row) -> list[FileProblem]:
    problems = []
    for column in METRICS:
        if not _is_number(row[column]):
            message = f"{row[column]!r} is not a number"
            problems.append(FileProblem(FILE, number, column, "not_a_number", message))
    return problems


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


def _items(rows: Sequence[Row]) -> list[NewItem]:
    groups: dict[str, int] = {}
    numbers: dict[str, int] = {}
    items = []
    for row in rows:
        literal = row["literal_sentences"]
        group = f"S{groups.setdefault(literal, len(groups) + 1):02d}"
        numbers[group] = numbers.get(group, 0) + 1
        items.append(
            NewItem(
                key=f"{group}-{numbers[group]}",
                group=group,
                system="BART",
                fields={"literal": literal, "simile": row["similes"]},
                components=_components(row["similes"], components_of(row["components"]) or []),
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
