"""Which of two is preferred, side by side; after the evaluation of Miyazawa & Miyao (IWCS 2017), Table 6."""

from __future__ import annotations

from annotation.domain.base.messages import message
from annotation.domain.base.states import DesignKind
from annotation.domain.questions.kinds.preference import PREFERENCE as PREFERENCE_KIND
from annotation.domain.questions.option_settings import TIE
from annotation.protocols.demo.preference import DEMO
from annotation.protocols.template import CriterionTemplate, FormTemplate, Point, Serving, StudyTemplate

CONSENT = """\
You are asked to choose between expressions. You may stop at any time, without giving a reason, by \
“Withdraw” on the page “Pause”. Your answers, their times, on which side each expression stood, how often \
the page was left or pasted into, and a code are stored and may be published in this form."""
SIDES = (Point("a", "the first"), Point("b", "the second"))
BLOCKS = (
    {"field": "a", "label": "One", "role": "side", "of": "preference", "value": "a"},
    {"field": "b", "label": "Other", "role": "side", "of": "preference", "value": "b"},
)


def _template(key: str, title: str, points: tuple[Point, ...], instructions: str) -> StudyTemplate:
    return StudyTemplate(
        key=key,
        title=title,
        description=message(
            "Pairs shown side by side. Raters choose which of the two they would rather use."
        ),
        consent=CONSENT,
        instructions=instructions,
        texts=("a", "b"),
        forms=(
            FormTemplate(
                key="preference",
                title="Preference",
                blocks=BLOCKS,
                criteria=(
                    CriterionTemplate(
                        key="preference",
                        name="Preference",
                        question="Which of the two would you rather use?",
                        points=points,
                        kind=PREFERENCE_KIND,
                    ),
                ),
            ),
        ),
        demo=DEMO,
        serving=Serving(design=DesignKind.ALL),
    )


PREFERENCE = _template(
    "preference",
    message("Preference between two"),
    SIDES,
    "Choose the one that you would rather use, whether or not it is figurative. Choose one of the two even "
    "where they are close.",
)
PREFERENCE_TIES = _template(
    "preference_ties",
    message("Preference between two, ties allowed"),
    (*SIDES, Point(TIE, "No preference")),
    "Choose the one that you would rather use, whether or not it is figurative, or say that you prefer "
    "neither.",
)
