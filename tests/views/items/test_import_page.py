"""A researcher brings items and ratings into a draft in the browser."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from annotation.domain.base.states import StudyState
from annotation.io.base.writers import write_rows
from annotation.models import Study
from annotation.selectors.questions.long_table import long_ratings
from annotation.selectors.studies.exports import ratings_table
from annotation.services.studies.demo import ensure_demo
from annotation.services.studies.lifecycle import change_state
from tests.support.layout import folded
from tests.support.people import Cast, make_cast

pytestmark = pytest.mark.django_db
RATINGS = b"item,rater,criterion,value\nL00,R1,quality,3\nL00,R2,quality,4\n"


@pytest.fixture
def cast() -> Cast:
    return make_cast(opened=False)


@pytest.fixture
def researcher(cast: Cast) -> Client:
    client = Client()
    client.force_login(cast.users["researcher"])
    return client


def send(client: Client, what: str, content: bytes, name: str = "my.csv", **fields: Any) -> Any:
    upload = SimpleUploadedFile(name, content)
    path = "/studies/lamps/settings/import/"
    return client.post(path, {"what": what, "file": upload, **fields})


def test_items_are_added_to_those_of_a_draft(cast, researcher):
    answer = send(researcher, "items", b"item,simile\ni1,like rain\n")
    assert (answer.status_code, answer.headers["Location"]) == (302, "/studies/lamps/items/")
    assert cast.study.items.get(key="i1").fields == {"simile": "like rain"}
    assert "1 item added from my.csv." in researcher.get("/studies/lamps/items/").content.decode()


@pytest.mark.parametrize("file_format", ["csv", "parquet"])
def test_an_export_of_another_study_comes_in(cast, researcher, file_format):
    demo = Study.objects.get(slug=ensure_demo().study_slug)
    columns, rows = ratings_table(demo)
    content = b"".join(write_rows(rows, columns, file_format))
    assert send(researcher, "ratings", content, f"my.{file_format}").status_code == 302
    stored = {(row["item"], row["rater"], row["criterion"], row["value"]) for row in long_ratings(cast.study)}
    assert stored == {
        (row["item"], row["rater"], row["criterion"], row["value"]) for row in long_ratings(demo)
    }


def test_what_is_wrong_is_listed_in_a_table_and_nothing_is_stored(cast, researcher):
    answer = send(researcher, "ratings", RATINGS + b"L00,R1,quality,5\nL01,R1,quality\n")
    assert answer.status_code == 422
    page = answer.content.decode()
    assert '<th scope="row">my.csv</th><td class="n">5</td><td>–</td>' in folded(page)
    assert "the row has 3 cells, but the header has 4" in page
    page = send(researcher, "ratings", RATINGS + b"L00,R1,quality,5\n").content.decode()
    assert '<td class="n">4</td><td>rater</td>' in folded(page)
    assert "is already in row 2" in page
    assert list(long_ratings(cast.study)) == []


def test_a_problem_is_shown_as_text_not_as_markup(researcher):
    page = send(researcher, "items", b"item,<b>x</b>,<b>x</b>\ni1,a,b\n", "<i>.csv").content.decode()
    assert "<b>x</b>" not in page
    assert "&lt;b&gt;x&lt;/b&gt;" in page


def test_a_scale_holds_for_the_ratings(cast, researcher):
    assert send(researcher, "ratings", RATINGS, low="4", high="7").status_code == 422
    assert send(researcher, "ratings", RATINGS, low="7", high="4").status_code == 422
    assert send(researcher, "ratings", RATINGS, low="0").status_code == 422
    assert list(long_ratings(cast.study)) == []
    assert send(researcher, "ratings", RATINGS, low="0", high="7").status_code == 302


def test_a_study_that_has_raters_says_why_it_takes_no_more(cast, researcher):
    send(researcher, "ratings", RATINGS)
    page = researcher.get("/studies/lamps/settings/import/").content.decode()
    assert "You can only import ratings into a study without raters." in page
    assert 'value="ratings"' not in page
    answer = send(researcher, "ratings", RATINGS)
    assert answer.status_code == 409
    assert "Import failed. Nothing was saved." in answer.content.decode()


def test_a_closed_study_takes_no_items():
    cast = make_cast()
    change_state(study=cast.study, to=StudyState.CLOSED, actor=cast.users["owner"])
    client = Client()
    client.force_login(cast.users["owner"])
    assert 'value="items"' not in client.get("/studies/lamps/settings/import/").content.decode()
    assert send(client, "items", b"item,simile\ni1,like rain\n").status_code == 409
    assert not cast.study.items.filter(key="i1").exists()


def test_a_file_that_is_too_large_or_missing_is_refused_in_words(researcher, settings):
    settings.UPLOAD_MAX_BYTES = 10
    page = send(researcher, "ratings", RATINGS)
    assert (page.status_code, "my.csv is larger than" in page.content.decode()) == (422, True)
    page = researcher.post("/studies/lamps/settings/import/", {"what": "items"})
    assert (page.status_code, "This field is required" in page.content.decode()) == (422, True)


@pytest.mark.parametrize("empty", [True, False])
def test_the_list_of_items_leads_to_the_import_whether_it_is_empty_or_not(cast, researcher, empty):
    if empty:
        cast.study.items.all().delete()
    assert '"/studies/lamps/settings/import/"' in researcher.get("/studies/lamps/items/").content.decode()


def test_items_whose_columns_have_other_names_are_not_refused_but_mapped(cast, researcher):
    answer = send(researcher, "items", b"id,simile\ni1,like rain\n")
    file = cast.study.import_files.get()
    assert answer.headers["Location"] == f"/studies/lamps/settings/import/{file.pk}/"
    page = researcher.get(answer.headers["Location"]).content.decode()
    assert page.count(" selected") >= 2
