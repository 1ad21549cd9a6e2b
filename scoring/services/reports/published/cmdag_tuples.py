"""The annotated sentences of CMDAG (LREC-COLING 2024) as closed studies, one for each published file."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.db import transaction

from annotation.models import Study, User
from annotation.protocols.cmdag import CMDAG_REFINED
from annotation.services.base import audit
from annotation.services.base.bulk_insert import Progress
from annotation.services.items.tuple_files import load_records
from scoring.io.published_studies import CMDAG_TUPLES
from scoring.services.reports.published.study_builder import loads_once, make_study

ANNOTATOR = "R-001"
FILES = {
    "cmdag_test": (CMDAG_TUPLES["cmdag_test"], "CMDAG, test set"),
    "cmdag_train": (CMDAG_TUPLES["cmdag_train"], "CMDAG, 200 sentences of the training set"),
}


def _import(name: str, records: list[dict[str, Any]], owner: User | None, progress: Progress) -> Study:
    """Load sentences with their tuples of tenor, vehicle and ground; one annotator each.

    Offsets are found by matching strings, as in the paper.
    """
    _, title = FILES[name]
    with transaction.atomic():
        study = make_study(
            name=name,
            title=title,
            description="Chinese sentences with tenor, vehicle and ground (Shao et al., LREC-COLING 2024). "
            "The published file has one annotation of each.",
            template=CMDAG_REFINED,
            overlap=1,
            identified=True,
            owner=owner,
            language="zh-hans",
        )
        loaded = load_records(study=study, records=records, code=ANNOTATOR, progress=progress)
        audit.record(study=study, actor=owner, act="import_tuples", count=loaded.tuples, **loaded.located)
    return study


import_cmdag_test = loads_once("cmdag_test")(partial(_import, "cmdag_test"))
import_cmdag_train = loads_once("cmdag_train")(partial(_import, "cmdag_train"))
