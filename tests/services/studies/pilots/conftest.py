"""A pilot with answers, and its open main study with answers of its own."""

from __future__ import annotations

import pytest

from annotation.domain.base.states import StudyState
from annotation.models import Study
from annotation.services.studies.lifecycle import change_state
from annotation.services.studies.pilots.main_study import MainItems, create_main_study
from tests.services.questions.rewording import rate
from tests.services.studies.pilots.two_studies import ITEMS, again
from tests.support.people import Cast, make_cast


@pytest.fixture
def cast(db: None) -> Cast:
    """A pilot in which two raters answered four and two of six items."""
    cast = make_cast(items=6, overlap=2)
    version = cast.study.forms.get().versions.get()
    rate(cast.study, "R-11", ITEMS, version)
    rate(cast.study, "R-12", ITEMS[:2], version)
    return cast


@pytest.fixture
def main(cast: Cast) -> Study:
    """Its main study, open, in which two raters have answered three items each."""
    made = create_main_study(
        pilot=cast.study,
        slug="main",
        title="The main study",
        owner=cast.users["owner"],
        items=MainItems.ALL,
        refuse_raters=True,
        with_pay=False,
    ).study
    change_state(study=made, to=StudyState.OPEN, actor=None)
    version = made.forms.get().versions.get()
    rate(made, "R-11", ITEMS[1:], version)
    rate(made, "R-22", ITEMS[1:], version)
    return again(made)
