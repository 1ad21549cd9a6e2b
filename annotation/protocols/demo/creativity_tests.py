"""The stories of the demo for six criteria, without a story to compare."""

from __future__ import annotations

from annotation.protocols.demo.hanna import PROMPTS
from annotation.protocols.template import Demo, DemoItem

DEMO = Demo(
    items=tuple(
        DemoItem(
            key=f"P{number}-{system}",
            group=f"P{number}",
            system=system,
            fields={"prompt": prompt, "story": story},
        )
        for number, (prompt, stories) in enumerate(PROMPTS, start=1)
        for system, story in stories.items()
    ),
    per_rater=4,
)
