"""Contents of media are copied before the transaction of the copy, and go again where it fails."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.core.files.storage import FileSystemStorage
from django.db import connection

from annotation.domain.base.states import StudyState
from annotation.models import MediaFile, Study
from annotation.services.items.media.upkeep import forget_media
from annotation.services.studies.definitions import copy_study
from annotation.services.studies.lifecycle import change_state
from annotation.services.studies.pilots.main_study import MainItems, create_main_study
from tests.support.media.media_study import picture_cast
from tests.support.people import Cast

pytestmark = pytest.mark.django_db


def copied(cast: Cast, slug: str) -> Study:
    owner = cast.users["owner"]
    return copy_study(
        study=cast.study, slug=slug, title=slug, owner=owner, with_items=True, with_pay=False
    ).study


def main_study(cast: Cast, slug: str) -> Study:
    owner = cast.users["owner"]
    pilot = change_state(study=cast.study, to=StudyState.OPEN, actor=owner)
    return create_main_study(
        pilot=pilot,
        slug=slug,
        title=slug,
        owner=owner,
        items=MainItems.ALL,
        refuse_raters=True,
        with_pay=False,
    ).study


@pytest.fixture
def transactions(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many transactions were open at each file that was written, that of the test left out."""
    found: list[int] = []
    save: Any = FileSystemStorage.__dict__["_save"]

    def noted(storage: FileSystemStorage, name: str, content: object) -> str:
        found.append(len(connection.savepoint_ids))
        return str(save(storage, name, content))

    monkeypatch.setattr(FileSystemStorage, "_save", noted)
    return found


def folders(root: Path) -> set[str]:
    return {file.parent.name for file in (root / "stored").rglob("*") if file.is_file()}


@pytest.mark.parametrize("make", [copied, main_study])
def test_no_transaction_is_open_while_contents_are_copied(tmp_path, transactions, make):
    cast = picture_cast(tmp_path)
    transactions.clear()
    copy = make(cast, "copy")
    assert transactions == [0, 0]
    assert folders(tmp_path) == {str(cast.study.pk), str(copy.pk)}
    assert [one.name for one in copy.media_files.all()] == ["p0.png", "p1.png"]
    assert all((tmp_path / "stored" / one.stored_name).is_file() for one in copy.media_files.all())


def test_a_copy_that_fails_leaves_neither_rows_nor_files(tmp_path):
    cast = picture_cast(tmp_path)
    other = picture_cast(tmp_path, slug="taken")
    with pytest.raises(Exception, match=r"slug"):
        copied(cast, "taken")
    assert folders(tmp_path) == {str(cast.study.pk), str(other.study.pk)}
    assert MediaFile.objects.count() == 4


def test_the_reserved_number_goes_to_no_other_study(tmp_path, monkeypatch):
    """A study that is created while contents are copied has a folder of its own."""
    cast = picture_cast(tmp_path)
    begun: list[Study] = []
    save: Any = FileSystemStorage.__dict__["_save"]

    def meanwhile(storage: FileSystemStorage, name: str, content: object) -> str:
        if not begun:
            begun.append(Study.objects.create(slug="meanwhile", title="Meanwhile"))
        return str(save(storage, name, content))

    monkeypatch.setattr(FileSystemStorage, "_save", meanwhile)
    copy = copied(cast, "copy")
    assert begun[0].pk != copy.pk
    assert Study.objects.create(slug="later", title="Later").pk not in {copy.pk, begun[0].pk}


def test_a_file_that_is_added_or_removed_while_contents_are_copied_is_right_in_the_copy(
    tmp_path, monkeypatch
):
    cast = picture_cast(tmp_path)
    third = picture_cast(tmp_path, slug="third").study
    gone = cast.study.media_files.get(name="p1.png")
    changed: list[str] = []
    save: Any = FileSystemStorage.__dict__["_save"]

    def meanwhile(storage: FileSystemStorage, name: str, content: object) -> str:
        if not changed:
            changed.append(name)
            MediaFile.objects.filter(pk=gone.pk).delete()
            (tmp_path / "stored" / gone.stored_name).unlink(missing_ok=True)
            added = third.media_files.get(name="p0.png")
            added.pk, added.study, added.name, added.sha256 = None, cast.study, "p2.png", "f" * 64
            added._state.adding = True
            added.save()
            (tmp_path / "stored" / added.stored_name).write_bytes(b"new")
        return str(save(storage, name, content))

    monkeypatch.setattr(FileSystemStorage, "_save", meanwhile)
    copy = copied(cast, "copy")
    files = {one.name: tmp_path / "stored" / one.stored_name for one in copy.media_files.all()}
    assert sorted(files) == ["p0.png", "p2.png"]
    assert files["p2.png"].read_bytes() == b"new"
    forget_media()
    assert files["p0.png"].is_file()
