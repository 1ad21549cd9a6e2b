"""Noun and verb phrase, three criteria on separate pages; after Miyazawa & Miyao (IWCS 2017)."""

from __future__ import annotations

from annotation.domain.base.messages import message
from annotation.domain.base.states import DesignKind
from annotation.protocols.demo.miyazawa import DEMO
from annotation.protocols.template import (
    CONSENT,
    CriterionTemplate,
    FormTemplate,
    Point,
    Serving,
    StudyTemplate,
)

INSTRUCTIONS = """\
Each page shows one expression and asks one thing about it. Only the two ends of the scale are \
described; choose what lies between them by feeling. Do not think long about one expression."""


def _form(key: str, question: str, low: str, high: str) -> FormTemplate:
    points = (Point("1", low), Point("2"), Point("3"), Point("4"), Point("5", high))
    return FormTemplate(
        key=key,
        title=key.capitalize(),
        blocks=[{"field": "expression", "label": "Expression", "role": "figure", "mark": []}],
        criteria=(CriterionTemplate(key=key, name=key.capitalize(), question=question, points=points),),
    )


MIYAZAWA = StudyTemplate(
    key="miyazawa",
    title=message("Metaphorical expressions (Miyazawa & Miyao)"),
    description=message(
        "Metaphoricity, comprehensibility and novelty of expressions, from 1 to 5, asked separately."
    ),
    consent=CONSENT.format(task="to judge expressions"),
    instructions=INSTRUCTIONS,
    texts=("expression",),
    forms=(
        _form("metaphoricity", "How figurative is this?", "taken literally", "clearly a metaphor"),
        _form("comprehensibility", "How easily is this understood?", "makes no sense", "understood at once"),
        _form("novelty", "How new is this to you?", "in common use", "never met before"),
    ),
    demo=DEMO,
    overlap=10,
    serving=Serving(
        design=DesignKind.BATCHES, batch_size=20, batches_per_rater=1, mixed=True, more_allowed=True
    ),
)
