"""The shared property of a simile, in three tasks, after He et al. (ACL 2022)."""

from __future__ import annotations

from annotation.domain.base.messages import message
from annotation.domain.base.states import DesignKind
from annotation.domain.questions.kinds.choice import CHOICE
from annotation.domain.questions.kinds.multiple import MULTIPLE
from annotation.domain.questions.kinds.text import TEXT
from annotation.protocols.demo.probing import GAP_DEMO, PROPERTY_DEMO, SIMILE_DEMO
from annotation.protocols.template import (
    CONSENT,
    YES_NO,
    CriterionTemplate,
    FormTemplate,
    Point,
    Serving,
    StudyTemplate,
)

EVERYTHING = Serving(design=DesignKind.ALL)
NOT_SURE = Point("unsure", "Not sure")


def _component(key: str, question: str, *, required: bool = True) -> CriterionTemplate:
    return CriterionTemplate(
        key=key,
        name=key.capitalize(),
        question=question,
        kind=TEXT,
        required=required,
        asked_after="simile",
        asked_when="yes",
    )


PROBING = StudyTemplate(
    key="simile_probing",
    title=message("The property of a simile (probing)"),
    description=message("A simile without its property and four options, one of them correct."),
    consent=CONSENT.format(task="to complete similes"),
    instructions="Choose the option that completes the simile best. Exactly one is meant to be right.",
    texts=("sentence", "options"),
    forms=(
        FormTemplate(
            key="property",
            title="Property",
            blocks=[
                {"field": "sentence", "label": "Simile", "role": "figure", "mark": [], "blank": True},
                {"field": "options", "label": "Options", "role": "options", "of": "property"},
            ],
            criteria=(
                CriterionTemplate(
                    key="property",
                    name="Property",
                    question="Which option belongs in the gap?",
                    points=(*(Point(str(number), f"option {number}") for number in range(4)), NOT_SURE),
                    kind=CHOICE,
                    settings={"shuffled": True, "unsure": NOT_SURE.value, "answer_key": "right"},
                ),
            ),
        ),
    ),
    demo=GAP_DEMO,
    serving=EVERYTHING,
)

PROBING_SIMILES = StudyTemplate(
    key="simile_probing_components",
    title=message("Similes and their components (probing)"),
    description=message(
        "Whether a sentence is a simile, and which words are its topic, property, vehicle and event."
    ),
    consent=CONSENT.format(task="to find similes and their parts"),
    instructions="""\
A simile compares things that are unlike each other. “My brother looks like our grandfather” compares \
two people and is none; “the fence leaned like a man listening” is one.

The topic is what is spoken of, the vehicle what it is compared with, the event what topic and vehicle \
both do or are, and the property what they share. Copy the words from the sentence. Leave the property \
open where the sentence does not say it, and the event where there is none but “is”.""",
    texts=("sentence",),
    forms=(
        FormTemplate(
            key="components",
            title="Components",
            blocks=[{"field": "sentence", "label": "Sentence", "role": "figure", "mark": []}],
            criteria=(
                CriterionTemplate(
                    key="simile",
                    name="Simile",
                    question="Is the sentence a simile?",
                    points=YES_NO,
                    kind=CHOICE,
                    settings={"answer_key": "simile"},
                ),
                _component("topic", "What is spoken of?"),
                _component("property", "What do both share, if the sentence says it?", required=False),
                _component("vehicle", "What is it compared with?"),
                _component("event", "What do both do, if anything?", required=False),
            ),
        ),
    ),
    demo=SIMILE_DEMO,
    serving=EVERYTHING,
)

PROBING_CATEGORIES = StudyTemplate(
    key="simile_probing_categories",
    title=message("Categories of a simile’s property (probing)"),
    description=message(
        "The categories of the shared property of a simile, out of seven; several may apply."
    ),
    consent=CONSENT.format(task="to sort properties"),
    instructions="Choose every category that holds for the property as it is meant in the simile.",
    texts=("simile", "property"),
    forms=(
        FormTemplate(
            key="categories",
            title="Categories",
            blocks=[
                {"field": "simile", "label": "Simile", "role": "figure", "mark": []},
                {"field": "property", "label": "Property", "role": "literal", "mark": []},
            ],
            criteria=(
                CriterionTemplate(
                    key="category",
                    name="Category",
                    question="What kind of property is it? Choose all that hold.",
                    points=(
                        Point("qualities", "Quality", "of character or of make: brave, sturdy"),
                        Point("condition", "Condition", "a state that passes: tired, empty"),
                        Point("sense", "Sense", "felt, heard, smelled or tasted: rough, loud, sweet"),
                        Point("measurement", "Measurement", "of size, weight or number: tall, heavy"),
                        Point("colour", "Colour", "a hue or a brightness: red, pale"),
                        Point("time", "Time", "of duration, speed or age: brief, old"),
                        Point("emotion", "Emotion", "what somebody feels: glad, afraid"),
                    ),
                    kind=MULTIPLE,
                ),
            ),
        ),
    ),
    demo=PROPERTY_DEMO,
    overlap=2,
    serving=EVERYTHING,
)
