"""Published ratings as closed studies."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from django.db import transaction
from django.utils import timezone

from annotation.domain.errors import FileProblem, FileRefused
from annotation.domain.states import RaterState, Role, StudyState
from annotation.io.cells import Row
from annotation.io.readers import read_rows
from annotation.models import Criterion, FormVersion, Item, Membership, Rater, Study, User
from annotation.protocols.hauser import HAUSER
from annotation.services.demo import PEOPLE
from annotation.services.forms import create_form
from annotation.services.items import NewItem, add_items
from annotation.services.responses_bulk import LoadedResponse, store_responses
from scoring.models import Score, ScoreRun

SLUG = "hauser"
FILE = "human_annotated.csv"
TEXTS = ("similes", "components", "literal_sentences")
LETTERS = {"q": "quality", "c": "creativity", "i": "informativeness"}
RATERS = (1, 2, 3)
LABELS = tuple(f"label{rater}_{letter}" for rater in RATERS for letter in LETTERS)
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


def import_hauser(*, data: Path, owner: User | None = None) -> tuple[Study, bool]:
    """Load the published HAUSER ratings: 150 candidates, three raters, three criteria, metric columns.

    Parameters
    ----------
    data : Path
        The folder that holds `human_annotated.csv`.
    owner : User or None
        Becomes the study's owner; without one the demo's people get their roles, where they exist.

    Returns
    -------
    tuple of Study and bool
        The study, and whether this call loaded it.

    Raises
    ------
    FileRefused
        A column is missing or a value cannot be taken; nothing was stored.
    """
    found = Study.objects.filter(slug=SLUG, source="published:hauser").first()
    if found is not None:
        return found, False
    rows = read_rows(data / FILE, needed=(*TEXTS, *LABELS, *METRICS))
    _check(rows)
    with transaction.atomic():
        study = _make_study(owner)
        add_items(study=study, rows=_items([row for _, row in rows]))
        items = list(study.items.order_by("position"))
        _store_ratings(study, items, [row for _, row in rows])
        _store_scores(study, items, [row for _, row in rows])
    return study, True


def _check(rows: Sequence[tuple[int, Row]]) -> None:
    problems: list[FileProblem] = []
    for number, row in rows:
        for column in LABELS:
            if row[column] not in {"1", "2", "3", "4", "5"}:
                message = f"{row[column]!r} is not a whole number from 1 to 5"
                problems.append(FileProblem(FILE, number, column, "outside_scale", message))
        problems += _number_problems(number, row)
        if not _readable_components(row["components"]):
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
        try:
            float(row[column])
        except ValueError:
            message = f"{row[column]!r} is not a number"
            problems.append(FileProblem(FILE, number, column, "not_a_number", message))
    return problems


def _readable_components(text: str) -> bool:
    try:
        triples = ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return False
    return isinstance(triples, list) and all(
        isinstance(triple, tuple) and len(triple) == 3 and all(isinstance(part, str) for part in triple)
        for triple in triples
    )


def _make_study(owner: User | None) -> Study:
    now = timezone.now()
    study = Study.objects.create(
        slug=SLUG,
        title="HAUSER, published ratings",
        description="150 simile candidates for 44 literal sentences, rated by three raters on three "
        "criteria (He et al., ACL 2023).",
        state=StudyState.CLOSED,
        source="published:hauser",
        opened_at=now,
        closed_at=now,
    )
    create_form(study=study, template=HAUSER.forms[0], overlap=len(RATERS))
    members = {Role.OWNER: owner} if owner else _demo_people()
    Membership.objects.bulk_create(
        Membership(study=study, user=user, role=role.value) for role, user in members.items() if user
    )
    return study


def _demo_people() -> Mapping[Role, User | None]:
    return {role: User.objects.filter(email=email).first() for role, (email, _) in PEOPLE.items()}


def _items(rows: Sequence[Row]) -> list[NewItem]:
    groups: dict[str, int] = {}
    places: dict[str, int] = {}
    items = []
    for row in rows:
        literal = row["literal_sentences"]
        group = f"S{groups.setdefault(literal, len(groups) + 1):02d}"
        places[group] = places.get(group, 0) + 1
        items.append(
            NewItem(
                key=f"{group}-{places[group]}",
                group=group,
                system="BART",
                fields={"literal": literal, "simile": row["similes"]},
                components=_components(row["similes"], ast.literal_eval(row["components"])),
            )
        )
    return items


def _components(simile: str, triples: Sequence[tuple[str, str, str]]) -> list[dict[str, Any]]:
    """Offsets where the wording stands in the simile, null where it does not."""
    parts = []
    for pair, triple in enumerate(triples):
        for part, words in zip(("topic", "vehicle", "event"), triple, strict=True):
            start = simile.find(words) if words not in {"", "-"} else -1
            found = start >= 0
            parts.append(
                {
                    "field": "simile",
                    "part": part,
                    "pair": pair,
                    "start": start if found else None,
                    "end": start + len(words) if found else None,
                    "text": words,
                }
            )
    return parts


def _store_ratings(study: Study, items: Sequence[Item], rows: Sequence[Row]) -> None:
    version = FormVersion.objects.get(form__study=study)
    criteria = {criterion.key: criterion for criterion in Criterion.objects.filter(version=version)}
    raters = [
        Rater.objects.create(study=study, code=f"R-{number:03d}", state=RaterState.FINISHED)
        for number in RATERS
    ]
    store_responses(
        loaded=[
            LoadedResponse(
                item=item,
                rater=rater,
                version=version,
                values={
                    criteria[key]: int(row[f"label{number}_{letter}"]) for letter, key in LETTERS.items()
                },
            )
            for item, row in zip(items, rows, strict=True)
            for number, rater in zip(RATERS, raters, strict=True)
        ]
    )


def _store_scores(study: Study, items: Sequence[Item], rows: Sequence[Row]) -> None:
    run = ScoreRun.objects.create(
        study=study, name="published", signature=f"imported from {FILE}, scaled 0 to 1 within each sentence"
    )
    Score.objects.bulk_create(
        [
            Score(run=run, item=item, metric=metric, value=float(row[metric]))
            for item, row in zip(items, rows, strict=True)
            for metric in METRICS
        ],
        batch_size=2000,
    )
