"""Items from a file in steps: read it, assign its columns, check it as a whole, store it by a job."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from annotation.domain.base.errors import FileProblem, FileRefused
from annotation.domain.base.messages import message
from annotation.domain.base.states import Purpose, StudyState
from annotation.io.base.cells import refuse_unnamed_codes
from annotation.io.base.readers import AllRows
from annotation.io.items.item_columns import (
    by_columns_of_file,
    by_their_names,
    item_problems,
    items_by,
    mapping_problems,
)
from annotation.models import Assignment, ImportFile, Item, Job, Study, User
from annotation.services.base import audit
from annotation.services.base.drafts import (
    ITEMS_IN_DRAFTS,
    refuse_if_it_takes_no_items,
    refuse_unless_draft,
)
from annotation.services.base.jobs import Lease, enqueue
from annotation.services.base.pending_uploads import (
    BEAT_EVERY_ROWS,
    ReadProgress,
    delete_upload_on_error,
    refuse_bad_mapping,
    refuse_if_stored,
    rows_of,
    store_pending_upload,
)
from annotation.services.items.item_storage import (
    PLANTED_KEYS,
    GiveSlots,
    NewItem,
    add_items,
    items_without_text,
)

KIND = "import_items"
CHUNK_SIZE = 1000


@dataclass(frozen=True)
class Checked:
    """The effect of importing a file: items to add, items to change, and problems by row."""

    new: list[NewItem]
    changed: list[NewItem]
    problems: list[FileProblem]

    @property
    def skipped(self) -> int:
        return len({problem.row for problem in self.problems})


def store_item_upload(
    *, study: Study, actor: User, path: Path, name: str, read: AllRows | None = None
) -> ImportFile:
    """Read a file and store its rows until its columns are known; `name` is for messages.

    Parameters
    ----------
    study : Study
        A draft, or open or paused.
    actor : User
        User who sends it.
    path : Path
        The file.
    name : str
        What messages call it.
    read : AllRows or None
        Its rows, if it was read before.

    Raises
    ------
    FileRefused
        The file as a whole cannot be read; nothing was stored.
    NotAllowedNow
        The study takes no items any more (`takes_no_items`).
    """
    refuse_if_it_takes_no_items(study)
    what = ImportFile.ITEMS
    return store_pending_upload(study=study, actor=actor, path=path, name=name, what=what, read=read)


def check_file(
    *, file: ImportFile, mapping: Mapping[str, str], update: bool, progress: ReadProgress | None = None
) -> Checked:
    """Check every row of a pending file against the study; nothing is stored.

    Parameters
    ----------
    file : ImportFile
        Pending.
    mapping : mapping of str to str
        Column → use, as `mapping_problems` takes it.
    update : bool
        Rows whose item the study has change that item; otherwise they are problems.
    progress : callable
        Called with the numbers of checked and of all rows.

    Raises
    ------
    InvalidContent
        `bad_mapping`: `fields` names each column.
    """
    refuse_bad_mapping(mapping_problems(mapping, file.columns))
    known = _Known.of(file.study, update=update)
    items = items_by(rows_of(file), mapping)
    checked = Checked(
        [], [], [FileProblem.from_stored({"file": file.name, **problem}) for problem in file.problems]
    )
    for done, (number, item) in enumerate(items, start=1):
        has_texts = update and item["key"] in known.stored
        found = item_problems(file.name, number, item, has_texts=has_texts)
        found = found or known.problems(file.name, number, item)
        if found:
            checked.problems.extend(by_columns_of_file(found, mapping))
        else:
            (checked.changed if item["key"] in known.stored else checked.new).append(NewItem(**item))
        if progress is not None and done % BEAT_EVERY_ROWS == 0:
            progress(done, len(items))
    checked.problems.sort(key=lambda problem: problem.row)
    return checked


def request_import(
    *, file: ImportFile, mapping: Mapping[str, str], update: bool, skip: bool, actor: User
) -> Job:
    """Ask a worker to store a pending file; refused at once where a row is bad and may not be skipped.

    Parameters
    ----------
    file, mapping, update
        As for `check_file`.
    skip : bool
        Skip rows with errors and store the others.
    actor : User
        User who asks.

    Raises
    ------
    FileRefused
        Rows are bad, or all of them are; nothing was stored.
    NotAllowedNow
        The study takes no items any more, or the file is stored already (`already_imported`).
    """
    refuse_if_it_takes_no_items(file.study)
    refuse_if_stored(file)
    _checked(file, mapping, update=update, skip=skip)
    file.mapping = dict(mapping)
    file.save(update_fields=["mapping"])
    # The job uses the confirmed settings, even if they are changed on the page meanwhile.
    running = file.study.state != StudyState.DRAFT
    params = {"file": file.pk, "mapping": dict(mapping), "update": update, "skip": skip, "running": running}
    return enqueue(kind=KIND, study=file.study, params=params, created_by=actor)


def import_at_once(
    *,
    study: Study,
    actor: User,
    path: Path,
    name: str,
    mapping: Mapping[str, str] | None,
    update: bool,
    skip: bool,
) -> tuple[ImportFile, Job]:
    """Store a pending file and ask for its import; if that is refused, the file is deleted.

    Parameters
    ----------
    study, actor, path, name
        As for `store_item_upload`.
    mapping : mapping of str to str or None
        As for `check_file`; None to go by the names of the columns.
    update, skip
        As for `request_import`.

    Raises
    ------
    InvalidContent, FileRefused, NotAllowedNow
        As `store_item_upload` and `request_import`.
    """
    # Not in one transaction: on SQLite no other process could write while the file is read and checked.
    file = store_item_upload(study=study, actor=actor, path=path, name=name)
    uses = by_their_names(file.columns) if mapping is None else mapping
    with delete_upload_on_error(file):
        if mapping is None:
            refuse_unnamed_codes(name, rows_of(file))
        return file, request_import(file=file, mapping=uses, update=update, skip=skip, actor=actor)


def store_file(*, lease: Lease, give_slots: GiveSlots) -> ImportFile:
    """Check a pending file again and store its items, all in one transaction; the job of `request_import`.

    Parameters
    ----------
    lease : Lease
        Lease of a job from `request_import`.
    give_slots : callable
        As of `add_items`.

    Raises
    ------
    FileRefused, NotAllowedNow
        As `request_import`: the study may have changed since.
    """
    params = lease.job.params
    file = ImportFile.objects.select_related("study", "created_by").get(pk=params["file"])
    refuse_if_stored(file)
    checked = _checked(
        file,
        params["mapping"],
        update=params["update"],
        skip=params["skip"],
        progress=lambda done, total: lease.beat(done, total, "Checking rows"),
    )
    total = len(checked.new) + len(checked.changed)
    lease.beat(total, total, "Saving items")
    return lease.complete(lambda: _store(lease.job, checked, give_slots))


def _checked(
    file: ImportFile,
    mapping: Mapping[str, str],
    *,
    update: bool,
    skip: bool,
    progress: ReadProgress | None = None,
) -> Checked:
    checked = check_file(file=file, mapping=mapping, update=update, progress=progress)
    if checked.problems and (not skip or not checked.new + checked.changed):
        raise FileRefused(checked.problems)
    return checked


def _store(job: Job, checked: Checked, give_slots: GiveSlots) -> ImportFile:
    study = Study.objects.select_for_update(no_key=True).get(import_files=job.params["file"])
    file = ImportFile.objects.get(pk=job.params["file"])
    if not job.params.get("running"):
        # The right to add items to a draft does not cover a study in which raters work.
        refuse_unless_draft(study, ITEMS_IN_DRAFTS)
    refuse_if_it_takes_no_items(study)
    refuse_if_stored(file)
    add_items(study=study, rows=checked.new, give_slots=give_slots)
    _change(study, checked.changed)
    file.stored, file.updated, file.skipped = len(checked.new), len(checked.changed), checked.skipped
    file.rows = b""
    file.save(update_fields=["stored", "updated", "skipped", "rows"])
    audit.record(
        study=study,
        actor=job.created_by,
        act="import_items",
        file=file.name,
        count=file.stored,
        updated=file.updated,
        skipped=file.skipped,
    )
    return file


def _change(study: Study, rows: Sequence[NewItem]) -> None:
    """Update items from a file; marked components remain if their text is unchanged."""
    new = {row.key: row for row in rows}
    items = [item for item in Item.objects.filter(study=study) if item.key in new]
    for item in items:
        row = new[item.key]
        unchanged = {name for name, text in row.fields.items() if item.fields.get(name) == text}
        unchanged |= item.fields.keys() - row.fields.keys()
        item.components = [part for part in item.components if part["field"] in unchanged]
        item.group, item.system = row.group or item.group, row.system or item.system
        item.fields = {**item.fields, **row.fields}
        item.metadata = {**item.metadata, **row.metadata}
    changed = ["group", "system", "fields", "metadata", "components"]
    Item.objects.bulk_update(items, changed, batch_size=CHUNK_SIZE)


@dataclass
class _Known:
    """The keys of a study, and those of the file as far as it is read."""

    stored: set[str]
    planted: set[str]
    waiting: set[str]
    # The texts that raters have seen, by item: those of a file must be the same.
    fixed: dict[str, dict[str, str]]
    update: bool
    first: dict[str, int]

    @classmethod
    def of(cls, study: Study, *, update: bool) -> _Known:
        keys = Item.everything.filter(study=study).values_list("key", "planted")
        waiting = set(items_without_text(study=study).values_list("key", flat=True))
        return cls(
            stored={key for key, planted in keys if not planted} - waiting,
            planted={key for key, planted in keys if planted},
            waiting=waiting,
            fixed=_fixed_texts(study) if update else {},
            update=update,
            first={},
        )

    def problems(self, name: str, number: int, item: Mapping[str, Any]) -> list[FileProblem]:
        key = item["key"]
        problem = ""
        if key in self.first:
            problem = message("%(key)s is already in row %(row)d", key=repr(key), row=self.first[key])
        elif key.startswith(PLANTED_KEYS) or key in self.planted:
            problem = message("%(key)s is reserved for check items; choose another item ID", key=repr(key))
        elif key in self.stored and not self.update:
            problem = message("the study already has an item %(key)s", key=repr(key))
        elif key in self.stored and _differ(item["fields"], self.fixed.get(key)):
            problem = message("raters have seen %(key)s, so its texts cannot change", key=repr(key))
        self.first.setdefault(key, number)
        return [FileProblem(name, number, "item", "doubled_item", problem)] if problem else []


def _fixed_texts(study: Study) -> dict[str, dict[str, str]]:
    """The texts of each item that cannot change: of rated items in a draft, else of all."""
    items = Item.objects.filter(study=study)
    if study.state == StudyState.DRAFT:
        rated = Assignment.objects.filter(item__study=study, purpose=Purpose.MAIN)
        items = items.filter(pk__in=rated.values("item"))
    return dict(items.values_list("key", "fields"))


def _differ(texts: Mapping[str, str], fixed: Mapping[str, str] | None) -> bool:
    return fixed is not None and any(text != fixed.get(name, "") for name, text in texts.items())
