"""The multiverse of exclusions: a row for every set of rules."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from annotation.models import (
    ExclusionRule,
    Study,
)
from annotation.services.quality.exclusion_rules import declare_rule
from annotation.services.quality.exclusions import exclude_items
from scoring.services.raters.multiverse import compute_multiverse, request_multiverse
from tests.support.studies.disagreement_study import (
    CRITERIA,
    HAUSER,
    _lease,
    make_study,
    owner_of,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def study() -> Study:
    return make_study()


def declared(study: Study, conditions: list[dict[str, Any]] = HAUSER, name: str = "HAUSER") -> ExclusionRule:
    return declare_rule(
        study=study,
        name=name,
        conditions=conditions,
        reason="As published.",
        criteria=CRITERIA,
        actor=owner_of(study),
    )


def test_the_multiverse_has_a_row_for_every_set_of_exclusions(study: Study) -> None:
    declared(study)
    declared(study, [{"kind": "too_fast", "seconds": 10}], "Fast")
    ExclusionRule.objects.update(before_opening=True)
    exclude_items(study=study, keys=["G00-0"], reason="Not a simile.", actor=owner_of(study))
    report = compute_multiverse(lease=_lease(request_multiverse(study=study, actor=None).pk))
    worlds = {world["key"]: world for world in report.tables["worlds"]}
    assert list(worlds) == ["none", "declared", "rule:hauser", "rule:fast", "standing"]
    assert worlds["none"]["counts"]["items"] == 60
    assert worlds["standing"]["counts"]["items"] == 59
    assert worlds["rule:hauser"]["counts"]["items"] == 60 - len(caught_by_hand(study))
    assert worlds["rule:hauser"]["before_opening"]


def client_of(study: Study) -> Client:
    client = Client()
    client.force_login(owner_of(study))
    return client
