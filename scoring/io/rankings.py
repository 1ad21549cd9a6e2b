"""A long file of rankings or best–worst choices."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scoring.io.long_files import LongFileRefused, read_long
from scoring.io.published_choices import long_choices
from scoring.stats.choices.rankings.coded_rankings import Ranked, RankingsError, coded_choices, coded_rankings


@dataclass(frozen=True)
class LongRankings:
    """Rankings or choices ready for statistics."""

    ranked: Ranked
    best_worst: bool  # Whether raters chose the best and the worst, and did not rank
    left_out: dict[str, int]  # Rows that were left out, by reason: `superseded`, `excluded`, `late`


def read_rankings(source: str, *, file_format: str = "") -> LongRankings:
    """Read a long file, one row for each item of each answer.

    Parameters
    ----------
    source : str
        A path, or `-` for standard input. Columns: `set` and `item`, `rank` (the least is the best) or
        `choice` (`best`, `worst` or empty), and `rater` where a set has several answers; or one row per
        answer, as best–worst files are published, see `long_choices`.
    file_format : str
        Format, where the file extension does not show it.

    Raises
    ------
    LongFileRefused
        The file cannot be read, a column is missing, or rows contradict each other; the row is named.
    """
    file = read_long(source, file_format=file_format)
    file = long_choices(file) or file
    file.require(("set", "item"))
    best_worst = "choice" in file.frame.columns
    if best_worst == ("rank" in file.frame.columns):
        problem = "a file of rankings has the column rank, one of best–worst choices the column choice"
        raise LongFileRefused("missing_column", f"{file.name}: {problem}")
    counting, left_out = file.counting_rows()
    frame = file.frame.assign(set=file.labels("set"), item=file.labels("item"))
    if "rater" not in frame.columns:
        frame["rater"] = ""
    if best_worst:
        frame["choice"] = frame["choice"].str.strip().str.lower()
    else:
        file.refuse(
            counting & frame["rank"].str.strip().eq("").to_numpy(dtype=np.bool_),
            "missing_rank",
            "column rank: the cell is empty",
        )
        frame["rank"] = file.numbers("rank", counting)
    rows = [int(row) + file.first_row for row in file.frame.index[counting]]
    if not rows:
        raise LongFileRefused("empty_file", f"{file.name}: no rows are left")
    try:
        ranked = (coded_choices if best_worst else coded_rankings)(frame[counting], rows)
    except RankingsError as problem:
        raise LongFileRefused(problem.code, f"{file.name}: {problem}") from problem
    return LongRankings(ranked, best_worst, left_out)
