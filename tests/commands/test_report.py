"""`report`: a study's figures on the terminal."""

from __future__ import annotations

import io

import pytest
from django.core.management import call_command

from tests.support.studies.rated_study import rated_study

pytestmark = pytest.mark.django_db


def test_the_figures_end_with_how_they_were_computed():
    out = io.StringIO()
    call_command("report", rated_study().slug, "--bootstrap=20", "--seed=7", stdout=out)
    how = out.getvalue().splitlines()[-1]
    assert how.startswith("95% intervals: ")
    assert "; 20 bootstrap replicates, seed 7; groundwork " in how
