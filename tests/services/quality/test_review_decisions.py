"""Keeping raters computes their profiles before it locks anything."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.models import AuditEntry, Rater, Response
from annotation.selectors.quality.rater_profile import profiles
from annotation.services.quality.review_decisions import keep_rater, keep_raters
from annotation.services.rating.enrolment import consent
from tests.support.people import Cast, make_cast
from tests.views.studies.live.raters import ITEMS, rate

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    return make_cast(items=ITEMS, overlap=5)


@pytest.fixture
def fast(cast: Cast) -> Rater:
    rater = rate(consent(invitation=cast.invitation), "careful")
    Response.objects.filter(assignment__rater=rater).update(seconds=1.0)
    return rater


@pytest.mark.parametrize("several", [False, True])
def test_responses_are_not_read_while_raters_who_save_answers_wait(
    cast: Cast, fast: Rater, several: bool
) -> None:
    """On SQLite a transaction that writes holds the lock of the whole database."""
    flags = [one.key for one in profiles(cast.study, [fast])[0].flagged]
    actor = cast.users["admin"]
    with CaptureQueriesContext(connection) as made:
        if several:
            keep_raters(study=cast.study, codes=[fast.code], actor=actor)
        else:
            keep_rater(rater=fast, flags=flags, actor=actor)
    queries = [one["sql"] for one in made.captured_queries]
    first = next(place for place, sql in enumerate(queries) if sql.startswith("SAVEPOINT"))
    assert any("annotation_response" in sql for sql in queries[:first])
    assert not any("annotation_response" in sql for sql in queries[first:])
    assert AuditEntry.objects.get(act="keep_rater").detail["flags"] == flags
