"""Which of two stories for one prompt is the better one, and why."""

from __future__ import annotations

from annotation.domain.base.messages import message
from annotation.domain.base.orders import GroupPlacement
from annotation.domain.questions.kinds.preference import PREFERENCE
from annotation.domain.questions.kinds.text import TEXT
from annotation.domain.questions.option_settings import TIE
from annotation.protocols.demo.story_pairs import DEMO
from annotation.protocols.template import CriterionTemplate, FormTemplate, Point, Serving, StudyTemplate

CONSENT = """\
You are asked to compare short stories, two at a time. You may stop at any time, without giving a reason, \
by “Withdraw” on the page “Pause”. Your answers, their times, on which side each story stood, how often the \
page was left or pasted into, and a code are stored and may be published in this form."""
INSTRUCTIONS = """\
Both stories were written for the same prompt. Read both to the end. Choose the one that you would rather \
have written; choose “About equal” only if you cannot decide even after a second look. You may say in a few \
words what decided it."""

STORY_PAIRS = StudyTemplate(
    key="story_pairs",
    title=message("Two stories for one prompt"),
    description=message("Stories side by side. Raters choose the better one and may say why."),
    consent=CONSENT,
    instructions=INSTRUCTIONS,
    texts=("prompt", "a", "b"),
    forms=(
        FormTemplate(
            key="pairs",
            title="Two stories",
            blocks=(
                {"field": "prompt", "label": "Prompt", "role": "literal", "mark": []},
                {"field": "a", "label": "One story", "role": "side", "of": "better", "value": "a"},
                {"field": "b", "label": "Other story", "role": "side", "of": "better", "value": "b"},
            ),
            criteria=(
                CriterionTemplate(
                    key="better",
                    name="Better story",
                    question="Which story would you rather have written?",
                    points=(
                        Point("a", "the first story"),
                        Point("b", "the second story"),
                        Point(TIE, "About equal"),
                    ),
                    kind=PREFERENCE,
                ),
                CriterionTemplate(
                    key="reason", name="Reason", question="What decided it?", kind=TEXT, required=False
                ),
            ),
        ),
    ),
    demo=DEMO,
    serving=Serving(keep_groups=GroupPlacement.SEPARATED, more_allowed=True),
)
