"""Which of two sentences is more novel; pairs whose order is not known yet are rated."""

from __future__ import annotations

from annotation.domain.base.messages import message
from annotation.domain.questions.kinds.preference import PREFERENCE
from annotation.protocols.demo.adaptive_pairs import DEMO
from annotation.protocols.template import (
    CriterionTemplate,
    FormTemplate,
    PairingTemplate,
    Point,
    StudyTemplate,
)

MOST_PER_PAIR = 6
COMPARISONS = 180
CONSENT = """\
You are asked to compare short sentences, two at a time. You may stop at any time, without giving a reason, \
by “Withdraw” on the page “Pause”. Your answers, their times, on which side each sentence stood, how often \
the page was left or pasted into, and a code are stored and may be published in this form."""
INSTRUCTIONS = """\
A sentence is novel if you have never met its image before. Choose the more novel one of the two. Whether \
you like a sentence, or whether it is true, does not matter. Choose even if the two are close."""

ADAPTIVE_PAIRS = StudyTemplate(
    key="adaptive_pairs",
    title=message("Novelty in adaptive pairs"),
    description=message("Pairs of sentences, chosen while raters work where the order is still open."),
    consent=CONSENT,
    instructions=INSTRUCTIONS,
    texts=("a", "b"),
    forms=(
        FormTemplate(
            key="novelty",
            title="Novelty",
            blocks=(
                {"field": "a", "label": "One sentence", "role": "side", "of": "novel", "value": "a"},
                {"field": "b", "label": "Other sentence", "role": "side", "of": "novel", "value": "b"},
            ),
            criteria=(
                CriterionTemplate(
                    key="novel",
                    name="More novel",
                    question="Which sentence is more novel?",
                    points=(Point("a", "the first sentence"), Point("b", "the second sentence")),
                    kind=PREFERENCE,
                ),
            ),
            pairing=PairingTemplate(criterion="novel", budget=COMPARISONS, per_round=6),
        ),
    ),
    overlap=MOST_PER_PAIR,
    demo=DEMO,
)
