"""Stories for the same prompt in all pairs, and the system or person that wrote each."""

from __future__ import annotations

from itertools import combinations

from annotation.protocols.demo.hanna import PROMPTS
from annotation.protocols.template import Demo, DemoItem

DEMO = Demo(
    items=tuple(
        DemoItem(
            key=f"P{number}-{first}-{second}",
            group=f"P{number}",
            fields={"prompt": prompt, "a": stories[first], "b": stories[second]},
            metadata={"a": first, "b": second},
        )
        for number, (prompt, stories) in enumerate(PROMPTS, start=1)
        for first, second in combinations(stories, 2)
    ),
    per_rater=6,
)
