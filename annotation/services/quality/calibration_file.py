"""Calibration items from a file: all of them or none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.db import transaction

from annotation.domain.base.errors import GroundworkError, NotAllowedNow
from annotation.domain.base.messages import message
from annotation.io.base.file_errors import Problems
from annotation.io.base.readers import read_rows
from annotation.models import Form, Qualification, Upload, User
from annotation.services.quality.qualification_setup import add_calibration_item, item_to_pick

REFERENCE = "reference."
NO_TEXTS = {"item", "reason"}


def import_calibration_items(
    *, qualification: Qualification, actor: User, form: Form, path: Path, name: str = ""
) -> int:
    """Add the calibration items of a file to a draft; returns how many.

    Parameters
    ----------
    qualification, actor
        Of a draft, and who imports.
    form : Form
        On whose page they are answered.
    path, name
        The file, and what messages call it. Columns: the texts, `reference.` and a criterion's key,
        `reason`; `item` picks an item of the study.

    Raises
    ------
    FileRefused
        The file or one of its rows cannot be taken; nothing was stored.
    """
    name = name or path.name
    rows = read_rows(path, name=name)
    problems = Problems(name)
    with transaction.atomic():
        for number, row in rows:
            try:
                _add(qualification, actor, form, row)
            except GroundworkError as refusal:
                problems.add(number, "", refusal.code, refusal.message)
        problems.refuse_if_any()
    return len(rows)


def take_calibration(*, upload: Upload, path: Path) -> dict[str, Any]:
    """Add the calibration items of a sent file, as `import_calibration_items`.

    Raises
    ------
    NotAllowedNow
        The qualification or the form is gone (`gone_meanwhile`).
    """
    qualification = Qualification.objects.filter(study=upload.study).first()
    form = Form.objects.filter(study=upload.study, pk=upload.options["form"]).first()
    if qualification is None or form is None:
        raise NotAllowedNow(
            message("Import failed: the qualification or its form has been deleted. Nothing was saved."),
            code="gone_meanwhile",
        )
    count = import_calibration_items(
        qualification=qualification, actor=upload.created_by, form=form, path=path, name=upload.name
    )
    return {"stored": count}


def _add(qualification: Qualification, actor: User, form: Form, row: dict[str, Any]) -> None:
    key = str(row.get("item", "")).strip()
    texts = {
        column: str(value)
        for column, value in row.items()
        if column not in NO_TEXTS and not column.startswith(REFERENCE)
    }
    add_calibration_item(
        qualification=qualification,
        actor=actor,
        form=form,
        texts=texts,
        picked=item_to_pick(qualification, key) if key else None,
        reference={
            column.removeprefix(REFERENCE): value
            for column, value in row.items()
            if column.startswith(REFERENCE)
        },
        reason=str(row.get("reason", "")),
    )
