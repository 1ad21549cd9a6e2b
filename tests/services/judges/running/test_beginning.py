"""Runs of judges that begin while a member changes what they depend on."""

from __future__ import annotations

from threading import Thread

import pytest
from django.db import connection, connections, transaction

from annotation.models import Job, Study, User
from scoring.models import Judge
from scoring.services.judges.running.permission import forbid_texts, may_send_texts
from scoring.services.judges.running.planning import use_current_template
from scoring.services.judges.running.runs import request_run
from tests.services.judges.running.running_judges import allowed_judge
from tests.support.people import make_cast

pytestmark = [
    pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one writer at a time"),
    pytest.mark.django_db(transaction=True),
]


@pytest.fixture
def judge(settings):
    settings.JUDGE_ADDRESS = "https://models.example.org/v1"
    cast = make_cast(items=3)
    return allowed_judge(cast.study, cast.users["owner"])


@pytest.mark.parametrize("held", [Judge, Study])
def test_a_run_that_is_asked_for_during_a_change_of_the_judge_or_the_items_waits_for_it(judge, held):
    """A change of its model deletes the calls that were planned; a run in between would make them."""

    def ask() -> None:
        request_run(judge=judge, actor=None)
        connections.close_all()

    asking = Thread(target=ask)
    with transaction.atomic():
        held.objects.select_for_update(no_key=True).get()
        asking.start()
        asking.join(0.5)
        assert not Job.objects.filter(kind="judge").exists()
    asking.join(10)
    assert Job.objects.filter(kind="judge").count() == 1


def test_a_permission_that_is_withdrawn_when_a_run_begins_does_not_come_back(judge):
    Judge.objects.update(settings=judge.settings | {"template": "v1 0"})

    def begin() -> None:
        use_current_template(Judge.objects.get())
        connections.close_all()

    beginning = Thread(target=begin)
    with transaction.atomic():
        forbid_texts(judge=judge, actor=User.objects.get(memberships__role="owner"))
        beginning.start()
        beginning.join(0.5)
    beginning.join(10)
    assert Judge.objects.get().settings["template"] != "v1 0"
    assert not may_send_texts(Judge.objects.get())
