"""A study that is connected to a server of our own, which answers as Mechanical Turk does."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest

from annotation.domain.base.platforms import Platform
from annotation.services.people.invitations import invite
from tests.support.outside.crowd_jobs import connect
from tests.support.outside.mturk_server import TOKEN, MturkServer, mturk_server
from tests.support.people import Cast, make_cast
from tests.support.studies.pay import pay


@pytest.fixture
def server(settings: Any) -> Iterator[MturkServer]:
    with mturk_server() as running:
        settings.MTURK_ADDRESS, settings.WEBHOOKS_PRIVATE = running.address, True
        yield running


@pytest.fixture
def cast(db: None, server: MturkServer) -> Cast:
    """An open study with a link for Mechanical Turk, paid in dollars with a minimum, connected."""
    cast = make_cast(items=4, overlap=6)
    pay(cast, currency="USD", floor=Decimal("12.00"))
    owner = cast.users["owner"]
    cast.invitation = invite(study=cast.study, actor=owner, platform=Platform.MTURK)
    connect(study=cast.study, actor=owner, token=TOKEN, platform=Platform.MTURK)
    return cast
