"""The probing sets of He et al. (ACL 2022), with their one public human answer, as a closed study."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from pathlib import Path
from typing import Any

import pandas as pd
from django.db import transaction

from annotation.models import Criterion, Study, User
from annotation.protocols.probing import PROBING
from annotation.services.items import NewItem, add_items
from annotation.services.loading import Progress, to_nobody
from annotation.services.responses_bulk import LoadedResponse, store_responses
from scoring.replication.files import read_table
from scoring.replication.simile_probing import FILES, OPTIONS
from scoring.services.published.making import criteria_of, found_study, make_raters, make_study
from scoring.services.published.refusing import refusing

NAME = "simile_probing"


def import_simile_probing(
    *, data: Path, owner: User | None = None, progress: Progress = to_nobody
) -> tuple[Study, bool]:
    """Load both sets of questions as one study, the set standing as the items' system.

    One study, because both ask the same thing with the same form and are compared with each other.

    Parameters
    ----------
    data : Path
        The folder that holds `Quizzes.csv` and `General_Corpus.csv`.
    owner : User or None
        Becomes the study's owner; without one the demo's people get their roles, where they exist.
    progress : callable
        Told how much of what is stored.

    Returns
    -------
    tuple of Study and bool
        The study, and whether this call loaded it. An answer that is no option is stored as a can't-rate with
        the answer as its remark.

    Raises
    ------
    FileRefused
        A file is missing or broken; nothing was stored.
    """
    found = found_study(NAME)
    if found is not None:
        return found, False
    with refusing():
        tables = {name: _read(data / file) for name, file in FILES.items()}
    with transaction.atomic():
        study = make_study(
            name=NAME,
            title="Simile probing, published questions",
            description="1,633 similes with the property left out, four options and one human answer each "
            "(He et al., ACL 2022).",
            template=PROBING,
            overlap=1,
            identified=False,
            owner=owner,
        )
        rows = [(name, row) for name, table in tables.items() for row in table.to_dict("records")]
        add_items(study=study, rows=[_item(number, name, row) for number, (name, row) in enumerate(rows, 1)])
        version, criterion = criteria_of(study)["property"]
        (slot,) = make_raters(study, ["1"])
        store_responses(
            progress=progress,
            loaded=[
                LoadedResponse(
                    item=item, rater=slot, version=version, **_answer(criterion, int(row["human_idx"]))
                )
                for item, (_, row) in zip(study.items.order_by("position"), rows, strict=True)
            ],
        )
    return study, True


def _read(path: Path) -> pd.DataFrame:
    texts = ("sentence", "topic", "vehicle", "event", *OPTIONS)
    return read_table(path, texts=texts, numbers=("human_idx", "ans_idx"))


def _item(number: int, name: str, row: Mapping[Hashable, Any]) -> NewItem:
    options = "\n".join(f"{place}: {row[option]}" for place, option in enumerate(OPTIONS))
    return NewItem(
        key=f"Q{number:04d}",
        system=name,
        fields={"sentence": str(row["sentence"]), "options": options},
        metadata={
            "right": str(int(float(str(row["ans_idx"])))),
            **{part: str(row[part]) for part in ("topic", "vehicle", "event")},
        },
    )


def _answer(criterion: Criterion, chosen: int) -> dict[str, Any]:
    if chosen in range(len(OPTIONS)):
        return {"values": {criterion: str(chosen)}}
    return {"values": {}, "cannot_rate": "other", "remark": f"the file has the answer {chosen}"}
