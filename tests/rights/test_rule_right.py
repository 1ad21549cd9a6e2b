"""A researcher declares and applies exclusion rules only with a right that an owner gives."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction

from annotation.domain.base.states import Role
from annotation.models import AuditEntry, ExclusionRule, Membership
from annotation.services.people.members import add_member
from tests.support.people import Cast, make_cast

pytestmark = pytest.mark.django_db
RULE = {"name": "Few", "reason": "too few", "conditions": [{"kind": "too_few_ratings", "fewest": 2}]}


@pytest.fixture
def cast() -> Cast:
    return make_cast()


def give(cast: Cast, *, declares_rules: bool, by: str = "owner", role: str = "researcher") -> int:
    body = {"email": cast.users["researcher"].email, "role": role, "declares_rules": declares_rules}
    return cast.client(by).put(f"{cast.base}/members/", body, format="json").status_code


def declare(cast: Cast) -> int:
    return cast.client("researcher").post(f"{cast.base}/exclusion-rules/", RULE, format="json").status_code


def test_the_right_is_given_and_taken_by_owners_and_each_change_is_logged(cast):
    assert declare(cast) == 403
    assert give(cast, declares_rules=True) == 200
    assert declare(cast) == 201
    rule = ExclusionRule.objects.get()
    # Not previewed yet: the act is allowed, and refused for another reason.
    assert cast.client("researcher").post(f"{cast.base}/exclusion-rules/{rule.pk}/apply/").status_code == 409
    assert give(cast, declares_rules=False) == 200
    assert declare(cast) == 403
    assert cast.client("researcher").post(f"{cast.base}/exclusion-rules/{rule.pk}/apply/").status_code == 403
    logged = AuditEntry.objects.filter(study=cast.study, act="set_role").order_by("pk")
    assert [entry.detail["declares_rules"] for entry in logged if "declares_rules" in entry.detail][-2:] == [
        True,
        False,
    ]


@pytest.mark.parametrize("who", ["researcher", "admin"])
def test_only_an_owner_gives_the_right(cast, who):
    assert give(cast, declares_rules=True, by=who) == 403
    assert declare(cast) == 403


def test_the_right_allows_nothing_else_of_an_admin(cast):
    give(cast, declares_rules=True)
    client, item = cast.client("researcher"), cast.study.items.all()[0].key
    for address, body in (
        ("invitations/", {"label": "a link"}),
        ("state/", {"state": "paused"}),
        ("adjudication/", {"items": [item]}),
    ):
        assert client.post(f"{cast.base}/{address}", body, format="json").status_code == 403


def test_the_right_ends_with_the_role(cast):
    give(cast, declares_rules=True)
    assert give(cast, declares_rules=True, role="viewer") == 400
    add_member(
        study=cast.study, user=cast.users["researcher"], role=Role.VIEWER, actor=None, declares_rules=True
    )
    membership = Membership.objects.get(study=cast.study, user=cast.users["researcher"])
    assert (membership.role, membership.declares_rules) == ("viewer", False)
    with pytest.raises(IntegrityError), transaction.atomic():
        Membership.objects.filter(pk=membership.pk).update(declares_rules=True)


def test_the_members_page_shows_and_changes_the_right(cast, client):
    client.force_login(cast.users["owner"])
    page = f"/studies/{cast.slug}/settings/members/"
    client.post(page, {"email": cast.users["researcher"].email, "role": "researcher", "declares_rules": "1"})
    assert 'name="declares_rules" value="1" checked' in client.get(page).content.decode()
    client.force_login(cast.users["researcher"])
    assert "may declare exclusion rules" in client.get(page).content.decode()
    rules = client.get(f"/studies/{cast.slug}/disagreement/rules/").content.decode()
    assert "Declare and preview rule" in rules


def test_without_the_right_the_page_of_rules_offers_none(cast, client):
    client.force_login(cast.users["researcher"])
    page = client.get(f"/studies/{cast.slug}/disagreement/rules/").content.decode()
    assert "Declare and preview rule" not in page
    assert "You cannot declare or apply exclusion rules." in page
