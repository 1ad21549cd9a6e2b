"""A job that ends while a rater is being erased waits, and stores nothing of the rater."""

from __future__ import annotations

import threading
import time

import pytest
from django.db import transaction

from annotation.models import Rater, Study
from annotation.services.base.jobs import Lease, claim
from annotation.services.rating.enrolment import consent
from annotation.services.rating.erasure import erase_rater
from scoring.models import FigureSet, RaterFigure
from scoring.services.raters.item_figures import compute_figures, request_figures
from tests.concurrency.simultaneous import at_once, rate_everything
from tests.support.people import make_cast

pytestmark = pytest.mark.django_db(transaction=True)
HELD_SECONDS = 2.0


def claimed(study: Study) -> Lease:
    lease = claim(job_id=request_figures(study=study, actor=None).pk)
    assert lease is not None
    return lease


def test_figures_that_are_stored_during_an_erasure_leave_the_rater_out() -> None:
    cast = make_cast(items=4, overlap=2)
    raters = [consent(invitation=cast.invitation) for _ in range(2)]
    for rater in raters:
        rate_everything(rater)
    lease, begun = claimed(cast.study), threading.Event()

    def erase() -> None:
        with transaction.atomic():
            erase_rater(rater=Rater.objects.get(pk=raters[0].pk), actor=None)
            begun.set()
            time.sleep(HELD_SECONDS)

    def compute() -> None:
        assert begun.wait(timeout=30)
        compute_figures(lease=lease)

    at_once([erase, compute])
    assert FigureSet.objects.get(study=cast.study).ready
    assert RaterFigure.objects.filter(rater=raters[1]).exists()
    assert not RaterFigure.objects.filter(rater=raters[0]).exists()
