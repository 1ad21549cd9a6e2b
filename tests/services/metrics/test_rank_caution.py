"""Pages say where ranks and differences of systems rest on few groups or items."""

from __future__ import annotations

import pytest
from django.urls import reverse

from annotation.models import User
from tests.services.metrics.computing import compute
from tests.support.studies.rated_study import rated_study

pytestmark = pytest.mark.django_db


def test_pages_say_that_ranks_of_many_systems_need_more_groups_where_they_are_shown(client):
    study = rated_study(items=15)
    report = compute(study)
    for row in report.figures:
        if (row["level"], row["coefficient"]) == ("system", "spearman"):
            row["signature"] += "|caution:few_for_ranks"
    report.save()
    client.force_login(User.objects.get(email="researcher-lamps@example.org"))
    address = reverse("study-metrics", args=[study.slug])
    for coefficient, has_caution in (("spearman", True), ("pearson", False)):
        page = client.get(address, {"level": "system", "coefficient": coefficient}).content.decode()
        assert ("Rank correlations of more than 10 systems" in page) == has_caution


@pytest.mark.parametrize(("units", "has_caution"), [(95, True), (96, False), (None, False)])
def test_the_page_of_systems_says_where_intervals_of_differences_are_too_narrow(client, units, has_caution):
    """A report of before has no number of units, and says nothing of them."""
    study = rated_study(items=15)
    report = compute(study)
    assert report.tables["systems"].pop("units") > 0
    report.tables["systems"] |= {} if units is None else {"units": units}
    report.save()
    client.force_login(User.objects.get(email="researcher-lamps@example.org"))
    page = " ".join(client.get(reverse("study-systems", args=[study.slug])).content.decode().split())
    assert ("With fewer than 96 items or groups, these 95% CIs are too narrow" in page) == has_caution
