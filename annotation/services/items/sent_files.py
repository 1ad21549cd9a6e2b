"""Acts of `registrations.py` for uploaded files with items and ratings."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

from annotation.domain.base.errors import NotAllowedNow
from annotation.domain.base.messages import message
from annotation.io.base.readers import AllRows, read_all_rows
from annotation.io.base.text_tables import has_semicolons
from annotation.io.items.any_encoding import encoding_title
from annotation.io.items.item_columns import ITEM
from annotation.models import Study, Upload
from annotation.services.base.uploads.senders import check_sender_of_items
from annotation.services.items.drawn_pairs import Ranking, import_drawn_pairs
from annotation.services.items.drawn_sets import SetDraw, TextsFile, import_drawn_sets
from annotation.services.items.item_files import import_at_once, store_item_upload
from annotation.services.items.item_storage import GiveSlots
from annotation.services.items.probing_files import import_probing
from annotation.services.items.published_errors import import_published_errors
from annotation.services.items.rating_files import import_items, import_ratings
from annotation.services.items.tuple_files import import_tuples


def take_items(*, upload: Upload, path: Path, give_slots: GiveSlots) -> dict[str, Any]:
    """Add the items of a file, as `import_items`.

    With the option `choose_columns`, a file without a column `item` waits until its columns are chosen
    (`file` in the outcome).
    """
    study, actor = study_of(upload), upload.created_by
    read = read_all_rows(path, name=upload.name)
    names_items = any(ITEM in row for _, row in read.rows)
    if upload.options.get("choose_columns") and not read.problems and not names_items:
        return keep_for_columns(upload=upload, path=path, read=read)
    count = import_items(
        study=study, path=path, name=upload.name, read=read, actor=actor, give_slots=give_slots
    )
    return {"stored": count}


def take_ratings(*, upload: Upload, path: Path) -> dict[str, Any]:
    """Load a ratings file, as `import_ratings`; the option `scale` has two ends or is missing."""
    scale = upload.options.get("scale")
    count = import_ratings(
        study=study_of(upload),
        path=path,
        name=upload.name,
        scale=(scale[0], scale[1]) if scale else None,
        actor=upload.created_by,
    )
    return {"stored": count}


def take_tuples(*, upload: Upload, path: Path) -> dict[str, Any]:
    """Add annotated sentences, as `import_tuples`; the option `rater` names the rater of the tuples."""
    loaded = import_tuples(
        study=study_of(upload),
        path=path,
        name=upload.name,
        rater=upload.options["rater"],
        actor=upload.created_by,
    )
    return asdict(loaded)


def take_errors(*, upload: Upload, path: Path) -> dict[str, Any]:
    """Add texts with their marked errors, as `import_published_errors`."""
    count = import_published_errors(
        study=study_of(upload), path=path, name=upload.name, actor=upload.created_by
    )
    return {"stored": count}


def take_probing(*, upload: Upload, path: Path) -> dict[str, Any]:
    """Add probing questions, as `import_probing`; with the option `answers` their answers too."""
    loaded = import_probing(
        study=study_of(upload),
        paths=[(path, upload.name)],
        answers=upload.options.get("answers", False),
        actor=upload.created_by,
    )
    return {**asdict(loaded), "refused": [problem.as_stored() for problem in loaded.refused]}


def take_pairs(*, upload: Upload, path: Path) -> dict[str, Any]:
    """Add pairs drawn from a ranking, as `import_drawn_pairs`."""
    asked = {key: upload.options[key] for key in ("text", "by", "lowest_first")}
    ranking = Ranking(path, name=upload.name, **asked)
    count = import_drawn_pairs(study=study_of(upload), ranking=ranking, actor=upload.created_by)
    return {"stored": count}


def take_sets(*, upload: Upload, path: Path) -> dict[str, Any]:
    """Add sets drawn from the texts of a file, as `import_drawn_sets`."""
    options = upload.options
    drawn = import_drawn_sets(
        study=study_of(upload),
        file=TextsFile(path, name=upload.name, text=options["text"]),
        draw=SetDraw(options["factor"], options["within_groups"]),
        actor=upload.created_by,
    )
    return {"stored": len(drawn.sets)}


def keep_for_columns(*, upload: Upload, path: Path, read: AllRows | None = None) -> dict[str, Any]:
    """Store the rows of a file until its columns are known, as `store_item_upload`."""
    file = store_item_upload(
        study=study_of(upload), actor=upload.created_by, path=path, name=upload.name, read=read
    )
    return {
        "file": file.pk,
        "semicolons": path.suffix == ".csv" and has_semicolons(path),
        "encoding": encoding_title(path),
    }


def take_mapped(*, upload: Upload, path: Path) -> dict[str, Any]:
    """Check a file with mapped columns and enqueue its import, as `import_at_once`."""
    study = study_of(upload)
    check_sender_of_items(study, upload.created_by)
    asked = {key: upload.options[key] for key in ("mapping", "update", "skip")}
    file, job = import_at_once(study=study, actor=upload.created_by, path=path, name=upload.name, **asked)
    return {"file": file.pk, "job": job.pk}


def study_of(upload: Upload) -> Study:
    """The study that a file was sent into.

    Raises
    ------
    NotAllowedNow
        The study no longer exists (`no_such_study`).
    """
    if upload.study is None:
        raise NotAllowedNow(message("This study no longer exists."), code="no_such_study")
    return upload.study
