"""An owner who is deleted while the other one is removed: the study keeps one of them."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import pytest
from django.db import transaction

from annotation.domain.base.errors import NotAllowedNow
from annotation.domain.base.states import Role
from annotation.models import Membership, User
from annotation.services.people.members import add_member, remove_member
from annotation.services.studies.account_deletion import delete_account
from tests.concurrency.simultaneous import at_once
from tests.support.people import Cast, make_cast

pytestmark = pytest.mark.django_db(transaction=True)


def two_owners() -> tuple[Cast, User, User]:
    cast = make_cast()
    first, second = cast.users["owner"], cast.users["admin"]
    add_member(study=cast.study, user=second, role=Role.OWNER, actor=first)
    return cast, first, second


def slowly(act: Callable[[], object], begun: threading.Event) -> str:
    """Do it, and let others try theirs before it is committed."""
    with transaction.atomic():
        act()
        begun.set()
        time.sleep(0.5)
    return "done"


def deleting(user: User) -> str:
    try:
        delete_account(user=user, new_owner=None, actor=None)
    except NotAllowedNow as refusal:
        return refusal.code
    return "done"


@pytest.mark.parametrize("meanwhile", ["removed", "demoted", "deleted"])
def test_a_study_keeps_an_owner_whatever_becomes_of_the_other_one_meanwhile(meanwhile: str) -> None:
    cast, first, second = two_owners()
    membership = Membership.objects.get(study=cast.study, user=second)
    acts: dict[str, Callable[[], object]] = {
        "removed": lambda: remove_member(study=cast.study, membership=membership, actor=first),
        "demoted": lambda: add_member(study=cast.study, user=second, role=Role.RESEARCHER, actor=first),
        "deleted": lambda: delete_account(user=second, new_owner=None, actor=None),
    }
    begun = threading.Event()

    def then() -> str:
        assert begun.wait(30)
        return deleting(first)

    assert at_once([lambda: slowly(acts[meanwhile], begun), then]) == ["done", "owns_studies"]
    assert Membership.objects.get(study=cast.study, role=Role.OWNER).user == first
