"""The project’s own sentences about an evening, from clichéd to novel, in all pairs."""

from __future__ import annotations

from itertools import combinations

from annotation.protocols.demo.best_worst import SENTENCES
from annotation.protocols.template import Demo, DemoItem

NAMED = {f"E{number:02d}": sentence for number, sentence in enumerate(SENTENCES, start=1)}

DEMO = Demo(
    items=tuple(
        DemoItem(
            key=f"{first}-{second}",
            fields={"a": NAMED[first], "b": NAMED[second]},
            metadata={"a": first, "b": second},
        )
        for first, second in combinations(NAMED, 2)
    ),
    per_rater=10,
)
