"""The project’s own pairs: wordings by three made-up writers in all pairs, and the writer of each."""

from __future__ import annotations

from itertools import combinations

from annotation.protocols.template import Demo, DemoItem

WRITERS = ("Ada", "Bruno", "Chi")
WORDINGS = (
    (
        "the silence knocked at the door",
        "the silence was like a very silent thing",
        "the silence put on its coat",
    ),
    ("her patience ran dry", "her patience was out of petrol", "her patience folded its map"),
    ("the market caught fire", "the market went up like prices", "the market held its breath"),
    ("an idea grew in the dark", "an idea was there like an idea", "an idea knocked over a glass"),
)


def _pair(row: int, first: int, second: int) -> DemoItem:
    return DemoItem(
        key=f"W{row + 1}-{WRITERS[first]}-{WRITERS[second]}",
        group=f"W{row + 1}",
        fields={"a": WORDINGS[row][first], "b": WORDINGS[row][second]},
        metadata={"a": WRITERS[first], "b": WRITERS[second]},
    )


DEMO = Demo(
    items=tuple(
        _pair(row, first, second)
        for row in range(len(WORDINGS))
        for first, second in combinations(range(len(WRITERS)), 2)
    )
)
