"""The rating page is shown next to the fields of a new study, with the first item pasted or an example."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.template.loader import render_to_string
from django.urls import reverse

from annotation.models import Item, Study, User
from annotation.protocols.registry import TEMPLATES
from annotation.protocols.template import CriterionTemplate, FormTemplate, Point
from annotation.selectors.studies.form_preview import shown_page
from annotation.services.studies.demo_studies import create_demo_study
from tests.views.questions.form_pages import client_of

pytestmark = pytest.mark.django_db
EXAMPLE = "Shown with an example item."
OWN = "Shown with your first item."
PASTED = "id\tplain\tsim\nz1\tThe lift was slow.\tThe lift rose like a tired sigh.\n"
HTMX = {"HX-Request": "true"}


@pytest.fixture
def owner() -> User:
    return User.objects.create_user("owner@example.org", "simile-and-metaphor-42")


def preview(owner: User, *, live: bool = True, **sent: Any) -> str:
    """The page for these fields, or what htmx puts next to them."""
    fields = {"title": "", "protocol": "hauser", "act": "preview", **sent}
    answer = client_of(owner).post(reverse("study-new"), fields, headers=HTMX if live else {})
    assert answer.status_code == 200
    assert not Study.objects.filter(title="").exists()
    return answer.content.decode()


def test_the_page_opens_with_the_rating_page_of_the_chosen_protocol(owner):
    client = client_of(owner)
    opened = client.get(reverse("study-new"), {"protocol": "preference"}).content.decode()
    assert 'name="answer-preference"' in opened
    assert EXAMPLE in opened
    assert 'name="answer-quality"' in client.get(reverse("study-new")).content.decode()


def test_pasted_rows_are_shown_in_the_columns_that_they_seem_to_be(owner):
    shown = preview(owner, pasted=PASTED)
    assert "<html" not in shown
    assert OWN in shown
    assert shown.index("The lift was slow.") < shown.index("The lift rose like a tired sigh.")


def test_the_first_rows_of_a_file_are_shown(owner):
    rows = PASTED.replace("\t", ",")
    assert "The lift rose like a tired sigh." in preview(owner, sample=rows, sample_name="lifts.csv")
    assert EXAMPLE in preview(owner, sample="PK\x03\x04", sample_name="lifts.xlsx")


@pytest.mark.parametrize("pasted", ['[{"id": 1', 'a,b\n"1', "id,simile\n", "\x00"])
def test_rows_that_cannot_be_read_leave_the_example(owner, pasted):
    assert 'name="answer-quality"' in preview(owner, pasted=pasted)


def test_a_criterion_alone_is_shown_where_each_is_asked_separately(owner):
    page = preview(owner, apart="on")
    assert 'name="answer-quality"' in page
    assert 'name="answer-creativity"' not in page
    assert "the first of 3 forms" in page
    assert 'name="answer-clarity"' in preview(owner, protocol="cmdag", apart="on")


def test_a_copy_shows_the_form_of_the_study_to_its_members_only(owner):
    study = create_demo_study(template=TEMPLATES["miyazawa"], slug="words", title="Words", owner=owner)
    assert study.items.earliest("pk").fields["expression"] in preview(owner, protocol="study:words")
    stranger = User.objects.create_user("stranger@example.org", "simile-and-metaphor-42")
    assert "There is no form yet." in preview(stranger, protocol="study:words")
    study.items.all().delete()
    assert "criterion" in preview(owner, protocol="study:words")


@pytest.mark.parametrize("protocol", ["blank", "study:", "nothing"])
def test_without_a_form_the_page_says_where_it_will_be_shown(owner, protocol):
    assert "There is no form yet." in preview(owner, protocol=protocol, pasted=PASTED)


def test_without_scripts_the_whole_page_comes_back_with_its_fields(owner):
    page = preview(owner, live=False, title="Lifts", protocol="miyazawa", pasted="He is a tired lift.\n")
    assert 'value="Lifts"' in page
    assert '<option value="miyazawa" selected' in page
    assert page.count("He is a tired lift.") >= 2
    assert "<noscript>" in page


@pytest.mark.parametrize("protocol", TEMPLATES)
def test_the_first_page_of_every_protocol_can_be_shown(owner, protocol):
    assert EXAMPLE in preview(owner, protocol=protocol)
    assert OWN in preview(owner, protocol=protocol, pasted="It rained like drums.\n")


def test_points_without_words_have_no_empty_lines(owner):
    """Only the ends of this scale are described; five points without any words have no list at all."""
    page = preview(owner, protocol="miyazawa")
    assert page.count('class="says') == 2 * page.count('class="scale scale--5"')
    assert re.search(r'class="says[^>]*>\s*</p>', page) is None
    assert "taken literally" in page
    bare = FormTemplate(
        key="bare",
        title="Bare",
        blocks=[{"field": "text", "label": ""}],
        criteria=(
            CriterionTemplate(
                key="liking", name="Liking", question="", points=tuple(map(Point, ("1", "2", "3")))
            ),
        ),
    )
    study = Study(title="Bare", language="en")
    context = shown_page(study, bare, Item(study=study, fields={"text": "Rain."}))
    rendered = render_to_string("annotation/studies/preview/rating_page.html", {**context, "study": study})
    assert 'name="answer-liking"' in rendered
    assert "point by point" not in rendered
    assert "<details" not in rendered
