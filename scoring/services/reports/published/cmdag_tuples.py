"""The annotated sentences of CMDAG (LREC-COLING 2024) as closed studies, one for each published file."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from django.db import transaction

from annotation.io.items.cmdag_file import read_records
from annotation.models import Study, User
from annotation.protocols.cmdag import CMDAG_REFINED
from annotation.services.base import audit
from annotation.services.base.bulk_insert import Progress, ignore_progress
from annotation.services.items.tuple_files import load_records
from scoring.services.reports.published.study_builder import found_study, make_study

ANNOTATOR = "R-001"
FILES = {
    "cmdag_test": ("test_data.json", "CMDAG, test set"),
    "cmdag_train": ("train_data_sampled_200.json", "CMDAG, 200 sentences of the training set"),
}


def import_annotated(
    name: str, *, data: Path, owner: User | None = None, progress: Progress = ignore_progress
) -> tuple[Study, bool]:
    """Load sentences with their tuples of tenor, vehicle and ground; one annotator each.

    Parameters
    ----------
    name : str
        A key of `FILES`.
    data : Path
        The folder that holds the file.
    owner : User or None
        Becomes the study's owner; without one the demo's people get their roles, where they exist.
    progress : callable
        Told how much of what is stored.

    Returns
    -------
    tuple of Study and bool
        The study, and whether this call loaded it. Offsets are found by matching strings, as the paper does.

    Raises
    ------
    FileRefused
        The file is missing or broken; nothing was stored.
    """
    found = found_study(name)
    if found is not None:
        return found, False
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
    return study, True


import_cmdag_test = partial(import_annotated, "cmdag_test")
import_cmdag_train = partial(import_annotated, "cmdag_train")
