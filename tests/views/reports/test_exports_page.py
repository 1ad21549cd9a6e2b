"""The page of exports: what it says of a file is what the file has."""

from __future__ import annotations

import csv
import io
import uuid
from collections.abc import Iterator

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django.plugin import DjangoDbBlocker

from annotation.domain.base.codebook import WIDE
from annotation.domain.questions.answers import Submission
from annotation.io.base.writers import CONTENT_TYPES
from annotation.io.studies.first_rows import READERS, first_rows
from annotation.models import AuditEntry, Criterion, DemographicAnswer, Rating, Response, Study
from annotation.selectors.questions.documents import DOCUMENTS
from annotation.selectors.questions.long_table import long_ratings, n_rating_rows
from annotation.services.rating.submission import submit
from annotation.services.studies.demo import ensure_demo
from scoring.selectors.reports.exported_files import ALL_FILES, GROUPS, ExportedFile, exported_files
from scoring.selectors.reports.exports import EXPORTED
from scoring.templatetags.export_words import GROUPS as WORDS_OF_GROUPS
from scoring.templatetags.export_words import HOLDS, NAMES, SHAPES
from scoring.views.reports import exports
from tests.support.studies.marked_study import make_marked_study

REMARK = '=1+1 "quoted", comma\nand a second line 像 ☂'


@pytest.fixture(scope="module")
def rated(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Study]:
    """The demo with a correction, pages that cannot be rated, wholly or in part, and a demographic answer."""
    with django_db_blocker.unblock(), transaction.atomic():
        study = Study.objects.get(slug=ensure_demo().study_slug)
        responses = Response.objects.filter(assignment__item__study=study, current=True).order_by(
            "assignment__item__position", "pk"
        )
        first, *others = responses[:4]
        unrated = Submission(page_key=uuid.uuid4(), cannot_rate="lacks_context", remark=REMARK)
        submit(assignment=first.assignment, version=first.version, submission=unrated)
        asked = list(first.version.criteria.order_by("position"))
        Criterion.objects.filter(pk=asked[1].pk).update(asked_after=asked[0].key, asked_when="6")
        for response in others:
            Response.objects.filter(pk=response.pk).update(cannot_rate="other")
            Rating.objects.filter(response=response).exclude(criterion=asked[0]).delete()
        question = study.demographic_questions.create(key="age", text="How old are you?", kind="number")
        DemographicAnswer.objects.create(
            rater=first.assignment.rater, question=question, value="4711", answered_at=timezone.now()
        )
        yield study
        transaction.set_rollback(True)


@pytest.fixture
def owner(rated: Study, db: None) -> Client:
    client = Client()
    client.force_login(rated.memberships.get(role="owner").user)
    return client


def offered(study: Study) -> list[ExportedFile]:
    groups = exported_files(study, team=True, manages=True)
    return [file for files in groups.values() for file in files]


def page(client: Client, study: Study, **query: str) -> exports.Preview:
    answer = client.get(reverse("study-exports", args=[study.slug]), {**query, "preview": "1"})
    assert answer.status_code == 200
    found = answer.context["preview"]
    assert isinstance(found, exports.Preview)
    return found


def taken(client: Client, study: Study, what: str, **query: str) -> bytes:
    answer = client.get(reverse("study-download", args=[study.slug, what]), query)
    assert answer.status_code == 200
    return b"".join(answer)


@pytest.mark.parametrize("file_format", CONTENT_TYPES)
def test_the_rows_shown_are_the_first_of_the_file(rated: Study, owner: Client, file_format: str) -> None:
    for file in offered(rated):
        if file.is_document or file.is_personal:
            continue
        asked = {"format": file_format, "all_revisions": "1"}
        shown = page(owner, rated, what=file.key, **asked)
        whole = READERS[file_format](taken(owner, rated, file.key, **asked), shown.header)
        assert shown.cells == whole[: exports.ROWS_SHOWN + 1], file.key
        # The audit log has grown by the downloads themselves.
        assert file.key == "audit" or shown.n_rows == len(whole) - 1, file.key


def test_every_file_of_a_study_is_in_a_group_with_words() -> None:
    assert {*EXPORTED, *DOCUMENTS, "audit", "platform-ids"} == ALL_FILES == set(NAMES) == set(HOLDS)
    assert set(GROUPS) == set(WORDS_OF_GROUPS)
    assert set(SHAPES) == set(exports.SHAPES)


def test_a_cell_is_shown_as_the_file_has_it() -> None:
    table = (
        ("item", "remark", "late", "seconds"),
        [{"item": "s1", "remark": REMARK, "late": True, "seconds": None}],
    )
    written = {"csv": f"'{REMARK}", "tsv": f"'{REMARK}", "xlsx": f"'{REMARK}"}
    for file_format in CONTENT_TYPES:
        (header, row) = first_rows(table, file_format, most=3)
        assert header == table[0]
        assert row == ("s1", written.get(file_format, REMARK), "true", ""), file_format


def test_every_number_of_rows_is_that_of_the_file(rated: Study, owner: Client) -> None:
    counted = {file.key: file.n_rows for file in offered(rated) if file.n_rows is not None}
    counted.pop("audit")
    lines = {
        key: len(list(csv.DictReader(io.StringIO(taken(owner, rated, key).decode())))) for key in counted
    }
    assert counted == lines
    assert {"ratings", "items", "raters", "demographics"} <= set(counted)
    assert n_rating_rows(rated, all_revisions=True) == len(list(long_ratings(rated, all_revisions=True)))


def test_the_size_shown_is_that_of_the_file_or_an_estimate_that_says_so(
    rated: Study, owner: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = {one: len(taken(owner, rated, "items", format=one)) for one in CONTENT_TYPES}
    for file_format in ("csv", "tsv", "jsonl", "parquet"):
        shown = page(owner, rated, what="items", format=file_format)
        assert (shown.size, shown.is_estimate) == (whole[file_format], False)
    monkeypatch.setattr(exports, "ROWS_WEIGHED", 8)
    for file_format in ("csv", "tsv", "jsonl"):
        shown = page(owner, rated, what="items", format=file_format)
        assert shown.size == pytest.approx(whole[file_format], rel=0.15), file_format
        assert shown.is_estimate
    assert page(owner, rated, what="items", format="parquet").size is None
    answer = owner.get(reverse("study-exports", args=[rated.slug]), {"what": "items", "preview": "1"})
    assert "· about " in answer.content.decode()


def test_ratings_are_offered_long_and_wide_with_the_same_values(rated: Study, owner: Client) -> None:
    for shape in exports.SHAPES:
        html = owner.get(reverse("study-exports", args=[rated.slug]), {"what": shape}).content.decode()
        assert all(f'href="?what={one}#file"' in html for one in exports.SHAPES)
        assert f'href="?what={shape}#file" aria-current="true"' in html
    long, wide = (
        list(csv.DictReader(io.StringIO(taken(owner, rated, shape).decode()))) for shape in exports.SHAPES
    )
    values = {
        (row["item"], row["criterion"], row["rater"]): row["value"]
        for row in long
        if row["value"] and row["excluded"] == row["late"] == "false"
    }
    assert values == {
        (row["item"], row["criterion"], name): value
        for row in wide
        for name, value in row.items()
        if name not in WIDE and value
    }


def test_the_page_asks_for_the_rows_later_and_works_without_a_script(rated: Study, owner: Client) -> None:
    address, before = reverse("study-exports", args=[rated.slug]), AuditEntry.objects.count()
    plain = owner.get(address, {"what": "items"})
    assert plain.context.get("preview") is None
    assert 'hx-trigger="load, change' in plain.content.decode()
    assert 'name="preview" value="1"' in plain.content.decode()
    part = owner.get(address, {"what": "items"}, headers={"HX-Request": "true"}).content.decode()
    assert "<html" not in part
    assert rated.items.order_by("position")[0].key in part
    assert reverse("study-download", args=[rated.slug, "items"]) in part
    assert AuditEntry.objects.count() == before


def test_personal_data_are_never_shown_and_nothing_unknown_is(rated: Study, owner: Client) -> None:
    address = reverse("study-exports", args=[rated.slug])
    for headers in ({}, {"HX-Request": "true"}):
        answer = owner.get(address, {"what": "demographics", "preview": "1"}, headers=headers)
        assert answer.status_code == 200
        assert "4711" not in answer.content.decode()
    assert "4711" in taken(owner, rated, "demographics").decode()
    for query in ({"what": "secrets"}, {"format": "exe"}, {"what": "bio"}):
        assert owner.get(address, query).status_code == 404


def test_more_rows_than_are_counted_are_shown_as_more(
    rated: Study, owner: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exports, "MOST_COUNTED", 2)
    monkeypatch.setattr(exports, "ROWS_WEIGHED", 1)
    monkeypatch.setattr(
        exports, "exported_files", lambda *_, **__: {"ratings": [ExportedFile("ratings", None)]}
    )
    assert page(owner, rated).n_rows is None
    assert (
        "more than 2 rows"
        in owner.get(reverse("study-exports", args=[rated.slug]), {"preview": "1"}).content.decode()
    )


def test_documents_and_tables_of_marked_text_are_shown_as_they_begin(db: None) -> None:
    study, client = make_marked_study(), Client()
    client.force_login(study.memberships.get(role="owner").user)
    shown = {file.key: page(client, study, what=file.key) for file in offered(study) if not file.is_personal}
    assert {"cmdag", "bio", "tuples", "tuple_parts", "located"} <= set(shown)
    for what in ("cmdag", "bio"):
        assert shown[what].text.count("\n") > 2
        assert taken(client, study, what).decode().startswith(shown[what].text)
    for what in ("tuples", "tuple_parts", "located"):
        whole = READERS["csv"](taken(client, study, what), ())
        assert (shown[what].cells, shown[what].n_rows) == (whole[:6], len(whole) - 1)
