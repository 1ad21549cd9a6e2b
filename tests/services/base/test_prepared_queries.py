"""Queries that are written once find what Django's own find."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.models import BigIntegerField, CharField, DateTimeField, Exists, OuterRef, Q, UUIDField
from django.utils import timezone
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from annotation.models import Assignment, Exclusion, Item, Rater, Response, Seat
from annotation.selectors.base.prepared_queries import Compiled, CompiledInsert, CompiledUpdate
from annotation.services.rating.enrolment import consent
from annotation.services.rating.next_item import next_assignment
from config.settings.database import REPEATED
from tests.support.people import make_cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def page() -> Assignment:
    cast = make_cast(items=5, overlap=2)
    return next_assignment(rater=consent(invitation=cast.invitation))


def test_objects_come_with_their_related_ones_and_every_field(page):
    query = Assignment.objects.select_related("item", "form", "version", "seat")
    compiled = Compiled(lambda pk: query.filter(pk=pk), pk=BigIntegerField())
    (found,), own = compiled(pk=page.pk), query.get(pk=page.pk)
    pairs: list[tuple[Any, Any]] = [(found, own), (found.item, own.item), (found.seat, own.seat)]
    for one, other in pairs:
        fields = [field.attname for field in one._meta.concrete_fields]
        assert [getattr(one, name) for name in fields] == [getattr(other, name) for name in fields]
    assert found._state.adding is False


def test_annotations_are_attributes(page):
    left_out = Exclusion.objects.filter(rater=OuterRef("pk"), lift__isnull=True)
    compiled = Compiled(
        lambda pk: Rater.objects.annotate(out=Exists(left_out)).filter(pk=pk), pk=BigIntegerField()
    )
    assert compiled(pk=page.rater_id)[0].out is False
    Exclusion.objects.create(study=page.rater.study, rater=page.rater, reason="A reason.")
    assert compiled(pk=page.rater_id)[0].out is True


def test_each_call_has_its_own_values(page):
    compiled = Compiled(lambda key: Item.objects.filter(key=key).values_list("pk", "key"), key=CharField())
    for item in Item.objects.all():
        assert compiled(key=item.key) == [(item.pk, item.key)]
    assert compiled.first(key="none such") is None


def test_a_value_may_be_used_in_several_places_and_in_a_subquery(page):
    def unseen(rater, form):
        seen = Assignment.objects.filter(rater=rater, form=form, item=OuterRef("item"))
        return Seat.objects.filter(Q(rater=rater) | ~Exists(seen), form=form).order_by("pk")

    compiled = Compiled(unseen, rater=BigIntegerField(), form=BigIntegerField())
    found = compiled(rater=page.rater_id, form=page.form_id)
    assert found == list(unseen(page.rater_id, page.form_id))
    assert page.seat in found


def test_times_and_keys_are_passed_as_the_database_wants_them(page):
    now, key = timezone.now(), uuid.uuid4()
    Seat.objects.filter(pk=page.seat_id).update(until=now)
    Rater.objects.filter(pk=page.rater_id).update(join_key=key)
    before = Compiled(lambda time: Seat.objects.filter(until__lt=time), time=DateTimeField())
    assert before(time=now) == []
    assert before(time=now + timedelta(microseconds=1)) == [page.seat]
    joined = Compiled(lambda key: Rater.objects.filter(join_key=key), key=UUIDField())
    assert joined(key=key) == [page.rater]


def test_an_update_changes_what_it_names_and_counts_it(page):
    update = CompiledUpdate(
        lambda seat, until: (Seat.objects.filter(pk=seat), {"until": until}),
        seat=BigIntegerField(),
        until=DateTimeField(),
    )
    later = timezone.now() + timedelta(hours=3)
    assert update(seat=page.seat_id, until=later) == 1
    assert Seat.objects.filter(until=later).get() == page.seat
    assert update(seat=0, until=later) == 0


def new_answers(page: Assignment, first: int) -> list[Response]:
    return [
        Response(
            assignment=page,
            revision=revision,
            current=False,
            submission_key=uuid.uuid4(),
            version_id=page.version_id,
            remark="100 % “so”\n",
            submitted_at=timezone.now() if revision % 2 else None,
            seconds=revision / 3,
            times_away=None if revision % 2 else 2,
            suggestions={"quality": ["accepted", None]},
        )
        for revision in range(first, first + 3)
    ]


def test_inserted_rows_have_their_keys_and_are_found_as_they_were_given(page):
    for answers in (new_answers(page, 1), new_answers(page, 4)):
        CompiledInsert(Response)(*answers)
        for given_answer in answers:
            found = Response.objects.get(pk=given_answer.pk)
            fields = [field.attname for field in Response._meta.concrete_fields]
            assert [getattr(found, name) for name in fields] == [
                getattr(given_answer, name) for name in fields
            ]
            assert given_answer._state.adding is False


def test_an_inserted_row_that_breaks_a_rule_of_the_database_is_refused(page):
    insert, (first, second, _) = CompiledInsert(Response), new_answers(page, 1)
    second.revision = first.revision
    with pytest.raises(IntegrityError), transaction.atomic():
        insert(first, second)
    assert not Response.objects.exists()


def test_inserting_nothing_asks_nothing_of_the_database(page, django_assert_num_queries):
    with django_assert_num_queries(0):
        CompiledInsert(Response)()


class AnyText(TestCase):
    @settings(max_examples=25)
    @given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=40))
    def test_text_is_passed_unchanged(self, text: str) -> None:
        cast = make_cast(items=1, overlap=1)
        Item.objects.filter(study=cast.study).update(group=text)
        compiled = Compiled(lambda group: Item.objects.filter(group=group), group=CharField())
        assert [item.group for item in compiled(group=text)] == [text]


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite keeps its statements by itself")
def test_a_repeated_statement_stays_prepared(page):
    compiled = Compiled(lambda pk: Rater.objects.filter(pk=pk), pk=BigIntegerField())
    for _ in range(REPEATED + 1):
        assert compiled(pk=page.rater_id) == [page.rater]
    with connection.cursor() as cursor:
        cursor.execute("SELECT statement FROM pg_prepared_statements")
        prepared = [statement for (statement,) in cursor.fetchall()]
    assert any(Rater._meta.db_table in statement and "$1" in statement for statement in prepared)
