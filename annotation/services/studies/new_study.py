"""Creation of a draft from the “New study” page."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from annotation.domain.base.errors import FileRefused
from annotation.io.base.readers import read_all_rows
from annotation.io.items.any_encoding import encoding_title
from annotation.io.items.guessed_columns import guess_columns
from annotation.io.items.item_columns import by_their_names
from annotation.models import Study, Upload, User
from annotation.protocols.registry import TEMPLATES
from annotation.protocols.split_by_criterion import asked_apart
from annotation.selectors.questions.form_versions import shown_fields
from annotation.services.items.item_files import store_item_upload
from annotation.services.items.rating_files import import_items
from annotation.services.studies.demo_studies import create_demo_study
from annotation.services.studies.lifecycle import create_from_template, create_study, free_slug


def begin_study(*, owner: User, asked: Mapping[str, Any]) -> Study:
    """Create a draft.

    Parameters
    ----------
    owner : User
        The owner of the study.
    asked : mapping
        `title`; `protocol`, a key of `TEMPLATES` or empty for a blank draft; `overlap` or None; `demo` for
        demo items, `apart` to ask each criterion on a separate page.

    Raises
    ------
    InvalidContent
        A setting is invalid.
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

    If the column names do not show what the columns contain, the file waits in the draft until a member has
    chosen their contents (`file` in the outcome).

    Parameters
    ----------
    upload : Upload
        Its options are the argument `asked` of `begin_study`.
    path : Path
        The file.

    Raises
    ------
    FileRefused
        The file has errors; nothing was stored.
    InvalidContent
        As `begin_study`.
    """
    owner, protocol = upload.created_by, upload.options["protocol"]
    study = begin_study(owner=owner, asked=upload.options)
    needed = TEMPLATES[protocol].needed_columns if protocol else ()
    rows, problems = read_all_rows(path, name=upload.name)
    columns = list(dict.fromkeys(column for _, row in rows for column in row))
    uses = guess_columns(columns, rows, shown_fields(study))
    encoding = encoding_title(path)
    is_plain = uses == by_their_names(columns) and set(needed) <= set(columns) and not encoding
    if problems:
        raise FileRefused(problems)
    if not is_plain:
        file = store_item_upload(study=study, actor=owner, path=path, name=upload.name)
        return {"study": study.slug, "stored": 0, "file": file.pk, "encoding": encoding}
    count = import_items(study=study, path=path, name=upload.name, actor=owner)
    return {"study": study.slug, "stored": count}
