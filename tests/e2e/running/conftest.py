"""A running study, opened by its owner in a browser without scripts."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.e2e.demo import Demo
from tests.e2e.running.keyboard import Keys
from tests.e2e.studies.signing_in import sign_in_as

# Raters from a platform, who can be paid and written to, one of them with an item on screen.
MAKE = """
from annotation.domain.base.platforms import Platform
from annotation.domain.base.states import StudyState
from annotation.domain.rating.simulated_raters import parse_mix
from annotation.models import PlatformIdentity, User
from annotation.protocols.registry import TEMPLATES
from annotation.services.people.invitations import invite
from annotation.services.rating.enrolment import consent
from annotation.services.rating.next_item import next_assignment
from annotation.services.rating.simulation import simulate
from annotation.services.studies.demo_studies import create_demo_study
from annotation.services.studies.lifecycle import change_state
owner = User.objects.get(email="owner@example.org")
study = create_demo_study(template=TEMPLATES["hauser"], slug="SLUG",
    title="By keyboard", owner=owner, overlap=5)
study = change_state(study=study, to=StudyState.OPEN, actor=owner)
simulate(study=study, raters=4, mix=parse_mix("careful=.5,line=.5"), seed=1, most=12)
study.raters.update(simulated=False)
link = invite(study=study, actor=owner, label="everybody")
next_assignment(rater=consent(invitation=link))
PlatformIdentity.objects.bulk_create(PlatformIdentity(rater=one, study=study, invitation=link,
    platform=Platform.PROLIFIC, person=f"person-{one.code}") for one in study.raters.all())
"""


@pytest.fixture
def keys(browser: Browser, demo: Demo, request: pytest.FixtureRequest) -> Iterator[Keys]:
    slug = request.node.name[-40:].strip("_").replace("_", "-")
    demo.installation.run_script(MAKE.replace("SLUG", slug))
    context = browser.new_context(java_script_enabled=False, viewport={"width": 1280, "height": 900})
    page = context.new_page()
    sign_in_as(page, demo, "owner@example.org")
    yield Keys(page, f"{demo.url.rstrip('/')}/studies/{slug}/")
    context.close()
