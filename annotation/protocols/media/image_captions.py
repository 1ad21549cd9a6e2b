"""Figurative captions of pictures: does a caption fit its picture, and does it say more than the picture?"""

from __future__ import annotations

from annotation.domain.base.messages import message
from annotation.domain.items.media import IMAGE
from annotation.protocols.demo.image_captions import DEMO
from annotation.protocols.template import CONSENT, CriterionTemplate, FormTemplate, Point, StudyTemplate

FIT_ENDS = ("does not fit", "fits completely")
MORE_ENDS = ("says no more", "says much more")


def _scale(ends: tuple[str, str]) -> tuple[Point, ...]:
    low, high = ends
    return (Point("1", low), Point("2"), Point("3"), Point("4"), Point("5", high))


IMAGE_CAPTIONS = StudyTemplate(
    key="image_captions",
    title=message("Image captions"),
    description=message("Pictures with figurative captions, rated for fit and for what they add."),
    consent=CONSENT.format(task="to look at pictures and to rate their captions"),
    instructions=(
        "Look at the picture first, then read its caption. A caption fits if you see in the picture what it "
        "speaks of. It adds something if it makes you see the picture differently. Whether you like the "
        "picture does not matter."
    ),
    texts=("picture", "caption"),
    forms=(
        FormTemplate(
            key="captions",
            title="Captions",
            blocks=(
                {"field": "picture", "label": "", "role": IMAGE, "mark": []},
                {"field": "caption", "label": "Caption", "role": "figure", "mark": ["vehicle"]},
            ),
            criteria=(
                CriterionTemplate(
                    key="fit",
                    name="Fit",
                    question="Does the caption fit the picture?",
                    points=_scale(FIT_ENDS),
                ),
                CriterionTemplate(
                    key="addition",
                    name="Addition",
                    question="Does it say more than the picture shows?",
                    points=_scale(MORE_ENDS),
                ),
            ),
        ),
    ),
    demo=DEMO,
)
