"""The jobs that call a platform about the account and the study there."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from annotation.domain.base.platforms import Platform
from annotation.services.base.jobs import Lease
from annotation.services.pay.crowd.connection import try_connection
from annotation.services.pay.crowd.creation import create, find
from annotation.services.pay.crowd.outside_studies import link, read
from annotation.services.pay.crowd.places import raise_places

ACTS: Mapping[str, Callable[..., None]] = {
    "connect": try_connection,
    "create": create,
    "find": find,
    "link": link,
    "places": raise_places,
    "read": read,
}


def run_study_act(*, lease: Lease) -> None:
    """Carry out a job that calls a platform: each act defines what is stored before and after its call.

    Parameters
    ----------
    lease : Lease
        Lease of a job whose parameters name the act and the platform.
    """
    ACTS[lease.job.params["act"]](lease=lease, platform=Platform(lease.job.params["platform"]))
