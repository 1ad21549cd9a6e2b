"""The vehicles of Chinese texts (CMDAG) by the F1 of their characters."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.components.pairs import Extractor
from benchmarks.components.scores import Score, ratio
from benchmarks.components.split import Side, on_side
from scoring.hauser.components.trained.comparison import character_f1

FAR = 24
# Which texts are measured does not depend on the extractor: its comparators may change, these do not.
COMPARATOR = re.compile(
    "好像是?|就像是?|正像|真像|恰像|好似|恰似|宛似|犹似|如同|宛如|犹如|有如|恍如|一如|就如|宛若|恍若|犹若|仿佛是?|彷佛是?|彷彿"
    "|(?<![图画雕偶想录摄肖塑铜佛遗群])像(?:是|极了)?(?![素机])"
    "|(?<![比例假譬诸不何又既])[如似](?=[^，。！？；\\s]{1,10}?(?:一样|一般|般|似的))"
)


@dataclass(frozen=True)
class ChineseMark:
    """A text with a marked tenor and vehicle."""

    text: str
    topic: str
    vehicle: str


def chinese_marks(data: Path, side: Side | None) -> list[ChineseMark]:
    """The marks of both CMDAG files with a comparator before the vehicle's last character."""
    rows = [
        row
        for name in ("test_data", "train_data_sampled_200")
        for row in json.loads((data / "cmdag" / f"{name}.json").read_text(encoding="utf-8"))
    ]
    marks = [ChineseMark(row["context"], row["tenor"], row["vehicle"]) for row in rows]
    compared = [mark for mark in marks if is_compared(mark)]
    return compared if side is None else on_side(compared, side, lambda mark: mark.text)


def is_compared(mark: ChineseMark) -> bool:
    """Whether the last character of the vehicle is close behind a comparator."""
    return any(
        mark.vehicle[-1:] in mark.text[match.end() : match.end() + FAR]
        for match in COMPARATOR.finditer(mark.text)
    )


def chinese_scores(marks: Sequence[ChineseMark], extractor: Extractor) -> dict[str, Score]:
    """Mean F1 of the characters of the pair whose vehicle fits best, and the share of exact vehicles."""
    vehicles, topics, exact = [], [], []
    for mark in marks:
        pairs = extractor(mark.text)
        best = max(pairs, key=lambda pair: character_f1(pair.vehicle, mark.vehicle), default=None)
        vehicles.append(character_f1(best.vehicle, mark.vehicle) if best else 0.0)
        topics.append(character_f1(best.topic, mark.topic) if best else 0.0)
        exact.append(best is not None and best.vehicle == mark.vehicle)
    every = [1] * len(marks)
    return {
        "vehicle": ratio(vehicles, every),
        "vehicle exact": ratio(exact, every),
        "topic": ratio(topics, every),
    }
