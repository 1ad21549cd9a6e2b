"""Columns of scores from a file: stored, assigned, checked as a whole, imported by a job as one run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from annotation.domain.base.errors import FileProblem, FileRefused, InvalidContent
from annotation.domain.base.messages import Message, message
from annotation.domain.base.text_validation import validated_text
from annotation.io.base.cells import refuse_unnamed_codes
from annotation.io.items.item_columns import by_columns_of_file
from annotation.models import ImportFile, Job, Study, Upload, User
from annotation.services.base import audit
from annotation.services.base.analyze_tables import analyze_tables
from annotation.services.base.bulk_copy import insert_rows
from annotation.services.base.jobs import Lease, enqueue
from annotation.services.base.pending_uploads import (
    BEAT_EVERY_ROWS,
    ReadProgress,
    delete_upload_on_error,
    refuse_bad_mapping,
    refuse_if_stored,
    rows_of,
    set_columns,
    store_pending_upload,
)
from scoring.io.score_columns import (
    cell_problems,
    guess_columns,
    mapping_problems,
    number_of,
    sampled_cells,
    scores_by,
)
from scoring.models import Score, ScoreRun

KIND = "import_scores"
IMPORTED = "imported"
NOT_GIVEN = "not_given"
LONGEST_NAME = 120
COLUMNS = ("run_id", "item_id", "metric", "value", "reason")
Row = tuple[int, dict[str, float | None]]


@dataclass(frozen=True)
class ImportSettings:
    """Settings for importing a pending file."""

    mapping: Mapping[str, str]  # From column to `item`, `metric:NAME` or nothing
    run: str  # Name of the run that stores the scores
    replace: bool = False  # Replace an imported run of that name
    skip: bool = False  # Leave bad rows out and store the others


@dataclass(frozen=True)
class Checked:
    """The scores by item that a file would add, and the errors of its rows."""

    rows: list[Row]
    problems: list[FileProblem]

    @property
    def skipped(self) -> int:
        """Number of bad rows."""
        return len({problem.row for problem in self.problems})


def store_score_upload(*, study: Study, actor: User | None, path: Path, name: str) -> ImportFile:
    """Read a file of scores and store its rows until its columns are assigned, with what they seem to be.

    Parameters
    ----------
    study : Study
        In any state.
    actor : User or None
        User who uploads it.
    path : Path
        The file.
    name : str
        Name of the file in messages.

    Raises
    ------
    FileRefused
        The file as a whole cannot be read; nothing was stored.
    """
    file = store_pending_upload(study=study, actor=actor, path=path, name=name, what=ImportFile.SCORES)
    set_columns(file=file, mapping=_proposed_columns(file))
    return file


def _proposed_columns(file: ImportFile) -> dict[str, str]:
    """Column → what it seems to be; item IDs are in the column that has those of the study."""
    rows = rows_of(file)
    cells = sampled_cells(file.columns, rows)
    known = set(file.study.items.filter(key__in=cells).values_list("key", flat=True))
    return guess_columns(file.columns, rows, known)


def check_scores(
    *, file: ImportFile, mapping: Mapping[str, str], progress: ReadProgress | None = None
) -> Checked:
    """Check every row of a pending file against the study; nothing is stored.

    Parameters
    ----------
    file : ImportFile
        Stored.
    mapping : mapping of str to str
        Column → `item`, `metric:NAME` or nothing.
    progress : callable
        Called as `progress(done, total)`, in rows.

    Raises
    ------
    InvalidContent
        `bad_mapping`: `fields` names each column.
    """
    refuse_bad_mapping(mapping_problems(mapping, file.columns))
    rows = rows_of(file)
    items = dict(file.study.items.values_list("key", "pk"))
    checked = Checked(
        [], [FileProblem.from_stored({"file": file.name, **problem}) for problem in file.problems]
    )
    first: dict[str, int] = {}
    for done, (number, key, cells) in enumerate(scores_by(rows, mapping), start=1):
        found = _key_problems(file.name, number, key, items, first)
        found += cell_problems(file.name, number, cells)
        if found:
            checked.problems.extend(by_columns_of_file(found, mapping))
        else:
            checked.rows.append((items[key], {metric: number_of(cell) for metric, cell in cells.items()}))
        if progress is not None and done % BEAT_EVERY_ROWS == 0:
            progress(done, len(rows))
    checked.problems.sort(key=lambda problem: problem.row)
    return checked


def request_import(
    *, file: ImportFile, asked: ImportSettings, actor: User | None, announce: bool = True
) -> Job:
    """Ask a worker to import a pending file; refused at once if a row has errors and may not be skipped.

    Parameters
    ----------
    file : ImportFile
        Stored; its scores are not imported yet.
    asked : Asked
        Settings of the import.
    actor : User or None
        User who asks for it.
    announce : bool
        Whether workers are notified; False where the caller computes it.

    Raises
    ------
    FileRefused
        Rows are bad, or all of them are; nothing was stored.
    InvalidContent
        `bad_mapping`, `no_name` for the run, or `run_taken`.
    NotAllowedNow
        The file is stored already (`already_imported`).
    """
    refuse_if_stored(file)
    name = _free_name(file.study, asked)
    _checked(file, asked.mapping, skip=asked.skip)
    file.mapping = dict(asked.mapping)
    file.save(update_fields=["mapping"])
    params = {
        "file": file.pk,
        "mapping": dict(asked.mapping),
        "run": name,
        "replace": asked.replace,
        "skip": asked.skip,
    }
    return enqueue(kind=KIND, study=file.study, params=params, created_by=actor, announce=announce)


def import_at_once(
    *,
    study: Study,
    actor: User | None,
    path: Path,
    name: str,
    mapping: Mapping[str, str] | None,
    run: str = "",
    replace: bool = False,
    skip: bool = False,
    announce: bool = True,
) -> tuple[ImportFile, Job]:
    """Store a file and request its import; where the import is refused, the file is not stored.

    Parameters
    ----------
    study, actor, path, name
        As for `store_score_upload`.
    mapping : mapping of str to str or None
        As for `check_scores`; None to use the names of the columns.
    run : str
        Name of the run; that of the file where it is empty.
    replace, skip
        As in `ImportSettings`.
    announce : bool
        As for `request_import`.

    Raises
    ------
    InvalidContent, FileRefused
        As `store_score_upload` and `request_import`.
    """
    file = store_score_upload(study=study, actor=actor, path=path, name=name)
    assigned = file.mapping if mapping is None else mapping
    asked = ImportSettings(assigned, run or run_name(file), replace, skip)
    with delete_upload_on_error(file):
        if mapping is None:
            refuse_unnamed_codes(name, rows_of(file))
        return file, request_import(file=file, asked=asked, actor=actor, announce=announce)


def store_uploaded_scores(*, upload: Upload, path: Path) -> dict[str, Any]:
    """Store the rows of a sent file until its columns are assigned, as `store_score_upload`."""
    return {"file": store_score_upload(**_of(upload), path=path).pk}


def import_uploaded_scores(*, upload: Upload, path: Path) -> dict[str, Any]:
    """Check an uploaded file with a mapping and request its import, as `import_at_once`."""
    asked = {key: upload.options[key] for key in ("mapping", "run", "replace", "skip")}
    file, job = import_at_once(**_of(upload), path=path, **asked)
    return {"file": file.pk, "job": job.pk}


def _of(upload: Upload) -> dict[str, Any]:
    return {"study": upload.study, "actor": upload.created_by, "name": upload.name}


def run_name(file: ImportFile) -> str:
    """Name of the run of a file where the user gives none.

    Parameters
    ----------
    file : ImportFile
        Stored.
    """
    return Path(file.name).stem[:LONGEST_NAME] or "scores"


def store_file(*, lease: Lease) -> ScoreRun:
    """Check a pending file again and store its scores, all in one transaction.

    Parameters
    ----------
    lease : Lease
        Lease of a job from `request_import`.

    Raises
    ------
    FileRefused, InvalidContent, NotAllowedNow
        As `request_import`: the study may have changed since.
    """
    params = lease.job.params
    file = ImportFile.objects.select_related("study").get(pk=params["file"])
    refuse_if_stored(file)
    asked = ImportSettings(params["mapping"], params["run"], params["replace"], params["skip"])
    checked = _checked(
        file,
        asked.mapping,
        skip=asked.skip,
        progress=lambda done, total: lease.beat(done, total, message("Checking rows")),
    )
    total = len(checked.rows)
    lease.beat(total, total, message("Storing scores"))
    return lease.complete(lambda: _store(file.pk, asked, checked, lease.job.created_by))


def _checked(
    file: ImportFile, mapping: Mapping[str, str], *, skip: bool, progress: ReadProgress | None = None
) -> Checked:
    checked = check_scores(file=file, mapping=mapping, progress=progress)
    if checked.problems and (not skip or not checked.rows):
        raise FileRefused(checked.problems)
    return checked


def _key_problems(
    name: str, number: int, key: str, items: Mapping[str, int], first: dict[str, int]
) -> list[FileProblem]:
    found: tuple[str, Message] | None = None
    if key in first:
        found = "doubled_item", message("%(item)r is already in row %(row)d", item=key, row=first[key])
    elif key not in items:
        found = "unknown_item", message("the study has no item %(item)r", item=key[:80])
    first.setdefault(key, number)
    return [FileProblem(name, number, "item", *found)] if found else []


def _free_name(study: Study, asked: ImportSettings) -> str:
    name = validated_text(asked.run)
    if not 0 < len(name) <= LONGEST_NAME:
        raise InvalidContent(
            message("Enter a run name of up to %(n)d characters.", n=LONGEST_NAME),
            code="no_name",
            fields={"run": message("Enter a run name.")},
        )
    there = ScoreRun.objects.filter(study=study, name=name).first()
    if there is not None and not (asked.replace and there.profile == IMPORTED):
        raise InvalidContent(
            message(
                "There is already a run named “%(name)s”. Choose another name. "
                "You can also replace the run if its scores were imported.",
                name=name,
            ),
            code="run_taken",
            fields={"run": message("This name is already in use.")},
        )
    return name


def _store(number: int, asked: ImportSettings, checked: Checked, actor: User | None) -> ScoreRun:
    study = Study.objects.select_for_update(no_key=True).get(import_files=number)
    file = ImportFile.objects.get(pk=number)
    refuse_if_stored(file)
    run, created = ScoreRun.objects.get_or_create(
        study=study, name=_free_name(study, asked), defaults={"profile": IMPORTED}
    )
    if not created:
        Score.objects.filter(run=run).delete()
        run.revision += 1
    run.signature = f"imported from {file.name}"
    run.made_with = {"file": file.name, "columns": {key: use for key, use in asked.mapping.items() if use}}
    run.save(update_fields=["revision", "signature", "made_with"])
    insert_rows(Score, COLUMNS, _rows_of(run, checked))
    analyze_tables(len(checked.rows), Score)
    file.stored, file.updated, file.skipped, file.rows = len(checked.rows), 0, checked.skipped, b""
    file.save(update_fields=["stored", "updated", "skipped", "rows"])
    metrics = sorted(checked.rows[0][1])
    audit.record(
        study=study,
        actor=actor,
        act="import_scores",
        file=file.name,
        run=run.name,
        metrics=metrics,
        count=file.stored,
        skipped=file.skipped,
    )
    return run


def _rows_of(run: ScoreRun, checked: Checked) -> Iterator[tuple[Any, ...]]:
    for item, values in checked.rows:
        for metric, value in values.items():
            yield run.pk, item, metric, value, NOT_GIVEN if value is None else ""
