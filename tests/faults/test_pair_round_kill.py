"""A process that is killed while it adds a round of pairs leaves nothing of the round or the answer."""

from __future__ import annotations

import json

import pytest

from tests.support.installation import Installation
from tests.support.running.script_runner import ScriptFailed

pytestmark = [pytest.mark.processes]

OPEN = """
from annotation.services.rating.next_item import next_assignment
from tests.support.studies.pairs.adaptive_study import adaptive_cast
from tests.support.studies.staged_study import rater_of
study = adaptive_cast(candidates=3, per_round=3, budget=30).study
for code in ("A", "B", "C"):
    next_assignment(rater=rater_of(study, code))
"""
# The process ends as by `kill -9` when the slots of the round are written, before the round is.
ANSWER = """
import os
from annotation.models import Rater
from annotation.services.rating.next_item import next_assignment
from django.db import connection
from tests.support.studies.pairs.adaptive_study import prefer
def execute(run, sql, *rest):
    if {dies} and sql.startswith("INSERT") and "annotation_pairround" in sql:
        os._exit(9)
    return run(sql, *rest)
with connection.execute_wrapper(execute):
    prefer(next_assignment(rater=Rater.objects.get(code="A")))
"""
LOOK = """
import json
from annotation.models import PairRound, Response, Seat
print(json.dumps([
    [one.number for one in PairRound.objects.order_by("number")],
    Seat.objects.count(),
    Response.objects.count(),
]))
"""


def test_a_killed_round_is_added_whole_by_the_answer_that_comes_again(migrated: Installation) -> None:
    migrated.run_script(OPEN)
    with pytest.raises(ScriptFailed):
        migrated.run_script(ANSWER.format(dies=True))
    assert json.loads(migrated.run_script(LOOK)) == [[1], 3, 0]
    migrated.run_script(ANSWER.format(dies=False))
    assert json.loads(migrated.run_script(LOOK)) == [[1, 2], 6, 1]
