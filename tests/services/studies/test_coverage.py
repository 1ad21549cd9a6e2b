"""The overview's coverage: by form, the items by responses that count, of those that they need."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from django.test import Client
from django.urls import reverse

from annotation.domain.base.states import StudyState
from annotation.models import Exclusion, Form, Rater, Response, Seat, Study
from annotation.selectors.people.answered import answered_by_rater, numbers_by_rater
from annotation.selectors.questions.counting import PROGRESS, counted, submitted
from annotation.selectors.studies.progress import CoverageStep, coverage, item_responses, totals
from annotation.services.items.answer_storage import LoadedResponse, store_responses
from tests.support.people import add_form, make_cast
from tests.support.studies.staged_study import FIRST, SECOND, first_stage, rater_of, staged_cast

pytestmark = pytest.mark.django_db


def rate(study: Study, form: Form, *numbers: int) -> None:
    """So many responses to each item, the first to the first."""
    version = form.versions.get()
    criterion = version.criteria.get(key="quality")
    people = [
        Rater.objects.get_or_create(study=study, code=f"R-{one:03d}", defaults={"state": "active"})[0]
        for one in range(100, 100 + max(numbers))
    ]
    store_responses(
        loaded=[
            LoadedResponse(item=item, rater=rater, version=version, values={criterion: 3})
            for item, number in zip(study.items.order_by("position"), numbers, strict=False)
            for rater in people[:number]
        ]
    )


def found(study: Study, place: int = 0) -> list[tuple[int, int, int]]:
    """Of one form: responses, how many are needed, and how many items there are."""
    return [(one.responses, one.needed, one.items) for one in coverage(study)[place].covers]


def drawn(study: Study, who: object) -> str:
    client = Client()
    client.force_login(who)  # type: ignore[arg-type]
    return client.get(reverse("study", args=[study.slug])).content.decode()


@pytest.mark.parametrize(
    ("responses", "needed", "level"),
    [
        *[(0, 1, "none"), (0, 5, "none"), (1, 5, "few"), (3, 5, "half"), (4, 5, "half")],
        *[(5, 5, "all"), (1, 1, "all"), (2, 1, "more"), (6, 5, "more")],
    ],
)
def test_the_colour_follows_the_value_from_none_to_more_than_needed(responses, needed, level):
    assert CoverageStep(responses, needed, 1, 0, 100).level == level


def test_the_colour_of_a_value_is_the_same_whatever_other_values_there_are():
    cast = make_cast(items=3, overlap=3)
    assert re.findall(r'class="(cover--\w+)" x="0.0%"', drawn(cast.study, cast.users["owner"])) == [
        "cover--none"
    ]
    rate(cast.study, cast.study.forms.get(), 3)
    page = drawn(cast.study, cast.users["owner"])
    assert re.findall(r'class="(cover--\w+)" x="[0-9.]+%"', page) == ["cover--all", "cover--none"]


def test_the_legend_tells_each_value_in_words_next_to_its_colour():
    cast = make_cast(items=4, overlap=2)
    rate(cast.study, cast.study.forms.get(), 3, 2, 1)
    page = re.sub(r"\s+", " ", drawn(cast.study, cast.users["owner"]))
    legend = re.findall(r'class="(cover--\w+)" x=".5".*?<b class="strong">(\d+)</b>\s*([^<]+?)\s*<', page)
    assert legend == [
        ("cover--more", "1", "item with 3 of 2 responses (more than required)"),
        ("cover--all", "1", "item with 2 of 2 responses"),
        ("cover--half", "1", "item with 1 of 2 responses"),
        ("cover--none", "1", "item with 0 of 2 responses"),
    ]


def test_the_responses_of_each_form_are_counted_separately():
    cast = make_cast(items=3, overlap=2, opened=False)
    other = add_form(cast.study, overlap=4, key="other").form
    Study.objects.filter(pk=cast.study.pk).update(source="A paper", state=StudyState.CLOSED)
    cast.study.refresh_from_db()
    rate(cast.study, cast.study.forms.get(key="similes"), 2, 2, 1)
    rate(cast.study, other, 4, 1)
    assert found(cast.study) == [(2, 2, 2), (1, 2, 1)]
    assert found(cast.study, 1) == [(4, 4, 1), (1, 4, 1)]


def test_an_item_that_needs_more_than_the_others_is_not_complete_with_as_many():
    cast = make_cast(items=3, overlap=1)
    form, item = cast.study.forms.get(), cast.study.items.all()[0]
    Seat.objects.create(form=form, item=item, slot=2)
    rate(cast.study, form, 1, 1)
    assert found(cast.study) == [(1, 2, 1), (1, 1, 1), (0, 1, 1)]


def test_late_and_excluded_responses_do_not_count():
    cast = make_cast(items=3, overlap=2)
    rate(cast.study, cast.study.forms.get(), 2, 2, 2)
    late, out = Response.objects.order_by("assignment__item__position", "pk")[1:4:2]
    Response.objects.filter(pk=late.pk).update(late=True)
    Exclusion.objects.create(study=cast.study, response=out, reason="A slip.")
    assert found(cast.study) == [(2, 2, 1), (1, 2, 2)]


def test_an_excluded_item_is_not_shown_as_one_without_responses():
    cast = make_cast(items=3, overlap=1)
    rate(cast.study, cast.study.forms.get(), 1, 1)
    Exclusion.objects.create(study=cast.study, item=cast.study.items.first(), reason="Not a simile.")
    (one,) = coverage(cast.study)
    assert (one.items, one.excluded) == (2, 1)
    assert found(cast.study) == [(1, 1, 1), (0, 1, 1)]
    assert "1 excluded item is not included." in drawn(cast.study, cast.users["owner"])


def test_a_stage_covers_the_items_that_have_reached_it():
    cast = staged_cast(items=3, first=1, second=2)
    assert [one.form.key for one in coverage(cast.study)] == [FIRST]
    first_stage(rater_of(cast.study, "R-900"), {"L00": "yes", "L01": "no", "L02": "yes"})
    assert [one.form.key for one in coverage(cast.study)] == [FIRST, SECOND]
    assert found(cast.study) == [(1, 1, 3)]
    assert found(cast.study, 1) == [(0, 2, 2)]


def test_a_draft_shows_what_its_items_will_need():
    assert found(make_cast(items=3, overlap=2, opened=False).study) == [(0, 2, 3)]


def test_the_counts_of_one_query_are_those_of_the_responses_one_by_one():
    cast = make_cast(items=4, overlap=2)
    study, form = cast.study, cast.study.forms.get()
    rate(study, form, 3, 2, 1, 2)
    given = list(Response.objects.filter(assignment__item__study=study).order_by("pk"))
    Exclusion.objects.create(study=study, response=given[0], reason="Odd.")
    Exclusion.objects.create(study=study, item=study.items.get(key="L02"), reason="Odd.")
    Exclusion.objects.create(study=study, rater=study.raters.get(code="R-101"), reason="Odd.")
    Response.objects.filter(pk=given[2].pk).update(late=True)
    Response.objects.filter(pk=given[-1].pk).update(cannot_rate="lacks_context")

    now, included = item_responses(study), counted(study, PROGRESS)

    def recount(responses):
        return Counter(responses.values_list("assignment__form", "assignment__item"))

    assert Counter(now.stored) == recount(submitted(study))
    assert Counter(now.stored) - Counter(now.left_out) == recount(included)
    found = totals(study)
    assert (found.saved, found.left_out) == (included.count(), submitted(study).count() - included.count())
    by_rater = answered_by_rater(study)
    assert {pk: one.done for pk, one in by_rater.items()} == Counter(
        submitted(study).values_list("assignment__rater", flat=True)
    )
    assert sum(one.cannot for one in by_rater.values()) == 1
    assert numbers_by_rater(study) == {pk: one.done for pk, one in by_rater.items()}
    assert sum(numbers_by_rater(study, cannot=True).values()) == 1
    assert answered_by_rater(study, list(study.raters.all())) == by_rater


def test_a_whole_study_is_read_by_versions_without_the_responses_of_others():
    cast, other = make_cast(items=2, overlap=2), make_cast(slug="other", items=2, overlap=2)
    for one in (cast, other):
        rate(one.study, one.study.forms.get(), 2, 1)
    for study in (cast.study, other.study):
        read = set(counted(study, PROGRESS, whole=True).values_list("pk", flat=True))
        assert read == set(counted(study, PROGRESS).values_list("pk", flat=True))
        assert len(read) == 3
