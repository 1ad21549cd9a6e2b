"""A draft as its first page asks for it: from a protocol or blank, with items from a file or without."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from annotation.models import Study, Upload, User
from annotation.protocols.registry import TEMPLATES
from annotation.protocols.split_by_criterion import asked_apart
from annotation.services.items.rating_files import import_items
from annotation.services.studies.demo_studies import create_demo_study
from annotation.services.studies.lifecycle import create_from_template, create_study, free_slug


def begin_study(*, owner: User, asked: Mapping[str, Any]) -> Study:
    """Create a draft.

    Parameters
    ----------
    owner : User
        Whose study it is.
    asked : mapping
        `title`; `protocol`, a key of `TEMPLATES` or empty for a blank draft; `overlap` or None; `demo` for
        demo items, `apart` to ask each criterion on a page of its own.

    Raises
    ------
    InvalidContent
        A setting cannot be taken.
    """
    title = asked["title"]
    identity: dict[str, Any] = {"slug": free_slug(title=title), "title": title, "owner": owner}
    if not asked["protocol"]:
        return create_study(**identity)
    template = TEMPLATES[asked["protocol"]]
    create = create_demo_study if asked["demo"] else create_from_template
    return create(
        template=asked_apart(template) if asked["apart"] else template,
        overlap=asked["overlap"],
        **identity,
    )


def take_new_study(*, upload: Upload, path: Path) -> dict[str, Any]:
    """Create a draft as `begin_study` with the items of a sent file; both or neither.

    Parameters
    ----------
    upload : Upload
        Its options are what `begin_study` is asked.
    path : Path
        The file, which has every column that the protocol needs.

    Raises
    ------
    FileRefused
        The file cannot be taken, or lacks a column (`missing_column`); nothing was stored.
    InvalidContent
        As `begin_study`.
    """
    owner, protocol = upload.created_by, upload.options["protocol"]
    study = begin_study(owner=owner, asked=upload.options)
    needed = TEMPLATES[protocol].needed_columns if protocol else ()
    count = import_items(study=study, path=path, name=upload.name, actor=owner, needed=needed)
    return {"study": study.slug, "stored": count}
