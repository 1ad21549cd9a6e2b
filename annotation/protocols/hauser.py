"""Simile generation: quality, creativity and informativeness, after He et al. (ACL 2023), section 4.1."""

from __future__ import annotations

from annotation.domain.base.messages import message
from annotation.protocols.demo.hauser import DEMO
from annotation.protocols.template import FormTemplate, Serving, StudyTemplate, described_scale

CONSENT = """\
You are asked to rate similes. You may stop at any time, without giving a reason, by \
“Withdraw” on the page “Pause”; what you saved until then stays in the study without your name.

Your answers, the times at which you gave them, how often \
the page was left or pasted into, and a code are stored. They are used for research and \
may be published in this form."""

INSTRUCTIONS = """\
A simile says what something is like. In “The harbour went quiet like a theatre after the final bow”, \
the harbour is the topic, a theatre after the final bow is the vehicle, and going quiet is the event \
they share. Each page shows a literal sentence and a simile written for it.

Quality asks whether the comparison fits: whether topic and vehicle belong together, whether the simile \
says nothing that the sentence denies, and whether it leaves the feeling of the sentence as it was. \
Creativity asks how fresh the comparison is. Informativeness asks what the vehicle tells you that the \
sentence alone does not. The three are independent: a worn simile can fit very well.

Use the whole scale, and read what the point you choose says. If you cannot tell without knowing more \
about the situation, select “Can’t rate: not enough context”."""

QUALITY = described_scale(
    "quality",
    "Does the comparison fit the sentence, in sense and in feeling?",
    ("Unusable", "It contradicts the sentence or cannot be understood."),
    ("Poor", "Related, but the logic or the feeling is wrong."),
    ("Acceptable", "Understandable; the fit or the tone is a little off."),
    ("Good", "Fits in sense and in feeling; a word could be better."),
    ("Excellent", "Fits in sense, logic and feeling; nothing to change."),
)
CREATIVITY = described_scale(
    "creativity",
    "How fresh is the comparison?",
    ("Stock", "You have met it many times in these words."),
    ("Familiar", "A common pairing, slightly reworded."),
    ("Some freshness", "The pairing is known; the image is its own."),
    ("Fresh", "You did not expect it, and you would remember it."),
    ("Striking", "New to you, and it changes how you see the thing."),
)
INFORMATIVENESS = described_scale(
    "informativeness",
    "What does the vehicle tell you that the literal sentence does not?",
    ("Nothing", "It only decorates."),
    ("A shade", "It adds a vague colour, nothing you could name."),
    ("One detail", "It adds one thing you could name."),
    ("Several details", "You learn how it looks, sounds or feels."),
    ("A scene", "Without it you would picture something else."),
)
BLOCKS = [
    {"field": "literal", "label": "Literal sentence", "role": "literal", "mark": []},
    {"field": "simile", "label": "Simile", "role": "figure", "mark": ["vehicle"]},
]

HAUSER = StudyTemplate(
    key="hauser",
    title=message("Similes for literal sentences (HAUSER)"),
    description=message("Quality, creativity and informativeness of similes, on scales from 1 to 5."),
    consent=CONSENT,
    instructions=INSTRUCTIONS,
    texts=("literal", "simile"),
    forms=(
        FormTemplate(
            key="similes",
            title="Similes",
            blocks=BLOCKS,
            criteria=(QUALITY, CREATIVITY, INFORMATIVENESS),
        ),
    ),
    demo=DEMO,
    serving=Serving(more_allowed=True),
)
