"""A study that is connected to a server of our own, which answers as Prolific does by its documentation."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest

from annotation.domain.base.platforms import Platform
from annotation.services.people.invitations import invite
from tests.support.outside.crowd_jobs import connect
from tests.support.outside.prolific_server import TOKEN, ProlificServer, prolific_server
from tests.support.people import Cast, make_cast
from tests.support.studies.pay import pay


@pytest.fixture
def server(settings: Any) -> Iterator[ProlificServer]:
    with prolific_server() as running:
        settings.PROLIFIC_ADDRESS, settings.WEBHOOKS_PRIVATE = running.address, True
        yield running


@pytest.fixture
def cast(db: None, server: ProlificServer) -> Cast:
    """An open study with a link for Prolific, paid in pounds, with a minimum hourly rate, and connected."""
    cast = make_cast(items=4, overlap=6)
    pay(cast, currency="GBP", floor=Decimal("12.00"))
    cast.invitation = invite(
        study=cast.study,
        actor=cast.users["owner"],
        platform=Platform.PROLIFIC,
        completion_code="DONE1",
        screenout_code="OUT1",
        no_consent_code="NO1",
        failed_checks_code="CHECK1",
        failed_checks_from=2,
    )
    connect(study=cast.study, actor=cast.users["owner"], token=TOKEN)
    return cast
