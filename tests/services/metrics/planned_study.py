"""Small power plans, and the member who asks for them."""

from __future__ import annotations

from typing import Any

from django.test import Client

from annotation.models import Membership, Study
from annotation.services.base.jobs import claim
from scoring.models import Report
from scoring.services.metrics.power import compute_power, request_power

SMALL = {"items": "10, 20", "raters": "2", "pool": "4", "studies": "20"}


def plan(study: Study, **given: Any) -> Report:
    lease = claim(job_id=request_power(study=study, given={**SMALL, **given}, actor=None).pk)
    assert lease is not None
    return compute_power(lease=lease)


def member(study: Study) -> Client:
    client = Client()
    client.force_login(Membership.objects.filter(study=study, role="owner").get().user)
    return client
