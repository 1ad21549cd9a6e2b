"""The project’s own sentences about an evening, from clichéd to novel, in sets of four."""

from __future__ import annotations

from annotation.domain.items.drawn_sets import LETTERS, draw_sets
from annotation.protocols.template import Demo, DemoItem

SENTENCES = (
    "Night fell like a curtain.",
    "The moon was a silver coin.",
    "The streetlights switched on like an apology.",
    "The evening folded itself into the letterbox.",
    "Darkness covered the town like a blanket.",
    "The stars were diamonds in the sky.",
    "The last bus carried the daylight home as its only passenger.",
    "The windows began to hum in yellow.",
    "The sun sank like a stone.",
    "Dusk came up the stairs with its shoes in its hand.",
    "The square put its pigeons away.",
    "The shadows were as long as the day had been.",
)
SEED = 2017
DRAWN = draw_sets(len(SENTENCES), seed=SEED).sets

DEMO = Demo(
    items=tuple(
        DemoItem(
            key=f"set-{number:02d}",
            fields={letter: SENTENCES[one] for letter, one in zip(LETTERS, members, strict=False)},
            metadata={letter: f"E{one + 1:02d}" for letter, one in zip(LETTERS, members, strict=False)},
        )
        for number, members in enumerate(DRAWN, start=1)
    )
)
