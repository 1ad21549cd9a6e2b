"""`manage.py components MARKS --train FOLDER`: output of a training."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from tqdm import tqdm

from annotation.domain.base.limits import MOST_SEED
from annotation.domain.base.numbers import check_whole_number
from scoring.hauser.components.trained.comparison import FOLDS
from scoring.hauser.components.trained.windows import LANGUAGES
from scoring.services.similes.extractor_training import TrainedOn, train_extractor

ROWS_NAMED = 10


def trained_from(options: dict[str, Any]) -> Iterator[str]:
    """Train an extractor as the options of the command say; the lines to print."""
    if options["language"] is None:
        raise CommandError(f"--train needs --language {' or '.join(LANGUAGES)}. [bad_option]", returncode=2)
    if options["column"] or options["out"]:
        message = "--train reads the columns sentence, topic and vehicle; leave out --column and --out."
        raise CommandError(f"{message} [bad_option]", returncode=2)
    check_whole_number("--seed", options["seed"], least=0, most=MOST_SEED)
    with tqdm(total=FOLDS + 1, desc="trainings", unit="", disable=None) as bar:
        trained = train_extractor(
            marks_file=Path(options["file"]),
            language=options["language"],
            folder=Path(options["train"]),
            seed=options["seed"],
            progress=bar.update,
        )
    return _lines(trained, options["train"])


def _lines(trained: TrainedOn, folder: str) -> Iterator[str]:
    about = trained.about
    yield f"{about.marks} marks in {about.sentences} sentences; seed {about.seed}"
    if trained.left_out:
        rows = [str(mark.row) for mark in trained.left_out]
        more = ", …" if len(rows) > ROWS_NAMED else ""
        yield (
            f"{len(rows)} marks left out, because the vehicle follows no comparator:"
            f" rows {', '.join(rows[:ROWS_NAMED])}{more}"
        )
    yield f"F1 on the same marks, each sentence by a classifier trained without it ({FOLDS} folds):"
    for part, f1 in about.f1.items():
        yield (
            f"  {part:<8} rules {f1.rules:.3f}  trained {f1.trained:.3f}"
            f"  difference {f1.difference:+.3f} [95% CI {f1.low:+.3f}, {f1.high:+.3f}]"
        )
    yield f"written to {folder}; use it with --extractor trained:{folder}"
