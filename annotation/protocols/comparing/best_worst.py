"""Which of four sentences is the most novel and which the least; after Kiritchenko & Mohammad (ACL 2017)."""

from __future__ import annotations

from annotation.domain.base.messages import message
from annotation.domain.items.drawn_sets import LETTERS, USUAL_SET
from annotation.domain.questions.kinds.orders.best_worst import BEST_WORST
from annotation.protocols.demo.best_worst import DEMO
from annotation.protocols.template import CriterionTemplate, FormTemplate, Point, StudyTemplate

RATERS = 5
OF_SET = LETTERS[:USUAL_SET]
CONSENT = """\
You are asked to compare short sentences, four at a time. You may stop at any time, without giving a reason, \
by “Withdraw” on the page “Pause”. Your answers, their times, the order in which the sentences were shown, \
how often the page was left or pasted into, and a code are stored and may be published in this form."""
INSTRUCTIONS = """\
A sentence is novel if you have never met its image before. In each set, choose the most novel sentence as \
the best and the least novel one as the worst. Whether you like a sentence, or whether it is true, does not \
matter. Choose even if two sentences are close."""

BEST_WORST_NOVELTY = StudyTemplate(
    key="best_worst_novelty",
    title=message("Best–worst novelty"),
    description=message(
        "Sets of four sentences. Raters choose the most and the least novel one of each set."
    ),
    consent=CONSENT,
    instructions=INSTRUCTIONS,
    texts=tuple(OF_SET),
    forms=(
        FormTemplate(
            key="novelty",
            title="Novelty",
            blocks=tuple(
                {
                    "field": letter,
                    "label": f"Sentence {letter.upper()}",
                    "role": "side",
                    "of": "novelty",
                    "value": letter,
                }
                for letter in OF_SET
            ),
            criteria=(
                CriterionTemplate(
                    key="novelty",
                    name="Novelty",
                    question="Which sentence is the most novel (best), and which the least novel (worst)?",
                    points=tuple(Point(letter) for letter in OF_SET),
                    kind=BEST_WORST,
                ),
            ),
        ),
    ),
    overlap=RATERS,
    demo=DEMO,
)
