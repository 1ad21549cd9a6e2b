"""Stories for prompts on six criteria, every point described, after Chhun et al. (COLING 2022)."""

from __future__ import annotations

from annotation.domain.base.messages import message
from annotation.domain.base.orders import GroupPlacement
from annotation.protocols.demo.hanna import DEMO
from annotation.protocols.template import FormTemplate, Serving, StudyTemplate, described_scale

CONSENT = """\
You are asked to rate short stories. You may stop at any time, without giving a reason, by \
“Withdraw” on the page “Pause”.

Your answers, the times at which you gave them, how often \
the page was left or pasted into, and a code are stored. They are used for research and may \
be published in this form."""

WARNING = """\
Some of the stories describe violence, death or other things that can upset."""

INSTRUCTIONS = """\
Each page shows a prompt and a story written for it. Read the whole story first, then answer six \
questions about it. They are independent of each other: a story may be well told and have little to do \
with its prompt. Use the whole scale, and read what the point you choose says."""


CRITERIA = (
    described_scale(
        "relevance",
        "How closely does the story follow its prompt?",
        ("Not at all", "It could have been written for any other prompt."),
        ("Slightly", "One detail recalls the prompt."),
        ("Partly", "The prompt is there, beside much else."),
        ("Mostly", "It follows the prompt, with a digression."),
        ("Fully", "Everything in it answers the prompt."),
    ),
    described_scale(
        "coherence",
        "How well do the parts of the story fit together?",
        ("Not at all", "Sentences follow one another without a connection."),
        ("Slightly", "A thread can be guessed, and is often lost."),
        ("Partly", "The thread holds in places; some turns make no sense."),
        ("Mostly", "It holds together but for a detail."),
        ("Fully", "Every part has its place."),
    ),
    described_scale(
        "empathy",
        "How well could you feel with the characters?",
        ("Not at all", "Nobody in it feels anything you could share."),
        ("Slightly", "A feeling is named, not conveyed."),
        ("Partly", "You understand what somebody feels."),
        ("Mostly", "You feel with somebody in parts of the story."),
        ("Fully", "You feel with the characters throughout."),
    ),
    described_scale(
        "surprise",
        "How much did the ending surprise you?",
        ("Not at all", "You knew it from the beginning, or there is no ending."),
        ("Slightly", "You saw it coming early."),
        ("Partly", "You saw it coming about half way."),
        ("Mostly", "You did not see it coming, and it is plausible or nearly so."),
        ("Fully", "You did not see it coming, and it could not be otherwise."),
    ),
    described_scale(
        "engagement",
        "How much did the story draw you in?",
        ("Not at all", "You read on because you had to."),
        ("Slightly", "A sentence caught you."),
        ("Partly", "You wanted to know how it goes on, in places."),
        ("Mostly", "You wanted to know how it ends."),
        ("Fully", "You forgot that you were rating."),
    ),
    described_scale(
        "complexity",
        "How elaborate is the story?",
        ("Not at all", "One plain event, without setting or character."),
        ("Slightly", "A setting or a character, nothing more."),
        ("Partly", "A simple plot with somebody in it."),
        ("Mostly", "A plot with several steps, or characters who differ."),
        ("Fully", "A whole world: plot, setting and characters worked out."),
    ),
)

HANNA = StudyTemplate(
    key="hanna",
    title=message("Stories for prompts (HANNA)"),
    description=message(
        "Relevance, coherence, empathy, surprise, engagement and complexity, on scales from 1 to 5."
    ),
    consent=CONSENT,
    instructions=INSTRUCTIONS,
    texts=("prompt", "story"),
    content_warning=WARNING,
    least_seconds=30,
    exempt_characters=200,
    forms=(
        FormTemplate(
            key="stories",
            title="Stories",
            blocks=[
                {"field": "prompt", "label": "Prompt", "role": "literal", "mark": []},
                {"field": "story", "label": "Story", "role": "figure", "mark": []},
                {
                    "field": "human_story",
                    "label": "For comparison, a story by a human writer; it is not rated here",
                    "role": "literal",
                    "mark": [],
                    "optional": True,
                },
            ],
            criteria=CRITERIA,
        ),
    ),
    demo=DEMO,
    serving=Serving(keep_groups=GroupPlacement.SEPARATED, more_allowed=True),
)
