"""One production installation for all tests of this folder: its tables take longer to make than they do."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.running.production import Site, documented, new_site

STUDY = """
from annotation.domain.base.states import StudyState
from annotation.models import User
from annotation.protocols.hauser import HAUSER
from annotation.services.people.invitations import invite
from annotation.services.studies.demo_studies import create_demo_study
from annotation.services.studies.lifecycle import change_state
owner = User.objects.create_user("owner@example.org", "simile-and-metaphor-42", name="Ada")
study = create_demo_study(template=HAUSER, slug="similes", title="Similes", owner=owner)
study = change_state(study=study, to=StudyState.OPEN, actor=owner)
print(invite(study=study, actor=owner, label="Everybody").token)
"""


@pytest.fixture(scope="session")
def unprepared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The settings of the example, with services of its own, before any command was run."""
    with new_site(tmp_path_factory.mktemp("production")) as site:
        if site is None:
            pytest.skip("no PostgreSQL, or no Redis")
        yield site


@pytest.fixture(scope="session")
def site(unprepared: Site) -> Site:
    """After the documented commands that prepare the start."""
    for command in documented()[:-2]:
        done = unprepared.run(command)
        assert done.returncode == 0, done.stderr
    return unprepared


@pytest.fixture(scope="session")
def link(site: Site) -> str:
    """The invitation link of an open study."""
    return f"/join/{site.run_script(STUDY)}/"
