"""Generated metaphors, one to three, after Shao et al. (LREC-COLING 2024), section 5."""

from __future__ import annotations

from annotation.protocols.template import CriterionTemplate, FormTemplate, Point, StudyTemplate


def _criterion(key: str, question: str, low: str, middle: str, high: str) -> CriterionTemplate:
    points = (Point("1", low), Point("2", middle), Point("3", high))
    return CriterionTemplate(
        key=key, name=key.replace("_", " ").capitalize(), question=question, points=points
    )


CMDAG = StudyTemplate(
    key="cmdag",
    title="Generated metaphors (CMDAG)",
    description="Clarity, creativity, authentic expression and a final score, one to three.",
    consent="You are asked to rate metaphors. You may stop at any time by pressing “Withdraw”.",
    instructions="Rate each metaphor as a reader of literature would, not as a corrector.",
    texts=("metaphor",),
    forms=(
        FormTemplate(
            key="metaphors",
            title="Metaphors",
            blocks=[{"field": "metaphor", "label": "Metaphor", "role": "figure", "mark": []}],
            criteria=(
                _criterion("clarity", "Is it clear what is compared?", "unclear", "guessable", "clear"),
                _criterion("creativity", "Is the comparison fresh?", "worn", "known", "fresh"),
                _criterion("authentic_expression", "Could a writer have put it so?", "no", "nearly", "yes"),
                _criterion("final_score", "How good is it as a whole?", "poor", "fair", "good"),
            ),
        ),
    ),
)
