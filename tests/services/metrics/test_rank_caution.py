"""Pages say where ranks of many systems rest on few groups or items."""

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
    for coefficient, said in (("spearman", True), ("pearson", False)):
        page = client.get(address, {"level": "system", "coefficient": coefficient}).content.decode()
        assert ("Rank correlations of more than 10 systems" in page) == said
