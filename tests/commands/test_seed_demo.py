"""`seed_demo` says where to go: a whole link, or what is missing for one."""

from __future__ import annotations

import io

import pytest
from django.core.management import call_command
from pytest_django import Settings

from annotation.management.commands.seed_demo import Command

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("origins", "link"),
    [
        (["https://ratings.example.org"], "invitation https://ratings.example.org/join/"),
        (["https://*.example.org", "https://b.example.org/"], "invitation https://b.example.org/join/"),
        ([], "invitation /join/"),
    ],
)
def test_the_invitation_is_a_link_where_the_address_is_known(
    settings: Settings, origins: list[str], link: str
) -> None:
    settings.CSRF_TRUSTED_ORIGINS = origins
    out = io.StringIO()
    call_command(Command(), stdout=out)
    (first, *_) = out.getvalue().splitlines()
    assert link in first
    assert first.endswith("(GROUNDWORK_ORIGINS is not set)") == (not origins)
