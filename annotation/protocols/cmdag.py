"""Chinese metaphors in two stages, and generated ones rated, after Shao et al. (LREC-COLING 2024)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from annotation.domain.base.messages import message
from annotation.domain.base.states import DesignKind
from annotation.domain.questions.kinds.choice import CHOICE
from annotation.domain.questions.kinds.marking.tuples import TUPLES
from annotation.domain.questions.kinds.text import TEXT
from annotation.domain.questions.tuple_settings import TupleSettings
from annotation.protocols.demo.cmdag import METAPHOR_DEMO, SENTENCE_DEMO
from annotation.protocols.template import (
    CONSENT,
    YES_NO,
    CriterionTemplate,
    FeedTemplate,
    FormTemplate,
    Point,
    Serving,
    StudyTemplate,
)

GLOSS: dict[str, Any] = {
    "field": "gloss",
    "label": "In English",
    "role": "literal",
    "mark": [],
    "lang": "en",
    "optional": True,
}
SENTENCE: dict[str, Any] = {"field": "sentence", "label": "Sentence", "role": "figure", "mark": []}
BEFORE: dict[str, Any] = {
    "field": "before",
    "label": "Before it",
    "role": "literal",
    "mark": [],
    "optional": True,
}
AFTER: dict[str, Any] = {**BEFORE, "field": "after", "label": "After it"}
METAPHOR = CriterionTemplate(
    key="metaphor",
    name="Metaphor",
    question="Does the sentence hold a genuine metaphor?",
    points=YES_NO,
    kind=CHOICE,
)
PARTS = tuple(Point(**point) for point in TUPLES.first_points)
# The tenor may be implicit; general nouns are pointed out.
MARKING = TupleSettings(
    marked=("tenor", "vehicle"),
    optional=("tenor",),
    adjective_noun=("ground",),
    general_nouns=("样子", "特征", "特点", "感受", "感觉"),
)


def _rated(key: str, question: str, low: str, middle: str, high: str) -> CriterionTemplate:
    points = (Point("1", low), Point("2", middle), Point("3", high))
    return CriterionTemplate(
        key=key,
        name=key.replace("_", " ").capitalize(),
        question=question,
        points=points,
        asked_after="reasonable",
        asked_when="yes",
    )


def _possible(key: str, question: str) -> CriterionTemplate:
    return CriterionTemplate(
        key=key,
        name=key.capitalize(),
        question=question,
        kind=TEXT,
        asked_after="metaphor",
        asked_when="yes",
    )


CMDAG = StudyTemplate(
    key="cmdag",
    title=message("Generated metaphors (CMDAG)"),
    description=message(
        "Reasonable or not; then clarity, creativity, authentic expression and a final score, from 1 to 3."
    ),
    consent=CONSENT.format(task="to rate metaphors"),
    instructions="""\
Rate each metaphor as a reader of literature would, not as a corrector. First say whether it is a \
reasonable metaphor at all: whether what is compared, and why, can be made out. Only reasonable ones \
are rated.""",
    texts=("metaphor",),
    forms=(
        FormTemplate(
            key="metaphors",
            title="Metaphors",
            blocks=[{"field": "metaphor", "label": "Metaphor", "role": "figure", "mark": []}, GLOSS],
            criteria=(
                CriterionTemplate(
                    key="reasonable",
                    name="Reasonable",
                    question="Is it a reasonable metaphor?",
                    points=YES_NO,
                    kind=CHOICE,
                ),
                _rated("clarity", "Is it clear what is compared?", "unclear", "guessable", "clear"),
                _rated("creativity", "Is the comparison fresh?", "worn", "known", "fresh"),
                _rated("authentic_expression", "Could a writer have put it so?", "no", "nearly", "yes"),
                _rated("final_score", "How good is it as a whole?", "poor", "fair", "good"),
            ),
        ),
    ),
    demo=METAPHOR_DEMO,
    overlap=1,
)

CMDAG_PRELIMINARY = StudyTemplate(
    key="cmdag_preliminary",
    title=message("Metaphors in Chinese sentences, first stage (CMDAG)"),
    description=message(
        "Whether a sentence contains a genuine metaphor, with its possible tenors and vehicles."
    ),
    consent=CONSENT.format(task="to find metaphors"),
    instructions="""\
Say whether the sentence speaks of one thing as another. Where it does, write down what may be the \
tenor (what is spoken of) and the vehicle (what it is spoken of as). Put ； between several.""",
    texts=("sentence",),
    forms=(
        FormTemplate(
            key="preliminary",
            title="First stage",
            blocks=[SENTENCE, GLOSS],
            criteria=(
                METAPHOR,
                _possible("tenors", "What is spoken of?"),
                _possible("vehicles", "What is it spoken of as?"),
            ),
        ),
    ),
    demo=SENTENCE_DEMO,
    overlap=2,
    serving=Serving(design=DesignKind.ALL),
)

CMDAG_REFINED = StudyTemplate(
    key="cmdag_refined",
    title=message("Tenor, vehicle and ground in Chinese sentences, second stage (CMDAG)"),
    description=message(
        "The tuples of tenor, vehicle and ground of a sentence, completed from earlier answers."
    ),
    consent=CONSENT.format(task="to complete annotations of metaphors"),
    instructions="""\
You see what others found in the sentence before you; correct and complete it. Each tuple has a tenor, \
a vehicle and a ground. Mark tenor and vehicle in the sentence; a tenor that it does not name stays open. A \
sentence may hold several; two parallel metaphors are two tuples.

The ground is an adjective and a noun, as in 清脆的声音. Nouns that say nothing, such as 样子, 特征, 特点, \
感受 and 感觉, are better avoided. Where there is no metaphor, say so and write no tuple.""",
    texts=("sentence", "earlier"),
    forms=(
        FormTemplate(
            key="refined",
            title="Second stage",
            blocks=[
                BEFORE,
                SENTENCE,
                AFTER,
                GLOSS,
                {"field": "earlier", "label": "Found before", "role": "literal", "mark": []},
            ],
            criteria=(
                METAPHOR,
                CriterionTemplate(
                    key="tuples",
                    name="Tuples",
                    question="What is spoken of as what, and on what ground?",
                    points=PARTS,
                    kind=TUPLES,
                    settings=MARKING.stored(),
                    asked_after="metaphor",
                    asked_when="yes",
                ),
            ),
        ),
    ),
    demo=SENTENCE_DEMO,
    serving=Serving(design=DesignKind.ALL),
)

(_FOUND,) = CMDAG_PRELIMINARY.forms
(_COMPLETED,) = CMDAG_REFINED.forms
_METAPHOR, _TUPLES = _COMPLETED.criteria
_POSSIBLE = replace(
    _TUPLES,
    name="Possible tuples",
    question="What may be spoken of as what?",
    points=PARTS[:2],
    settings=replace(MARKING, adjective_noun=(), general_nouns=()).stored(),
)

CMDAG_STAGES = StudyTemplate(
    key="cmdag_stages",
    title=message("Metaphors in Chinese sentences in two stages (CMDAG)"),
    description=message(
        "Two raters decide whether a sentence contains a metaphor, and find possible tenors and vehicles. If "
        "both find a metaphor, three other raters complete the tuples of tenor, vehicle and ground."
    ),
    consent=CONSENT.format(task="to annotate metaphors"),
    instructions=f"""\
There are two kinds of pages, for different people.

On pages of the first stage, say whether the sentence speaks of one thing as another. Where it does, mark \
what may be the tenor (what is spoken of) and the vehicle (what it is spoken of as); a tenor that the \
sentence does not name stays open.

On pages of the second stage: {CMDAG_REFINED.instructions}""",
    texts=("sentence",),
    forms=(
        replace(_FOUND, criteria=(_METAPHOR, _POSSIBLE), overlap=2),
        replace(
            _COMPLETED,
            blocks=[block for block in _COMPLETED.blocks if block["field"] != "earlier"],
            overlap=3,
            fed_by=FeedTemplate(form=_FOUND.key, criterion="metaphor", value="yes"),
        ),
    ),
    demo=SENTENCE_DEMO,
)
