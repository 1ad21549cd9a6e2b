"""Creation of a draft from the “New study” page."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.db import transaction

from annotation.domain.base.errors import FileRefused, NotAllowedNow
from annotation.domain.base.messages import as_stored, message
from annotation.domain.base.states import TEAM, Role
from annotation.io.base.file_errors import refuse_many_columns
from annotation.io.base.readers import read_all_rows
from annotation.io.items.any_encoding import encoding_title
from annotation.io.items.guessed_columns import guess_columns
from annotation.io.items.item_columns import by_their_names
from annotation.models import Upload, User
from annotation.protocols.registry import TEMPLATES
from annotation.protocols.split_by_criterion import split_by_criterion
from annotation.protocols.translations.tables import ENGLISH
from annotation.selectors.questions.form_versions import shown_fields
from annotation.services.items.item_files import store_item_upload
from annotation.services.items.rating_files import import_items
from annotation.services.studies.definitions import CreatedDraft, copy_study
from annotation.services.studies.demo_studies import create_demo_study
from annotation.services.studies.forms import set_serving
from annotation.services.studies.lifecycle import create_from_template, create_study, free_slug

# Before the address of a study of one's own, in place of a protocol.
COPY_OF = "study:"
PAY_IS_SEEN_BY = (Role.OWNER, Role.ADMIN)


def begin_study(*, owner: User, asked: Mapping[str, Any]) -> CreatedDraft:
    """Create a draft.

    Parameters
    ----------
    owner : User
        The owner of the study.
    asked : mapping
        `title`; `protocol`, a key of `TEMPLATES`, `COPY_OF` with the address of a study of theirs, or empty
        for a blank draft; `language`, by default English and not used for a copy; `overlap` or None; `demo`
        for demo items, `apart` to ask each criterion on a page of its own.

    Raises
    ------
    InvalidContent
        A setting is invalid.
    NotAllowedNow
        The owner is no member of the study to copy (`no_such_study`).
    """
    title, language = asked["title"], asked.get("language", ENGLISH)
    identity: dict[str, Any] = {"slug": free_slug(title=title), "title": title, "owner": owner}
    if not asked["protocol"]:
        return CreatedDraft(
            create_study(**identity, language=language, ratings_per_item=asked["overlap"]), ()
        )
    if asked["protocol"].startswith(COPY_OF):
        return _copied(asked["protocol"].removeprefix(COPY_OF), asked["overlap"], identity)
    template = TEMPLATES[asked["protocol"]]
    create = create_demo_study if asked["demo"] else create_from_template
    study = create(
        template=split_by_criterion(template) if asked["apart"] else template,
        overlap=asked["overlap"],
        language=language,
        **identity,
    )
    return CreatedDraft(study, ())


def _copied(slug: str, overlap: int | None, identity: Mapping[str, Any]) -> CreatedDraft:
    """A copy without items of a study in which the owner of the copy is a member."""
    owner: User = identity["owner"]
    membership = owner.memberships.select_related("study").filter(study__slug=slug, role__in=TEAM).first()
    if membership is None:
        raise NotAllowedNow(message("You are not a member of the study to copy."), code="no_such_study")
    with transaction.atomic():
        made = copy_study(
            study=membership.study,
            with_items=False,
            with_pay=membership.role in PAY_IS_SEEN_BY,
            **identity,
        )
        for form in made.study.forms.all() if overlap else ():
            set_serving(form=form, overlap=overlap or form.overlap, per_rater=form.per_rater, actor=owner)
    return made


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
    made = begin_study(owner=owner, asked=upload.options)
    study = made.study
    outcome = {"study": study.slug, "left_out": [as_stored(one) for one in made.left_out]}
    needed = TEMPLATES[protocol].needed_columns if protocol in TEMPLATES else ()
    read = read_all_rows(path, name=upload.name)
    rows = read.rows
    columns = list(dict.fromkeys(column for _, row in rows for column in row))
    refuse_many_columns(upload.name, columns)
    uses = guess_columns(columns, rows, shown_fields(study))
    encoding = encoding_title(path)
    is_plain = uses == by_their_names(columns) and set(needed) <= set(columns) and not encoding
    if read.problems:
        raise FileRefused(read.problems)
    if not is_plain:
        file = store_item_upload(study=study, actor=owner, path=path, name=upload.name, read=read)
        return {**outcome, "stored": 0, "file": file.pk, "encoding": encoding}
    count = import_items(study=study, path=path, name=upload.name, read=read, actor=owner)
    return {**outcome, "stored": count}
