"""Where others can reach the server, the publicly known password opens no account."""

from __future__ import annotations

import io
import stat

import pytest
from django.core.management import call_command
from pytest_django import Settings

from annotation.models import Study, User
from annotation.services.base.accounts import add_user
from annotation.services.people.invitations import revoke
from annotation.services.people.site_accounts import set_active
from annotation.services.studies.account_deletion import delete_account
from annotation.services.studies.demo import PASSWORD
from annotation.serving.bind_address import Address
from annotation.serving.demo_access import ACCESS_FILE, is_local, open_demo
from config.management.commands.serve import demo_lines
from tests.support.installation import Installation


@pytest.fixture
def var(settings, tmp_path):
    settings.VAR_DIR = tmp_path
    settings.ALLOWED_HOSTS = ["localhost", "127.0.0.1", "[::1]"]
    return tmp_path


def lets_in(email: str, password: str) -> bool:
    return User.objects.get(email=email).check_password(password)


@pytest.mark.django_db
def test_each_log_in_has_a_password_of_its_own_which_a_restart_shows_again(var, settings: Settings):
    known = open_demo(bind="127.0.0.1")
    assert set(known.passwords.values()) == {PASSWORD}
    assert not (var / ACCESS_FILE).exists()

    own = open_demo(bind="0.0.0.0").passwords
    assert len(set(own.values()) - {PASSWORD}) == len(own) == len(known.passwords) == 6
    for email, password in own.items():
        assert lets_in(email, password)
        assert not lets_in(email, PASSWORD)
    assert stat.S_IMODE((var / ACCESS_FILE).stat().st_mode) == 0o600

    settings.ALLOWED_HOSTS = ["ratings.example.org"]
    assert open_demo(bind="127.0.0.1").passwords == own
    settings.ALLOWED_HOSTS = ["localhost"]
    assert open_demo(bind="127.0.0.1").passwords == own

    owner = User.objects.get(email=known.owner_email)
    owner.set_password("chosen-by-somebody")
    owner.save()
    assert open_demo(bind="0.0.0.0").passwords == dict(own) | {known.owner_email: ""}
    assert lets_in(known.owner_email, "chosen-by-somebody")


@pytest.mark.django_db
def test_accounts_that_the_stored_file_does_not_list_get_a_password_of_their_own(var):
    """The file may be of a version whose demo had fewer accounts."""
    (var / ACCESS_FILE).write_text("owner@example.org chosen-before\n", encoding="ascii")
    access = open_demo(bind="0.0.0.0")
    assert access.passwords[access.owner_email] == "chosen-before"
    assert PASSWORD not in access.passwords.values()
    assert not lets_in(access.viewer_email, PASSWORD)
    assert open_demo(bind="0.0.0.0").passwords == access.passwords


@pytest.mark.django_db
def test_a_deleted_account_is_no_log_in_of_the_demo(var):
    known = open_demo(bind="127.0.0.1")
    admin = User.objects.get(email=known.admin_email)
    delete_account(user=admin, new_owner=None, actor=None)
    for bind in ("127.0.0.1", "0.0.0.0"):
        assert set(open_demo(bind=bind).passwords) == set(known.passwords) - {known.admin_email}
    printed = io.StringIO()
    call_command("seed_demo", stdout=printed)
    assert known.owner_email in printed.getvalue()
    assert known.admin_email not in printed.getvalue()


@pytest.mark.django_db
def test_the_site_administrator_of_the_demo_stays_deleted(var):
    known = open_demo(bind="127.0.0.1")
    add_user(email="mara@example.edu", site_administrator=True)
    site = User.objects.get(email=known.site_admin_email)
    delete_account(user=site, new_owner=None, actor=None)
    assert known.site_admin_email not in open_demo(bind="127.0.0.1").passwords
    assert not User.objects.filter(email=known.site_admin_email).exists()


@pytest.mark.django_db
def test_what_is_printed_of_the_demo_is_true_of_each_account(var):
    known = open_demo(bind="127.0.0.1")
    owner, admin = (User.objects.get(email=one) for one in (known.owner_email, known.admin_email))
    owner.set_password("chosen-by-somebody")
    owner.save()
    set_active(user=admin, active=False, actor=None)
    printed = io.StringIO()
    call_command("seed_demo", stdout=printed)
    lines = dict(line.split("  ", 1) for line in printed.getvalue().splitlines()[1:])
    assert lines[known.owner_email] == "password: (the one that was chosen)"
    assert lines[known.researcher_email] == f"password: {PASSWORD}"
    for bind in ("127.0.0.1", "0.0.0.0"):
        assert known.admin_email not in open_demo(bind=bind).passwords


@pytest.mark.django_db
def test_a_demo_whose_link_was_revoked_starts_and_makes_no_other(var):
    study = Study.objects.get(slug=open_demo(bind="127.0.0.1").study_slug)
    for link in study.invitations.filter(rater=None):
        revoke(invitation=link, actor=study.memberships.get(role="owner").user)
    links = study.invitations.count()
    access = open_demo(bind="127.0.0.1")
    assert (access.invitation_token, study.invitations.count()) == ("", links)
    printed = io.StringIO()
    call_command("seed_demo", stdout=printed)
    assert "invitation (every link was revoked)" in printed.getvalue()
    lines = "\n".join(demo_lines(Address("127.0.0.1", 8000, explicit=False), access))
    assert "(every link was revoked)" in lines
    assert "/join/" not in lines


@pytest.mark.parametrize(
    "host", ["0.0.0.0", "::", "192.0.2.7", "ratings.example.org", "*", "localhost.example"]
)
def test_what_others_can_reach_is_not_local(host: str):
    assert not is_local(host)


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.9", "::1", "[::1]", "localhost"])
def test_this_machine_is_local(host: str):
    assert is_local(host)


@pytest.mark.django_db
def test_a_host_that_others_know_is_enough(var, settings: Settings):
    settings.ALLOWED_HOSTS = ["ratings.example.org"]
    assert PASSWORD not in open_demo(bind="127.0.0.1").passwords.values()


@pytest.mark.processes
def test_migrate_makes_all_that_the_demo_needs(migrated: Installation) -> None:
    """Joining counts in the cache, whose table is none of a model."""
    seeded = migrated.manage("seed_demo")
    assert (seeded.returncode, seeded.stderr) == (0, "")
