"""Ratings may come before the texts of their items; no rater is shown an item without text."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotation.domain.base.errors import FileRefused, InvalidContent, NoSeatLeft, NotAllowedNow
from annotation.domain.base.states import SeatState, StudyState
from annotation.models import FormVersion, Response, Seat, Study, User
from annotation.protocols.hauser import HAUSER
from annotation.selectors.rating.rating_page import page_blocks
from annotation.selectors.studies.progress import rater_rows, totals
from annotation.services.items.rating_files import import_items, import_ratings
from annotation.services.people.invitations import invite
from annotation.services.rating.enrolment import consent
from annotation.services.rating.next_item import next_assignment
from annotation.services.studies.lifecycle import change_state, create_from_template, create_study
from tests.support.people import make_cast

pytestmark = pytest.mark.django_db

RATINGS = "item,group,rater,criterion,value\n" + "".join(
    f"S{item},G1,R-{rater:03d},quality,{1 + (item + rater) % 5}\n" for item in (1, 2) for rater in (1, 2)
)


@pytest.fixture
def owner() -> User:
    return User.objects.create_user("owner@example.org", "a-long-password")


@pytest.fixture
def study(owner) -> Study:
    return create_study(slug="lamps", title="Lamps", owner=owner)


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "file.csv"
    path.write_text(text, encoding="utf-8")
    return path


def load_ratings(study: Study, tmp_path: Path) -> None:
    import_ratings(study=study, path=write(tmp_path, RATINGS))


def opened(study: Study, owner: User) -> Study:
    return change_state(study=study, to=StudyState.OPEN, actor=owner)


def test_a_study_whose_items_have_no_text_does_not_open(study, owner, tmp_path):
    load_ratings(study, tmp_path)
    with pytest.raises(NotAllowedNow) as caught:
        opened(study, owner)
    assert caught.value.code == "items_without_text"
    assert "S1, S2" in caught.value.message


def test_the_texts_of_imported_items_can_be_filled_in(study, tmp_path):
    load_ratings(study, tmp_path)
    path = write(
        tmp_path, "item,group,system,simile\nS1,G1,anna,Like a lamp.\nS2,,,Like a moon.\nS3,,,New.\n"
    )
    assert import_items(study=study, path=path) == 3
    assert [
        (item.key, item.group, item.system, item.fields) for item in study.items.order_by("position")
    ] == [
        ("S1", "G1", "anna", {"simile": "Like a lamp."}),
        ("S2", "G1", "", {"simile": "Like a moon."}),
        ("S3", "", "", {"simile": "New."}),
    ]


def test_an_item_that_has_its_texts_is_not_overwritten(study, tmp_path):
    load_ratings(study, tmp_path)
    path = write(tmp_path, "item,simile\nS1,Like a lamp.\nS2,Like a moon.\n")
    import_items(study=study, path=path)
    with pytest.raises(FileRefused) as caught:
        import_items(study=study, path=path)
    assert caught.value.code == "doubled_item"


def test_everything_that_is_wrong_with_a_file_is_reported_together(study, tmp_path):
    """A row that cannot be read does not hide a key that is doubled or missing, nor a text that is empty."""
    path = write(tmp_path, "item,simile\nT1,One.\nT2,Two.,more\nT1,Again.\n,None.\nT5,\n")
    with pytest.raises(FileRefused) as caught:
        import_items(study=study, path=path)
    assert [(one.row, one.code) for one in caught.value.problems] == [
        (3, "ragged_row"),
        (4, "doubled_item"),
        (5, "empty_cell"),
        (6, "no_text"),
    ]
    assert not study.items.filter(key="T1").exists()


def test_texts_of_another_group_are_refused(study, tmp_path):
    load_ratings(study, tmp_path)
    with pytest.raises(InvalidContent, match=r"G2.*G1") as caught:
        import_items(study=study, path=write(tmp_path, "item,group,simile\nS1,G2,Like a lamp.\n"))
    assert caught.value.code == "item_differs"
    assert study.items.get(key="S1").fields == {}


def test_imported_answers_take_seats_so_that_each_item_gets_what_it_lacks(study, owner, tmp_path):
    load_ratings(study, tmp_path)
    import_items(study=study, path=write(tmp_path, "item,simile\nS1,Like a lamp.\nS2,Like a moon.\n"))
    study = opened(study, owner)
    assert study.forms.get().overlap == 3
    assert Seat.objects.filter(form__study=study, state=SeatState.FILLED).count() == 4
    assert (totals(study).placed, totals(study).needed, totals(study).left) == (4, 6, 2)
    rater = consent(invitation=invite(study=study, actor=owner))
    page = next_assignment(rater=rater)
    assert [block["segments"][0].text for block in page_blocks(page.version, page.item)]
    assert rater.target == 2


def test_a_study_with_enough_imported_answers_takes_no_raters(study, owner, tmp_path):
    load_ratings(study, tmp_path)
    import_items(study=study, path=write(tmp_path, "item,simile\nS1,Like a lamp.\nS2,Like a moon.\n"))
    study.forms.update(overlap=2)
    study = opened(study, owner)
    assert totals(study).percent == 100
    with pytest.raises(NoSeatLeft):
        consent(invitation=invite(study=study, actor=owner))


def test_every_text_that_a_form_shows_must_be_there(owner, tmp_path):
    study = create_from_template(template=HAUSER, slug="similes", title="Similes", owner=owner)
    path = write(tmp_path, "item,literal,simile\nS1,It is late.,Like a lamp.\nS2,,Like a moon.\n")
    import_items(study=study, path=path)
    with pytest.raises(NotAllowedNow) as caught:
        opened(study, owner)
    assert "1 item lacks a text that a form shows (literal): S2." in caught.value.message


def test_imported_answers_count_as_done(study, tmp_path):
    load_ratings(study, tmp_path)
    assert [(row["rater"].code, row["done"]) for row in rater_rows(study)] == [("R-001", 2), ("R-002", 2)]


def test_ratings_are_not_imported_into_a_study_that_is_open(tmp_path):
    cast = make_cast(items=2, opened=True)
    before = (cast.study.items.count(), Response.objects.count(), FormVersion.objects.count())
    with pytest.raises(NotAllowedNow) as refused:
        import_ratings(study=cast.study, path=write(tmp_path, RATINGS))
    assert refused.value.code == "not_a_draft"
    assert before == (cast.study.items.count(), Response.objects.count(), FormVersion.objects.count())


def test_no_imported_item_has_a_key_that_only_checks_may_have(study, tmp_path):
    path = write(tmp_path, "item,rater,criterion,value\ncheck:one,R1,quality,3\n")
    with pytest.raises(FileRefused) as caught:
        import_ratings(study=study, path=path)
    assert caught.value.code == "bad_item_key"
    assert not study.items.exists()
