"""The shared property of a simile, one of four options, after He et al. (ACL 2022)."""

from __future__ import annotations

from annotation.domain.states import CriterionKind
from annotation.protocols.template import CriterionTemplate, FormTemplate, Point, StudyTemplate

PROBING = StudyTemplate(
    key="simile_probing",
    title="The property of a simile (probing)",
    description="A simile with its property left out and four options, one of them right.",
    consent="You are asked to complete similes. You may stop at any time by pressing “Withdraw”.",
    instructions="Choose the option that completes the simile best. Exactly one is meant to be right.",
    texts=("sentence", "options"),
    forms=(
        FormTemplate(
            key="property",
            title="Property",
            blocks=[
                {"field": "sentence", "label": "Simile", "role": "figure", "mark": []},
                {"field": "options", "label": "Options", "role": "literal", "mark": []},
            ],
            criteria=(
                CriterionTemplate(
                    key="property",
                    name="Property",
                    question="Which option belongs in the gap?",
                    points=tuple(Point(str(number), f"option {number}") for number in range(4)),
                    kind=CriterionKind.CHOICE,
                ),
            ),
        ),
    ),
)
