"""Making seats."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.domain.base.states import StudyState
from annotation.models import Seat
from annotation.services.base.analyze_tables import MANY
from annotation.services.seats.seat_creation import make_seats
from annotation.services.studies.lifecycle import change_state
from tests.support.people import add_items, make_cast


@pytest.mark.django_db
def test_every_item_has_as_many_seats_as_the_overlap_and_only_missing_ones_are_made() -> None:
    cast = make_cast(items=4, overlap=3)
    assert Seat.objects.filter(form__study=cast.study).count() == 4 * 3
    before = dict(Seat.objects.values_list("pk", "shuffle"))
    assert make_seats(study=cast.study) == 0
    cast.study.forms.update(overlap=5)
    assert make_seats(study=cast.study) == 4 * 2
    assert before.items() <= dict(Seat.objects.values_list("pk", "shuffle")).items()


@pytest.mark.django_db
def test_the_order_of_items_follows_from_the_seed() -> None:
    study = make_cast(opened=False, items=0).study
    add_items(study, 20)
    orders = []
    for seed in (1, 1, 2):
        study.seed = seed
        Seat.objects.all().delete()
        make_seats(study=study)
        orders.append(list(Seat.objects.order_by("slot", "shuffle").values_list("item__key", flat=True)))
    assert orders[0] == orders[1] != orders[2]


@pytest.mark.django_db
@pytest.mark.skipif(connection.vendor != "postgresql", reason="only PostgreSQL keeps row counts to plan by")
def test_the_database_knows_how_many_seats_were_made_before_the_first_rater_comes() -> None:
    study = make_cast(opened=False, items=0).study
    add_items(study, 400)
    made = make_seats(study=study)
    with connection.cursor() as cursor:
        cursor.execute("SELECT reltuples FROM pg_class WHERE relname = %s", [Seat._meta.db_table])
        assert cursor.fetchone()[0] >= made >= MANY


@pytest.mark.django_db
def test_opening_asks_the_database_nothing_for_each_single_item() -> None:
    asked = []
    for items in (3, 60):
        cast = make_cast(opened=False, items=items, slug=f"of-{items}")
        with CaptureQueriesContext(connection) as queries:
            change_state(study=cast.study, to=StudyState.OPEN, actor=cast.users["owner"])
        asked.append(len(queries))
    inserts_more = 3
    assert asked[1] - asked[0] <= inserts_more
