"""A text is imported, stored, sent and exported with the line breaks and blank lines that it has."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from annotation.domain.quality.checks import CheckKind
from annotation.io.base.writers import WRITERS, write_rows
from annotation.models import Item
from annotation.selectors.studies.exports import items_table
from annotation.services.items.rating_files import import_items
from annotation.services.quality.checks import create_check
from annotation.services.quality.qualification_setup import add_calibration_item
from tests.support.people import Cast, make_cast
from tests.support.studies.qualification_study import qualify

pytestmark = pytest.mark.django_db
TEXTS = (
    "\r\n\r\nOnce, a lamp:\r\nit hung.\r\n\r\n\r\nThe end.\r\n",
    "\n\n  One\n\n\n\tTwo\n",
    "One\rTwo\r",
    " \n\nA space before.",
)


@pytest.fixture
def cast() -> Cast:
    return make_cast(opened=False, items=0)


def rows() -> list[dict[str, str]]:
    return [{"item": f"T{place}", "simile": text} for place, text in enumerate(TEXTS)]


def stored(cast: Cast) -> list[str]:
    return [item.fields["simile"] for item in cast.study.items.order_by("key")]


@pytest.mark.parametrize("file_format", [*sorted(WRITERS), "json"])
def test_an_imported_text_is_stored_and_exported_unchanged(
    cast: Cast, tmp_path: Path, file_format: str
) -> None:
    path = tmp_path / f"items.{file_format}"
    if file_format == "json":
        path.write_text(json.dumps(rows()), encoding="utf-8")
    else:
        path.write_bytes(b"".join(write_rows(rows(), ["item", "simile"], file_format)))
    import_items(study=cast.study, path=path)
    assert stored(cast) == list(TEXTS)
    columns, table = items_table(cast.study)
    again = make_cast(slug="again", opened=False, items=0)
    if file_format != "json":
        path.write_bytes(b"".join(write_rows(table, columns, file_format)))
        import_items(study=again.study, path=path)
        assert stored(again) == list(TEXTS)


def test_a_text_goes_through_the_api_unchanged(cast: Cast) -> None:
    data = "\n".join(json.dumps(row) for row in rows()).encode()
    sent = {"file": SimpleUploadedFile("items.jsonl", data)}
    answer = cast.client("owner").post(f"{cast.base}/items/", sent, format="multipart")
    assert answer.status_code == 201, answer.json()
    assert stored(cast) == list(TEXTS)
    listed = cast.client("owner").get(f"{cast.base}/items/").json()["results"]
    assert [one["fields"]["simile"] for one in listed] == list(TEXTS)


@pytest.mark.parametrize("text", TEXTS)
def test_a_text_written_for_a_check_is_stored_as_it_is_written(cast: Cast, text: str) -> None:
    create_check(
        study=cast.study,
        actor=cast.users["owner"],
        key="gold",
        kind=CheckKind.GOLD,
        form=cast.study.forms.get(),
        texts={"simile": text},
        settings={"reference": {"quality": 5}, "tolerance": {"quality": 1}},
    )
    assert Item.everything.get(study=cast.study, planted=True).fields["simile"] == text


@pytest.mark.parametrize("text", TEXTS)
def test_a_text_written_for_calibration_is_stored_as_it_is_written(cast: Cast, text: str) -> None:
    made = qualify(cast, opened=False)
    add_calibration_item(
        qualification=made,
        actor=cast.users["owner"],
        form=cast.study.forms.get(),
        texts={"simile": text},
        reference={"quality": 3},
    )
    assert made.items.order_by("-pk")[0].item.fields["simile"] == text
