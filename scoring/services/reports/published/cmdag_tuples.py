"""The annotated sentences of CMDAG (LREC-COLING 2024) as closed studies, one for each published file."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from django.db import transaction

from annotation.io.items.cmdag_file import read_records
from annotation.models import Study, User
from annotation.protocols.cmdag import CMDAG_REFINED
from annotation.services.base import audit
from annotation.services.base.bulk_insert import Progress
from annotation.services.items.tuple_files import load_records
from scoring.services.reports.published.study_builder import loads_once, make_study

ANNOTATOR = "R-001"
FILES = {
    "cmdag_test": ("test_data.json", "CMDAG, test set"),
    "cmdag_train": ("train_data_sampled_200.json", "CMDAG, 200 sentences of the training set"),
}


def _import(name: str, data: Path, owner: User | None, progress: Progress) -> Study:
    """Load sentences with their tuples of tenor, vehicle and ground; one annotator each.

    Offsets are found by matching strings, as in the paper.
    """
    file, title = FILES[name]
    records = read_records(data / file)
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
