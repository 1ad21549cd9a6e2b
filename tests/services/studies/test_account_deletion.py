"""A deleted account leaves a trace without a person, and its studies an owner."""

from __future__ import annotations

import json

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.core import serializers
from django.db.models import Model

from annotation.domain.base.addresses import names_address
from annotation.domain.base.errors import GroundworkError, NotAllowedNow
from annotation.domain.base.states import Role
from annotation.models import AuditEntry, Case, Comment, Rating, Study, User
from annotation.models.base.audit import WrittenOnceError
from annotation.services.adjudication.assignments import assign_cases
from annotation.services.base.accounts import add_user
from annotation.services.people.contact import set_contact
from annotation.services.people.members import add_member, remove_member
from annotation.services.people.site_accounts import invite_account, set_active, set_site_administrator
from annotation.services.studies.account_deletion import delete_account
from annotation.services.studies.lifecycle import create_study
from tests.support.people import Cast, make_cast

pytestmark = pytest.mark.django_db
NAME = "Mara Osei"


@pytest.fixture
def cast() -> Cast:
    made = make_cast()
    User.objects.filter(pk=made.users["owner"].pk).update(name=NAME)
    made.users["owner"].refresh_from_db()
    return made


def everything() -> str:
    """All that the database says about accounts and what they did."""
    models: tuple[type[Model], ...] = (User, EmailAddress, SocialAccount, Study, AuditEntry)
    return "".join(serializers.serialize("json", model._default_manager.all()) for model in models)


def test_nothing_of_the_person_is_left_and_what_they_did_is_still_distinct_from_others(cast):
    owner, admin, study = cast.users["owner"], cast.users["admin"], cast.study
    address = owner.email
    SocialAccount.objects.create(user=owner, provider="https://sso.example.edu", uid="m")
    Authenticator.objects.create(user=owner, type=Authenticator.Type.TOTP, data={"secret": "x"})
    EmailAddress.objects.create(user=owner, email=address)
    set_contact(study=study, actor=owner, contact=address)
    add_member(study=study, user=cast.users["stranger"], role=Role.RESEARCHER, actor=owner)
    case = Case.objects.create(study=study, item=study.items.first(), form=study.forms.get(), position=0)
    comment = Comment.objects.create(case=case, author=owner, text="Close call.")
    before = AuditEntry.objects.filter(actor=owner).count()
    assert delete_account(user=owner, new_owner=admin, actor=None) == 1
    logged = AuditEntry.objects.get(study=None, act="delete_account").detail
    assert (logged["studies"], logged["new_owner"]) == (1, admin.email)
    assert address not in everything()
    assert NAME not in everything()
    owner.refresh_from_db()
    assert AuditEntry.objects.filter(actor=owner).count() == before
    comment.refresh_from_db()
    assert str(comment.author) == f"Deleted account {owner.pk}"
    assert not owner.is_active
    assert not owner.has_usable_password()
    assert not Authenticator.objects.exists()
    study.refresh_from_db()
    assert study.contact == admin.email
    assert {(one.user.pk, one.role) for one in study.memberships.all()} >= {(admin.pk, "owner")}
    assert not study.memberships.filter(user=owner).exists()


def test_the_log_does_not_name_a_deleted_adjudicator(cast):
    ann, _ = add_user(email="ann@x.org")
    owner, study = cast.users["owner"], cast.study
    add_member(study=study, user=ann, role=Role.ADJUDICATOR, actor=owner)
    case = Case.objects.create(study=study, item=study.items.first(), form=study.forms.get(), position=0)
    assign_cases(study=study, cases=[case.pk], adjudicator=ann, actor=owner)
    assert "ann@x.org" in everything()
    delete_account(user=ann, new_owner=None, actor=None)
    assert "ann@x.org" not in everything()


LOOK_ALIKES = (
    "joann@x.org",
    "Jo <ann@x.org.uk>",
    "ann@x.organ",
    "ann+study@x.org",
    "o'ann@x.org",
    "jo.ann@x.org",
    "ann-x.org",
)


@pytest.mark.parametrize("contact", LOOK_ALIKES)
def test_contacts_with_addresses_that_only_look_alike_stay(cast, contact):
    ann, _ = add_user(email="ann@x.org")
    set_contact(study=cast.study, actor=cast.users["owner"], contact=contact)
    delete_account(user=ann, new_owner=None, actor=None)
    cast.study.refresh_from_db()
    assert cast.study.contact == contact
    assert AuditEntry.objects.get(act="set_contact").detail == {"contact": contact}


@pytest.mark.parametrize(
    ("contact", "left"),
    [
        ("ANN@X.ORG", "owner-lamps@example.org"),
        ("Ann Lee <Ann@x.org>.", "owner-lamps@example.org"),
        ("mailto:ann@x.org", "owner-lamps@example.org"),
        ("joann@x.org, ann@x.org", "joann@x.org"),
        ("ann@x.org/bob@x.org", "bob@x.org"),
    ],
)
def test_the_address_goes_from_contacts_and_the_log_and_those_of_others_stay(cast, contact, left):
    ann, _ = add_user(email="ann@x.org")
    set_contact(study=cast.study, actor=cast.users["owner"], contact=contact)
    delete_account(user=ann, new_owner=None, actor=None)
    cast.study.refresh_from_db()
    assert cast.study.contact == left
    logged = " ".join(entry.detail["contact"] for entry in AuditEntry.objects.filter(act="set_contact"))
    assert not names_address(logged, "ann@x.org")
    assert f"account-{ann.pk}@deleted.invalid" in logged
    assert "Lee" not in everything()
    assert ("bob@x.org" in logged) == ("bob" in contact)


def test_ratings_stay_under_the_code_of_a_rater_with_a_deleted_account(cast):
    rater = cast.study.raters.get(user=cast.users["rater"])
    ratings = Rating.objects.count()
    delete_account(user=cast.users["rater"], new_owner=None, actor=None)
    rater.refresh_from_db()
    assert rater.user is None
    assert Rating.objects.count() == ratings


def refusal(**wanted: User | None) -> str:
    with pytest.raises(GroundworkError) as refused:
        delete_account(**{"new_owner": None, "actor": None, **wanted})  # type: ignore[arg-type]
    return refused.value.code


def test_a_study_is_never_left_without_an_owner_who_can_sign_in(cast):
    owner, admin, rater = (cast.users[who] for who in ("owner", "admin", "rater"))
    add_member(study=cast.study, user=admin, role=Role.OWNER, actor=owner)
    set_active(user=admin, active=False, actor=None)
    before = everything()
    assert refusal(user=owner) == "owns_studies"
    assert refusal(user=owner, new_owner=admin) == "bad_new_owner"
    assert refusal(user=owner, new_owner=owner) == "bad_new_owner"
    assert refusal(user=owner, new_owner=rater) == "no_such_member"
    assert everything() == before
    set_active(user=admin, active=True, actor=None)
    assert delete_account(user=owner, new_owner=None, actor=None) == 0


def test_studies_go_to_no_one_who_was_only_invited(cast):
    invited = invite_account(email="rui@example.edu", name="", site_administrator=False, actor=None)
    before = everything()
    assert refusal(user=cast.users["owner"], new_owner=invited) == "new_owner_cannot_sign_in"
    assert everything() == before


def test_a_co_owner_who_was_only_invited_takes_over_nothing_until_a_password_is_set(cast):
    invited = invite_account(email="rui@example.edu", name="", site_administrator=False, actor=None)
    add_member(study=cast.study, user=invited, role=Role.OWNER, actor=cast.users["owner"])
    assert refusal(user=cast.users["owner"]) == "owns_studies"
    invited.set_password("simile-and-metaphor-42")
    invited.save()
    assert delete_account(user=cast.users["owner"], new_owner=None, actor=None) == 0


def test_an_owner_does_not_leave_a_study_to_one_who_was_only_invited(cast):
    owner, study = cast.users["owner"], cast.study
    invited = invite_account(email="rui@example.edu", name="", site_administrator=False, actor=None)
    add_member(study=study, user=invited, role=Role.OWNER, actor=owner)
    with pytest.raises(NotAllowedNow) as demoted:
        add_member(study=study, user=owner, role=Role.ADMIN, actor=owner)
    with pytest.raises(NotAllowedNow) as left:
        remove_member(study=study, membership=study.memberships.get(user=owner), actor=owner)
    assert (demoted.value.code, left.value.code) == ("last_owner", "last_owner")
    remove_member(study=study, membership=study.memberships.get(user=invited), actor=owner)
    assert study.memberships.get(role=Role.OWNER).user == owner


def test_no_one_deletes_themselves_or_the_last_site_administrator_and_a_deleted_account_once_only():
    jonas, _ = add_user(email="jonas@example.edu", site_administrator=True)
    assert refusal(user=jonas) == "last_site_administrator"
    other, _ = add_user(email="other@example.edu")
    set_site_administrator(user=other, is_administrator=True, actor=jonas)
    assert refusal(user=jonas, actor=jonas) == "own_account"
    delete_account(user=jonas, new_owner=None, actor=other)
    assert refusal(user=jonas, actor=other) == "account_deleted"


def test_the_address_can_be_used_again_by_a_new_and_separate_account():
    create_study(slug="lamps", title="Lamps", owner=add_user(email="ines@example.edu")[0])
    gone, _ = add_user(email="mara@example.edu")
    delete_account(user=gone, new_owner=None, actor=None)
    again, _ = add_user(email="mara@example.edu")
    assert again.pk != gone.pk


def test_the_log_takes_no_other_change(cast):
    with pytest.raises(WrittenOnceError):
        AuditEntry.objects.filter(study=cast.study).update(detail={})
    entry = AuditEntry.objects.filter(act="set_role").first()
    assert entry is not None
    detail = json.dumps(entry.detail)
    AuditEntry.objects.pseudonymise("nobody@example.org", "x")
    entry.refresh_from_db()
    assert json.dumps(entry.detail) == detail
