"""Small knowledge bases made through the real import and build."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from scoring.hauser.base.parts import Components, Extraction, Part
from scoring.hauser.knowledge.corpus_build import build_from_components
from scoring.hauser.knowledge.file_format import Source
from scoring.hauser.knowledge.import_file import COLUMNS, import_triples
from scoring.hauser.knowledge.lookup import KnowledgeBase

SOFTWARE = "Groundwork test"
Row = tuple[str, str, str, object, object]


def table(rows: Iterable[Sequence[object]], header: Sequence[str] = COLUMNS) -> str:
    """Rows (topic, property, vehicle, count, plausibility) as CSV."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([header, *rows])
    return text.getvalue()


def write(folder: Path, content: str | bytes, name: str = "triples.csv") -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def target(folder: Path) -> Path:
    return folder / "base.kb.sqlite3"


def staging(folder: Path) -> Path:
    return folder / "base.staged.sqlite3"


def imported(folder: Path, content: str | bytes, **settings: Any) -> KnowledgeBase:
    """A base from the text of a CSV file."""
    source = write(folder, content)
    import_triples(source, target(folder), staging(folder), software=SOFTWARE, **settings)
    return KnowledgeBase(target(folder))


def counted(folder: Path, similes: Iterable[Extraction]) -> KnowledgeBase:
    """A base without plausibilities."""
    source = Source("similes", 1, "0")
    build_from_components(similes, target(folder), staging(folder), software=SOFTWARE, source=source)
    return KnowledgeBase(target(folder))


def simile(*pairs: tuple[str | None, str]) -> Extraction:
    """Components by wording alone: (topic, vehicle)."""
    return Extraction(
        tuple(Components(None if topic is None else Part(topic), Part(vehicle)) for topic, vehicle in pairs)
    )


def everything(base: KnowledgeBase, vehicles: Iterable[str]) -> dict[str, Any]:
    """All that a base holds, for comparing two."""
    return {
        vehicle: (
            base.vehicle(vehicle).frequency,
            [
                (counts, base.triples(counts.topic, vehicle, most=1000))
                for counts in base.topics(vehicle, most=1000)
            ],
        )
        for vehicle in vehicles
    }
