"""Scores of a file's candidates, without a database."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO

from annotation.domain.base.errors import InvalidContent
from annotation.domain.base.text_validation import has_surrogate
from annotation.io.base.writers import WRITERS, write_rows
from scoring.hauser.base.candidates import Group, Scored
from scoring.hauser.base.scores import MetricError
from scoring.hauser.runs.pipeline import score_groups
from scoring.services.similes.run_environment import Beat, Toolkit, toolkit
from scoring.services.similes.score_settings import ScoreSettings

COLUMNS = ("item", "group", "metric", "value", "run", "profile", "reason", "truncated", "caution")
CHUNK_SIZE = 256
Progress = Callable[[int], object]


@dataclass(frozen=True)
class FileScores:
    """Scores of all candidates, in the order of their groups."""

    groups: Sequence[Group]
    scored: Sequence[Sequence[Scored]]  # One list per group
    made_with: Mapping[str, Any]  # As in a scoring run
    caution: str  # Warning to show with the scores; empty for none

    def rows(self, run: str) -> Iterator[dict[str, Any]]:
        """The scores in long form."""
        for group, members in zip(self.groups, self.scored, strict=True):
            for member in members:
                for metric, score in member.scores.items():
                    yield {
                        "item": member.key,
                        "group": group.key,
                        "metric": metric,
                        "value": score.value,
                        "run": run,
                        "profile": self.made_with["profile"],
                        "reason": score.reason,
                        "truncated": True if metric in member.truncated else None,
                        "caution": self.caution,
                    }


def score_file(
    *, groups: Sequence[Group], settings: ScoreSettings, progress: Progress, beat: Beat = lambda: None
) -> FileScores:
    """Score the candidates of a file.

    Parameters
    ----------
    groups : sequence of Group
        Groups from `read_similes`.
    settings : ScoreSettings
        Models, knowledge base, weights and metrics.
    progress : callable
        Called with the number of newly scored candidates.
    beat : callable
        Called before each batch of a model's work.

    Raises
    ------
    GroundworkError
        The knowledge base or a checkpoint cannot be used; the code says which.
    """
    with toolkit(settings, beat) as kit:
        scored = list(chain.from_iterable(_scored(groups, kit, progress)))
        return FileScores(groups, scored, kit.made_with, kit.caution)


def _scored(groups: Sequence[Group], kit: Toolkit, progress: Progress) -> Iterator[list[list[Scored]]]:
    for batch in group_batches(groups, CHUNK_SIZE):
        try:
            yield score_groups(batch, kit.tools, run=groups)
        except MetricError as fault:
            raise InvalidContent(f"The models cannot be used: {fault}.", code=fault.code) from fault
        progress(sum(len(group.candidates) for group in batch))


def group_batches(groups: Iterable[Group], size: int) -> Iterator[list[Group]]:
    """Yield whole groups in batches of about `size` candidates.

    Parameters
    ----------
    groups : iterable of Group
        Groups in the order of the file; none is divided.
    size : int
        Candidates after which a batch ends.
    """
    batch: list[Group] = []
    for group in groups:
        batch.append(group)
        if sum(len(one.candidates) for one in batch) >= size:
            yield batch
            batch = []
    if batch:
        yield batch


def write_scores(found: FileScores, target: Path, run: str) -> None:
    """Write a table of scores; the file is written completely or not at all.

    Parameters
    ----------
    found : FileScores
        The scores.
    target : Path
        CSV, TSV, JSONL or Parquet by its ending.
    run : str
        Name of the run.

    Raises
    ------
    InvalidContent
        `unknown_format` and `not_writable`.
    """
    with whole_file(target) as file:
        file.writelines(write_rows(found.rows(run), COLUMNS, format_of(target)))


def write_explanations(found: FileScores, target: Path) -> None:
    """Write how each candidate's scores were computed as JSONL, with the run's settings first."""
    with whole_file(target) as file:
        first = {"made_with": found.made_with, "caution": found.caution}
        lines = chain(
            [first],
            ({"item": member.key, **member.explanation} for members in found.scored for member in members),
        )
        file.writelines(map(encoded_line, lines))


def encoded_line(line: Mapping[str, Any]) -> bytes:
    """A line of JSON Lines; one with an unpaired surrogate, which UTF-8 lacks, is escaped.

    Parameters
    ----------
    line : mapping
        Content of the line.
    """
    text = json.dumps(line, ensure_ascii=False)
    return f"{json.dumps(line) if has_surrogate(text) else text}\n".encode()


def format_of(target: Path) -> str:
    """The format that a file's ending names.

    Raises
    ------
    InvalidContent
        `unknown_format`.
    """
    ending = target.suffix.removeprefix(".").lower()
    if ending not in WRITERS:
        message = f"{target}: unknown format {ending!r}. Use {', '.join(sorted(WRITERS))}."
        raise InvalidContent(message, code="unknown_format")
    return ending


@contextmanager
def whole_file(target: Path) -> Iterator[BinaryIO]:
    """Open a file that gets its name only when all of it is written.

    Parameters
    ----------
    target : Path
        File that is replaced where it exists.

    Raises
    ------
    InvalidContent
        `not_writable`.
    """
    try:
        descriptor, draft = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}-")
    except OSError as fault:
        message = f"{target}: the file cannot be written: {fault.strerror}."
        raise InvalidContent(message, code="not_writable") from fault
    try:
        with os.fdopen(descriptor, "wb") as file:
            yield file
        # Temporary files are private; the finished file gets normal permissions.
        Path(draft).chmod(0o644)
        Path(draft).replace(target)
    finally:
        Path(draft).unlink(missing_ok=True)
