"""A knowledge base from sentences: similes found, their components counted, in several processes."""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict
from hashlib import sha256
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

from scoring.hauser.base.parts import Extraction
from scoring.hauser.knowledge.corpus import Layout, sentences
from scoring.hauser.knowledge.counting import Counted, Piece, Triple, comparable, count, triples_of
from scoring.hauser.knowledge.file_format import About, KnowledgeBaseError, Origin, Source
from scoring.hauser.knowledge.import_file import Progress, ignore_progress
from scoring.hauser.knowledge.problems import BadRows, in_words
from scoring.hauser.knowledge.sources import BLOCK_BYTES, blocks, identified
from scoring.hauser.knowledge.staging import Staging
from scoring.hauser.knowledge.sums import ROW

EXTRACTOR = "built-in"
TALLIES = ("sentences", "similes", "excluded")
# Pieces that wait for a process, so that a corpus is never in memory as a whole.
WAITING = 3
Counting = Callable[[Iterable[Piece]], Iterator[Counted]]


def build_from_corpus(
    corpora: Sequence[Path],
    target: Path,
    staging: Path,
    *,
    software: str,
    layout: Layout | None = None,
    exclude: Path | None = None,
    processes: int = 1,
    progress: Progress = ignore_progress,
    block_bytes: int = BLOCK_BYTES,
) -> About:
    """Make a knowledge base from text, JSONL, or either packed with gzip (HAUSER, section 3.1.1, eq. (3)).

    A build that was killed continues after its last whole block, when files, settings and version are the
    same. The number of processes changes nothing in the result.

    Parameters
    ----------
    corpora : sequence of Path
        UTF-8; a sentence that comes twice counts twice.
    target, staging : Path
        The file of the base, and the staging file in which it is built.
    software : str
        Name and version of the building program.
    layout : Layout or None
        Layout of the files; None for one or more sentences a line.
    exclude : Path or None
        A text of sentences that are left out, such as those to be scored.
    processes : int
        Number of processes that search for similes.
    progress : callable
        Called as `progress(done, total)` in bytes; of packed files, unpacked bytes.
    block_bytes : int
        Bytes that are read and saved together.

    Returns
    -------
    About
        Its `counted` has `sentences`, `similes`, `excluded`, `without` (by reason), `resumed` and `bad_rows`.

    Raises
    ------
    KnowledgeBaseError
        `no_such_file`, `wrong_encoding`, `damaged_file`, `too_many_bad_rows`, `nothing_to_store` and
        `already_running`: no base is created, and an existing one stays unchanged.
    """
    layout = layout or Layout()
    excluded = excluded_sentences(exclude)
    sources = tuple(identified(path) for path in corpora)
    origin = Origin("built", sources, _settings(layout, excluded), software, has_plausibility=False)
    with Staging(staging, origin) as work, _counting(processes, excluded) as counting:
        tally = _Tally(work)
        readings = [
            _Reading(path, layout, tally.place_in(number), block_bytes) for number, path in enumerate(corpora)
        ]
        try:
            _tally_files(tally, readings, counting, progress, [source.bytes for source in sources])
            counted = tally.counted()
        except KnowledgeBaseError:
            work.discard()
            raise
        return work.finish(target, counted=counted)


def _tally_files(
    tally: _Tally,
    readings: Sequence[_Reading],
    counting: Counting,
    progress: Progress,
    sizes: Sequence[int],
) -> None:
    before = 0
    for number, (reading, size) in enumerate(zip(readings, sizes, strict=True)):
        for piece_counted in counting(reading.pieces()):
            position = reading.behind_next()
            tally.keep(piece_counted, {"file": number, **position})
            progress(before + position["offset"], sum(sizes))
        before += size


def _settings(layout: Layout, excluded: frozenset[str]) -> dict[str, Any]:
    """Settings that a build must share with a killed one to continue it."""
    return {
        **asdict(layout),
        "extractor": EXTRACTOR,
        "excluded_sentences": len(excluded),
        "excluded_sha256": sha256("\n".join(sorted(excluded)).encode()).hexdigest(),
    }


def build_from_components(
    extractions: Iterable[Extraction], target: Path, staging: Path, *, software: str, source: Source
) -> About:
    """Make a knowledge base from similes whose components are known already.

    Parameters
    ----------
    extractions : iterable of Extraction
        One per simile.
    target, staging : Path
        The file of the base, and the staging file in which it is built.
    software : str
        Name and version of the building program.
    source : Source
        Name, size and checksum of the similes.

    Raises
    ------
    KnowledgeBaseError
        `nothing_to_store` and `already_running`.
    """
    origin = Origin("built", (source,), {"extractor": "given components"}, software, has_plausibility=False)
    with Staging(staging, origin) as work:
        tally = _Tally(work)
        found = [triples_of(extraction) for extraction in extractions]
        triples = Counter(triple for one in found for triple in one)
        tally.keep(Counted(len(found), sum(map(bool, found)), triples=triples), {"file": 1})
        return work.finish(target, counted=tally.counted())


def excluded_sentences(path: Path | None) -> frozenset[str]:
    """The sentences of a text to leave out, as `comparable` gives them.

    Parameters
    ----------
    path : Path or None
        UTF-8; None for no sentences.

    Raises
    ------
    KnowledgeBaseError
        `no_such_file`.
    """
    if path is None:
        return frozenset()
    try:
        lines = path.read_text(encoding="utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as fault:
        raise KnowledgeBaseError("no_such_file", f"{path}: cannot be read as UTF-8 text ({fault})") from fault
    listed = [one for line in lines for one in (line, *sentences(line))]
    return frozenset(filter(None, map(comparable, listed)))


class _Reading:
    """One file of a corpus in pieces; the position after each piece is read in their order."""

    def __init__(self, path: Path, layout: Layout, begin: tuple[int, int] | None, block_bytes: int) -> None:
        self._path = path
        self._layout = layout
        self._begin = begin
        self._block_bytes = block_bytes
        self._places: deque[dict[str, int]] = deque()

    def pieces(self) -> Iterator[Piece]:
        if self._begin is None:
            return
        offset, row = self._begin
        end = self._layout.end_of_block(self._path)
        for block in blocks(self._path, start=offset, size=self._block_bytes, end=end):
            piece = Piece(block.data, self._path, self._layout, row)
            row += block.data.count(b"\n")
            self._places.append({"offset": block.end, "row": row})
            yield piece

    def behind_next(self) -> dict[str, int]:
        return self._places.popleft()


@contextmanager
def _counting(processes: int, excluded: frozenset[str]) -> Iterator[Counting]:
    """A map of `count` over pieces, in their order, in this process or in several others."""
    if processes == 1:
        yield lambda pieces: (count(piece, excluded) for piece in pieces)
        return
    # Not forked, because no other process may have the staging file of this process open.
    with ProcessPoolExecutor(
        processes, get_context("spawn"), initializer=_start, initargs=(excluded,)
    ) as pool:
        yield lambda pieces: _in_order(pool, pieces, processes + WAITING)


def _in_order(pool: ProcessPoolExecutor, pieces: Iterable[Piece], most: int) -> Iterator[Counted]:
    waiting: deque[Future[Counted]] = deque()
    for piece in pieces:
        waiting.append(pool.submit(_count, piece))
        if len(waiting) == most:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()


_excluded_here: frozenset[str] = frozenset()


def _start(excluded: frozenset[str]) -> None:
    global _excluded_here  # noqa: PLW0603
    _excluded_here = excluded


def _count(piece: Piece) -> Counted:
    return count(piece, _excluded_here)


class _Tally:
    """The counts so far, before they are stored in the staging file."""

    def __init__(self, staging: Staging) -> None:
        self._staging = staging
        self._is_resumed = staging.is_resumed
        state = staging.state
        self._numbers = Counter({name: state.get(name, 0) for name in TALLIES})
        self._without = Counter(state.get("without", {}))
        self._bad = BadRows.restored("", state.get("bad_rows", {}))
        self._place = (state.get("file", 0), state.get("offset", 0), state.get("row", 1))

    def place_in(self, number: int) -> tuple[int, int] | None:
        """Offset and line at which reading of a file begins; None for a file that was read before."""
        file, offset, row = self._place
        if number < file:
            return None
        return (offset, row) if number == file else (0, 1)

    def keep(self, counted: Counted, place: Mapping[str, int]) -> None:
        """Add a piece, and store it together with the position after it."""
        for name in TALLIES:
            self._numbers[name] += getattr(counted, name)
        self._without.update(counted.without)
        self._bad.join(counted.bad)
        self._bad.refuse_if_too_many(self._numbers["sentences"])
        rows = np.array([self._row(triple, n) for triple, n in counted.triples.items()], ROW)
        self._staging.keep(rows, {**self._state(), **place})

    def counted(self) -> dict[str, Any]:
        """Counts of everything that was read; refused without any simile."""
        if not self._numbers["similes"]:
            read = self._numbers["sentences"]
            message = [f"no simile was found in {read:,} sentences", *map(in_words, self._bad.shown)]
            raise KnowledgeBaseError("nothing_to_store", "\n".join(message))
        return {**self._state(), "resumed": self._is_resumed}

    def _state(self) -> dict[str, Any]:
        return {**self._numbers, "without": dict(self._without), "bad_rows": self._bad.as_state()}

    def _row(self, triple: Triple, n: int) -> tuple[int, int, int, int, float]:
        topic, shared, vehicle = map(self._staging.term, triple)
        return vehicle, topic, shared, n, math.nan
