"""Errors in renderings of figurative sentences, each with category and severity, then an overall value.

After the error annotation of machine translation (Lommel et al. 2014; Kocmi et al. 2024).
"""

from __future__ import annotations

from annotation.domain.base.messages import message
from annotation.domain.questions.kinds.marking.errors import ERRORS
from annotation.domain.questions.kinds.slider import SLIDER
from annotation.protocols.demo.error_spans import DEMO
from annotation.protocols.template import CriterionTemplate, FormTemplate, Point, StudyTemplate

RATERS = 3
WEIGHTS = {"minor": 1, "major": 5, "critical": 25}
CONSENT = """\
You are asked to mark errors in short texts. You may stop at any time, without giving a reason, by \
“Withdraw” on the page “Pause”. Your answers, their times, how often the page was left or pasted into, and a \
code are stored and may be published in this form."""
INSTRUCTIONS = """\
Read the original, then the rendering. Mark each place that is wrong in it: as few words as show the \
error. Choose how severe the error is and what kind of error it is. Words that are missing are marked at \
the words beside the gap. If nothing is wrong, select “No error”. Then say how much of the original the \
whole rendering keeps."""

ERROR_SPANS = StudyTemplate(
    key="error_spans",
    title=message("Error spans"),
    description=message(
        "Renderings of figures of speech. Raters mark errors with category and severity, then rate the whole."
    ),
    consent=CONSENT,
    instructions=INSTRUCTIONS,
    texts=("original", "rendering"),
    forms=(
        FormTemplate(
            key="errors",
            title="Errors",
            blocks=(
                {"field": "original", "label": "Original", "role": "text", "lang": "en"},
                {"field": "rendering", "label": "Rendering", "role": "figure"},
            ),
            criteria=(
                CriterionTemplate(
                    key="errors",
                    name="Errors",
                    question="What is wrong in the rendering?",
                    points=(
                        Point("meaning", "Meaning", "it says something else than the original", "m"),
                        Point("wording", "Wording", "nobody would put it like this", "w"),
                        Point("grammar", "Grammar", "form, spelling or punctuation is wrong", "g"),
                        Point("omission", "Omission", "something of the original is missing here", "o"),
                        Point("minor", "Minor", "you notice it, and still understand what is meant", "1"),
                        Point("major", "Major", "it misleads, or you cannot tell what it says", "2"),
                        Point("critical", "Critical", "it does harm, or makes the text useless", "3"),
                    ),
                    kind=ERRORS,
                    settings={"errors": {"weights": WEIGHTS}},
                ),
                CriterionTemplate(
                    key="overall",
                    name="The whole rendering",
                    question="How much of the original does it keep?",
                    points=(Point("0", "nothing", keyboard=""), Point("100", "everything", keyboard="")),
                    kind=SLIDER,
                ),
            ),
        ),
    ),
    overlap=RATERS,
    demo=DEMO,
)
