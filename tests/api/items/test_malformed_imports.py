"""Whatever file of items or scores is sent, it is refused in words, nothing is stored and nothing breaks."""

from __future__ import annotations

import random
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from annotation.models import ImportFile, Item, Job
from scoring.models import Score
from tests.support.malformed_files import BREAKERS
from tests.support.people import Cast, make_cast

SLOW_TO_MAKE = {"zip_bomb", "many_repeated_texts"}
QUICK = sorted(BREAKERS.keys() - SLOW_TO_MAKE)


@pytest.fixture
def cast(db: None) -> Cast:
    return make_cast(opened=False)


def rows_there() -> tuple[int, ...]:
    jobs = Job.objects.exclude(kind="read_upload")
    return Item.everything.count(), ImportFile.objects.count(), jobs.count(), Score.objects.count()


def refused(cast: Cast, name: str, content: bytes) -> set[str]:
    """The codes under which each way in refuses a file."""
    codes = set()
    before = rows_there()
    for way in ("items", "imports", "scores/imports"):
        sent = {"file": SimpleUploadedFile(name, content)}
        answer = cast.client("owner").post(f"{cast.base}/{way}/", sent, format="multipart")
        body: dict[str, Any] = answer.json()
        assert 400 <= answer.status_code < 500, (way, name, content[:200], body)
        assert body["message"].strip(), body
        codes.add(body["code"])
    assert rows_there() == before
    return codes


@pytest.mark.parametrize("kind", sorted(BREAKERS))
def test_each_kind_of_malformed_file_is_refused(cast, kind):
    assert refused(cast, *BREAKERS[kind](random.Random(7)))


@given(kind=st.sampled_from(QUICK), rng=st.randoms(use_true_random=False))
@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
def test_a_sample_of_malformed_files_is_refused(cast, kind, rng):
    assert refused(cast, *BREAKERS[kind](rng))


@pytest.mark.slow
@given(kind=st.sampled_from(QUICK), seed=st.integers(0, 2**63))
@example(kind="zip_bomb", seed=1)
@example(kind="many_repeated_texts", seed=1)
@settings(max_examples=2000, deadline=None, suppress_health_check=list(HealthCheck), database=None)
def test_two_thousand_malformed_files_are_refused(cast, kind, seed):
    assert refused(cast, *BREAKERS[kind](random.Random(seed)))
