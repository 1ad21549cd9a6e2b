"""A rated study whose rows a test may break."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from annotation.models import Study
from annotation.services.rating.enrolment import consent
from tests.backup.breaking import without_constraints
from tests.concurrency.simultaneous import rate_everything
from tests.support.people import make_cast


@pytest.fixture
def study(db: None) -> Iterator[Study]:
    """Four items, each rated by two; a third rater has agreed and found nothing left."""
    cast = make_cast(items=4, overlap=2)
    for _ in range(2):
        rate_everything(consent(invitation=cast.invitation))
    with without_constraints():
        yield cast.study
