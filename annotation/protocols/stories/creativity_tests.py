"""Fourteen yes/no tests of a story's creativity, after the dimensions of Chakrabarty et al. (CHI 2024)."""

from __future__ import annotations

from annotation.domain.base.messages import message
from annotation.domain.base.orders import GroupPlacement
from annotation.domain.questions.kinds.binary import BINARY, NO, YES
from annotation.protocols.demo.creativity_tests import DEMO
from annotation.protocols.template import CriterionTemplate, FormTemplate, Point, Serving, StudyTemplate

SET = "creativity"
ANSWERS = (Point(NO, "No", keyboard="n"), Point(YES, "Yes", keyboard="y"))
CONSENT = """\
You are asked to read short stories and to answer fourteen questions about each with yes or no. You may \
stop at any time, without giving a reason, by “Withdraw” on the page “Pause”. Your answers, their times, how \
often the page was left or pasted into, and a code are stored and may be published in this form."""
INSTRUCTIONS = """\
Read the whole story first. Then answer each question by itself: a story can pass one test and fail the \
next. Answer “Yes” only if you could point to a place in the story that shows it."""
FLUENCY = (
    ("pace", "Pace", "Does the story take its time where it matters and pass quickly over the rest?"),
    (
        "scenes",
        "Scenes and summary",
        "Is there a good balance of what is shown in scenes and what is summarised?",
    ),
    ("figures", "Figures of speech", "Are its images and figures of speech apt, neither worn nor overdone?"),
    ("ending", "Ending", "Does the ending follow from the story, so that it does not merely break off?"),
    ("coherence", "Coherence", "Do the parts make a whole that you can follow?"),
)
FLEXIBILITY = (
    (
        "perspectives",
        "Perspectives",
        "Does the story make you see the world as its characters do, likeable or not?",
    ),
    ("feelings", "Events and feelings", "Is there a good balance of what happens and what is felt?"),
    ("turns", "Turns", "Is there a turn that surprises and is still believable?"),
)
ORIGINALITY = (
    ("theme", "Theme", "Would a well-read person find an idea in it that is new to them?"),
    ("cliches", "No clichés", "Is the story free of clichés?"),
    ("form", "Form", "Is there something unusual in how the story is told?"),
)
ELABORATION = (
    ("world", "World", "Can you see, hear or feel the place where it happens?"),
    ("characters", "Characters", "Has each character as much depth as the story needs?"),
    ("subtext", "Subtext", "Is there something important that is not said and can be felt?"),
)
TESTS = (*FLUENCY, *FLEXIBILITY, *ORIGINALITY, *ELABORATION)

CREATIVITY_TESTS = StudyTemplate(
    key="creativity_tests",
    title=message("Creativity tests for stories"),
    description=message("Fourteen yes/no tests of fluency, flexibility, originality and elaboration."),
    consent=CONSENT,
    instructions=INSTRUCTIONS,
    texts=("prompt", "story"),
    forms=(
        FormTemplate(
            key="tests",
            title="Creativity tests",
            blocks=[
                {"field": "prompt", "label": "Prompt", "role": "literal", "mark": []},
                {"field": "story", "label": "Story", "role": "figure", "mark": []},
            ],
            criteria=[
                CriterionTemplate(
                    key=key,
                    name=name,
                    question=question,
                    points=ANSWERS,
                    kind=BINARY,
                    settings={BINARY.key: {"set": SET}},
                )
                for key, name, question in TESTS
            ],
        ),
    ),
    demo=DEMO,
    serving=Serving(keep_groups=GroupPlacement.SEPARATED, more_allowed=True),
)
