"""A study for each kind of question, whose two items two raters answered and an adjudicator has to decide."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from annotation.domain.base.states import StudyState
from annotation.domain.rating.simulated_raters import AnsweringPattern
from annotation.models import Study, User
from annotation.protocols.template import StudyTemplate
from annotation.selectors.adjudication.final_answers import adjudicated_rows
from annotation.services.adjudication.case_selection import send_items
from annotation.services.items.item_storage import NewItem, add_items
from annotation.services.rating.simulation import simulate
from annotation.services.studies.lifecycle import change_state, create_from_template
from tests.e2e.demo import Demo
from tests.e2e.rating.every_kind.kind_case import SHORT
from tests.e2e.rating.every_kind.kind_studies import templates
from tests.e2e.rating.every_kind.kinds import CASES

ITEMS = ("one", "two")
DECIDED = [kind for kind, case in CASES.items() if case.case_keys]


def make() -> dict[str, Any]:
    """Make the studies; by kind the slug and the key of the first case."""
    made = templates()
    slugs = {kind: f"case-{kind}".replace("_", "-") for kind in DECIDED}
    return {kind: {"slug": slug, "case": _case(slug, made[kind])} for kind, slug in slugs.items()}


def _case(slug: str, template: StudyTemplate) -> int:
    owner = User.objects.get(email="owner@example.org")
    study = create_from_template(template=template, slug=slug, title=slug, owner=owner, overlap=2)
    fields = dict.fromkeys(template.texts, SHORT)
    add_items(study=study, rows=[NewItem(key=key, fields=fields, group="g") for key in ITEMS])
    study = change_state(study=study, to=StudyState.OPEN, actor=owner)
    simulate(study=study, raters=2, mix={AnsweringPattern.RANDOM: 1.0}, seed=5)
    send_items(study=study, keys=ITEMS, actor=owner)
    return int(study.cases.get(item__key=ITEMS[0]).pk)


def decided(slug: str) -> dict[str, Any]:
    """Of each criterion its final answer, as files hold it."""
    return {row["criterion"]: row["value"] for row in adjudicated_rows(Study.objects.get(slug=slug))}


def opened(demo: Demo) -> Mapping[str, Any]:
    """Make the studies in a running demo."""
    return demo.call(make)


def decided_in(demo: Demo, slug: str) -> Mapping[str, Any]:
    """`decided` in a running demo."""
    return demo.call(decided, slug)
