"""Raters who work at the same time with pages fetched ahead: every item gets exactly what it needs."""

from __future__ import annotations

from collections import Counter
from functools import partial

import pytest

from annotation.models import Response
from annotation.services.rating.enrolment import consent
from scoring.services.reports.verification import verify
from tests.concurrency.simultaneous import at_once
from tests.services.rating.ahead_sitting import sit_ahead
from tests.support.people import make_cast

pytestmark = pytest.mark.django_db(transaction=True)


def test_ten_raters_at_once_with_pages_ahead_give_forty_items_exactly_three_ratings_each():
    cast = make_cast(items=40, overlap=3)
    raters = [consent(invitation=cast.invitation) for _ in range(10)]
    sittings = at_once([partial(sit_ahead, rater) for rater in raters])
    assert sum(map(len, sittings)) == 120
    given = list(Response.objects.filter(late=False).values_list("assignment__item", "assignment__rater"))
    assert set(Counter(item for item, _ in given).values()) == {3}
    assert len(set(given)) == len(given) == 120
    assert verify() == []
