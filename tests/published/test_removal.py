"""HAUSER's rule on HAUSER's published ratings: they are those that were left after it."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotation.services.base.accounts import add_user
from annotation.services.quality.exclusion_rules import declare_rule
from scoring.replication.hauser.table_2 import PRINTED
from scoring.selectors.raters.rule_pages import table_2_rows
from scoring.services.reports.published.hauser import import_hauser
from tests.support.studies.disagreement_study import HAUSER, previewed

pytestmark = [pytest.mark.django_db, pytest.mark.published_data]


def test_figures_before_the_rule_are_those_the_paper_prints_after_it(published_data: Path) -> None:
    owner, _ = add_user(email="owner@example.org", password="simile-and-metaphor-42", name="Owner")
    study, _ = import_hauser(data=published_data / "hauser", owner=owner)
    rule = declare_rule(
        study=study,
        name="HAUSER",
        conditions=HAUSER,
        reason="As published.",
        criteria=list(map(str.lower, PRINTED)),
        actor=owner,
    )
    assert not rule.before_opening
    preview = previewed(rule)
    rows = [row for row in table_2_rows(preview) if row["setting"] == "before"]
    found = {row["criterion"]: tuple(f"{cell['value']:.3f}" for cell in row["cells"]) for row in rows}
    assert found == {name.lower(): printed for name, printed in PRINTED.items()}
    assert preview.tables["before"]["counts"]["items"] == 150
