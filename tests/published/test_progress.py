"""The loading of a published study reports how far it has come."""

from __future__ import annotations

from collections import defaultdict

import pytest

from annotation.models import Rating
from scoring.models import Score
from scoring.services.reports.published.registry import IMPORTERS

FOLDERS = {"cmdag_test": "cmdag", "cmdag_train": "cmdag"}
pytestmark = [pytest.mark.django_db, pytest.mark.published_data]


@pytest.mark.parametrize("name", list(IMPORTERS))
@pytest.mark.slow
def test_progress_rises_to_the_number_of_rows_that_are_stored(name, published_data):
    reported: dict[str, list[tuple[int, int]]] = defaultdict(list)
    study, _ = IMPORTERS[name](
        data=published_data / FOLDERS.get(name, name),
        progress=lambda what, done, total: reported[what].append((done, total)),
    )
    stored = {
        "ratings": Rating.objects.filter(response__assignment__item__study=study).count(),
        "scores": Score.objects.filter(run__study=study).count(),
        "items": study.items.count(),
    }
    assert reported
    for what, steps in reported.items():
        assert [done for done, _ in steps] == sorted({done for done, _ in steps})
        assert steps[-1][0] == steps[-1][1]
        assert steps[-1][0] == stored.get(what, steps[-1][0])
    assert set(reported) & set(stored)
