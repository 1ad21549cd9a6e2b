"""What two bundles of a study differ in, read from their archives alone."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

RATED_BY = ("item", "form", "rater", "study")
RATING = (*RATED_BY, "criterion", "revision")
# The time of an answer is not among them: a new time alone is no change.
OF_A_RATING = ("value", "cannot_rate", "reason", "current", "excluded", "late")
JUDGEMENT = ("item", "form", "criterion", "judge", "sample")
OF_A_JUDGEMENT = ("value", "reason", "probabilities")
# Columns that identify a figure.
OF_A_FIGURE = ("criterion", "coefficient", "variant", "metric", "level", "system", "form", "first", "second")
OF_JUDGES = "reports/judges.json"
PAIR = np.dtype([("key", np.uint64), ("content", np.uint64)])
Row = Mapping[str, Any]
Keyed = Iterable[tuple[str, str]]


@dataclass(frozen=True)
class Change:
    """How many things of one kind were added, removed and changed."""

    added: int
    removed: int
    changed: int


@dataclass(frozen=True)
class Digests:
    """The things of one kind in a bundle: sorted digests of their keys, and those of their contents."""

    keys: np.ndarray[Any, np.dtype[np.uint64]]
    contents: np.ndarray[Any, np.dtype[np.uint64]]

    @classmethod
    def of(cls, rows: Keyed) -> Digests:
        """Digest keys with their contents; of two rows with one key the first counts."""
        pairs = np.fromiter(((_digest(key), _digest(content)) for key, content in rows), dtype=PAIR)
        keys, first = np.unique(pairs["key"], return_index=True)
        return cls(keys, pairs["content"][first])

    def since(self, earlier: Digests) -> Change:
        """What changed since an earlier bundle."""
        both, here, there = np.intersect1d(self.keys, earlier.keys, assume_unique=True, return_indices=True)
        changed = int(np.count_nonzero(self.contents[here] != earlier.contents[there]))
        return Change(len(self.keys) - len(both), len(earlier.keys) - len(both), changed)


NOTHING = Digests.of([])


def digests_of(archive: Path) -> dict[str, Digests]:
    """Digest the items, raters, responses, ratings and figures of a bundle; judgements separately.

    Parameters
    ----------
    archive : Path
        ZIP file of the bundle.

    Returns
    -------
    dict of str to Digests
        By the names above, and `judgements` if it has answers of automatic judges; each key and each content
        is represented by eight bytes of BLAKE2b.
    """
    with zipfile.ZipFile(archive) as opened:
        found = {
            "items": Digests.of((row["item"], _as_json(row, row)) for row in _table(opened, "items")),
            "raters": Digests.of((row["rater"], "") for row in _table(opened, "raters")),
            "responses": Digests.of((_as_json(row, RATED_BY), "") for row in _table(opened, "ratings")),
            "ratings": Digests.of(
                (_as_json(row, RATING), _as_json(row, OF_A_RATING)) for row in _table(opened, "ratings")
            ),
            "figures": Digests.of(_figures(opened)),
        }
        judged = Digests.of(
            (_as_json(row, JUDGEMENT), _as_json(row, OF_A_JUDGEMENT)) for row in _table(opened, "judgements")
        )
        return {**found, "judgements": judged} if len(judged.keys) else found


def _table(archive: zipfile.ZipFile, name: str) -> Iterator[dict[str, str]]:
    path = next((one for one in archive.namelist() if one.endswith(f"/data/{name}.csv")), None)
    if path is not None:
        with archive.open(path) as raw:
            yield from csv.DictReader(io.TextIOWrapper(raw, "utf-8-sig", newline=""))


def _figures(archive: zipfile.ZipFile) -> Iterator[tuple[str, str]]:
    """Each row of results of each report on ratings: what it is, and its estimate with limits."""
    for path in archive.namelist():
        _, _, name = path.partition("/")
        if name.startswith("reports/") and name != OF_JUDGES:
            for row in json.loads(archive.read(path)).get("results", ()):
                yield (
                    f"{name} {_as_json(row, OF_A_FIGURE)}",
                    _as_json(row, ("estimate", "low", "high", "reason")),
                )


def _as_json(row: Row, names: Iterable[str]) -> str:
    return json.dumps([row.get(name) for name in names], ensure_ascii=False)


def _digest(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest())
