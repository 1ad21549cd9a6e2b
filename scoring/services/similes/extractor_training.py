"""Train an extractor of components on marks, and compare it with the rules."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from annotation.domain.base.errors import InvalidContent
from config.distribution import release
from scoring.backends.component_training import train_network
from scoring.backends.errors import ModelRefused
from scoring.backends.models import installed
from scoring.hauser.components.trained.comparison import compare_with_rules
from scoring.hauser.components.trained.examples import Mark, examples_of
from scoring.hauser.components.trained.folder import About, check_new, write_trained
from scoring.hauser.components.trained.windows import Language
from scoring.io.components.marks import read_component_marks

FEWEST_SENTENCES = 10


@dataclass(frozen=True)
class TrainedOn:
    """How an extractor was trained, with the marks that it could not learn."""

    about: About
    left_out: Sequence[Mark]


def train_extractor(
    *,
    marks_file: Path,
    language: Language,
    folder: Path,
    seed: int,
    progress: Callable[[int], object] = lambda _steps: None,
) -> TrainedOn:
    """Train an extractor on a file of marks and write it to a folder.

    Parameters
    ----------
    marks_file : Path
        File of `read_component_marks`.
    language : {"zh", "en"}
        Language of the sentences.
    folder : Path
        A new folder; nothing is written before everything has succeeded.
    seed : int
        The same seed, marks and processor give the same weights.
    progress : callable
        Called with 1 after each of six trainings: five of the comparison, and that of all marks.

    Raises
    ------
    ModelRefused
        `worker_extra_missing`.
    LongFileRefused
        The file cannot be read; the message names the row and the column.
    InvalidContent
        `too_few_marks`.
    ExtractorUnavailable
        `folder_not_empty` or `unwritable_folder`.
    """
    software = installed()
    if "torch" not in software:
        message = "training needs PyTorch: pip install 'groundwork-ratings[worker]'"
        raise ModelRefused("worker_extra_missing", message)
    check_new(folder)
    marks = read_component_marks(marks_file)
    examples, left_out = examples_of(marks, language)
    refused = set(left_out)
    learned = [mark for mark in marks if mark not in refused]
    sentences = len({mark.sentence for mark in learned})
    if sentences < FEWEST_SENTENCES:
        message = (
            f"{marks_file} has {sentences} sentences whose vehicle follows a comparator of the language"
            f" {language}; training needs at least {FEWEST_SENTENCES}"
        )
        raise InvalidContent(message, code="too_few_marks")
    train = functools.partial(train_network, seed=seed)
    f1 = compare_with_rules(learned, language, train, progress)
    network = train(examples)
    progress(1)
    about = About(
        language=language,
        marks=len(learned),
        sentences=sentences,
        left_out=len(left_out),
        seed=seed,
        marks_sha256=hashlib.sha256(marks_file.read_bytes()).hexdigest(),
        torch=software["torch"],
        groundwork=release(),
        f1=f1,
    )
    write_trained(folder, network, about)
    return TrainedOn(about, left_out)
