"""Pairs drawn from a ranked file as the items of a preference study."""

from __future__ import annotations

import math
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.db import transaction

from annotation.domain.base.messages import message
from annotation.domain.items.drawn_pairs import DrawnPair, draw_pairs
from annotation.io.base.cells import EMPTY_CELL
from annotation.io.base.file_errors import Problems
from annotation.io.base.readers import read_rows
from annotation.models import Study, User
from annotation.services.base import audit
from annotation.services.base.drafts import ITEMS_IN_DRAFTS, refuse_unless_draft
from annotation.services.items.item_storage import NewItem, add_items

PERCENTS = (10, 20, 30, 40, 50)
PAIRS = 10


@dataclass(frozen=True)
class Ranking:
    """A file with one text per row and the value to rank it by.

    Attributes
    ----------
    path, name, file_format
        The file, what messages call it, and its format, by its ending where empty.
    text, by : str
        The columns of the text and of the value; `item` has the item ID.
    lowest_first : bool
        The lowest value is the best, as where `by` is a rank.
    """

    path: Path
    text: str
    by: str
    name: str = ""
    file_format: str = ""
    lowest_first: bool = False


@dataclass(frozen=True)
class Draw:
    """How pairs are drawn: `pairs` for each share of the top in `percents`; None for a new `seed`."""

    percents: Sequence[int] = PERCENTS
    pairs: int = PAIRS
    seed: int | None = None


@dataclass(frozen=True)
class Ranked:
    """One row of a ranking."""

    key: str
    text: str
    value: float


def import_drawn_pairs(
    *, study: Study, ranking: Ranking, draw: Draw | None = None, actor: User | None = None
) -> int:
    """Draw pairs from a ranked file, one from the top p % and one from the rest, and add them to a draft.

    Parameters
    ----------
    study : Study
        A draft whose form compares the texts `a` and `b`.
    ranking, draw
        The file, and how pairs are drawn. The seed is written to the audit log.
    actor : User or None
        User who draws.

    Returns
    -------
    int
        Pairs added. `meta.a` and `meta.b` name the two items, `meta.percent` is p and `meta.high` the side
        of the one from the top.

    Raises
    ------
    FileRefused, NotAllowedNow, InvalidContent
        The file has errors, the study is no draft (`not_a_draft`), or too few are ranked for this draw.

    References
    ----------
    Miyazawa and Miyao (2017), section 5.3 and Table 6.
    """
    refuse_unless_draft(study, ITEMS_IN_DRAFTS)
    draw = draw or Draw()
    seed = secrets.randbelow(2**31) if draw.seed is None else draw.seed
    ranked = _ranked(ranking)
    drawn = draw_pairs(len(ranked), percents=draw.percents, pairs=draw.pairs, seed=seed)
    asked = {"seed": seed, "by": ranking.by, "percents": list(draw.percents), "pairs": draw.pairs}
    with transaction.atomic():
        count = add_items(study=study, rows=_items(ranked, drawn))
        audit.record(study=study, actor=actor, act="draw_pairs", count=count, **asked)
    return count


def _ranked(ranking: Ranking) -> list[Ranked]:
    """The rows of a ranking, the best first."""
    text, by, name = ranking.text, ranking.by, ranking.name or ranking.path.name
    needed = ("item", text, by)
    rows = read_rows(ranking.path, needed=needed, name=name, file_format=ranking.file_format)
    problems = Problems(name)
    found: dict[str, Ranked] = {}
    for number, row in rows:
        key, words, value = str(row.get("item", "")), str(row.get(text, "")), _value(row.get(by, ""))
        for column, cell in (("item", key), (text, words)):
            if not cell.strip():
                problems.add(number, column, "empty_cell", EMPTY_CELL)
        if key in found:
            problems.add(number, "item", "doubled_item", message("%(key)s appears twice", key=repr(key)))
        if math.isnan(value):
            value_shown = repr(str(row.get(by, ""))[:60])
            problems.add(number, by, "not_a_number", message("%(value)s is not a number", value=value_shown))
        found[key] = Ranked(key, words, value)
    problems.refuse_if_any()
    return sorted(found.values(), key=lambda one: one.value if ranking.lowest_first else -one.value)


def _value(cell: Any) -> float:
    try:
        value = float(str(cell))
    except ValueError:
        return math.nan
    return value if math.isfinite(value) else math.nan


def _items(ranked: Sequence[Ranked], drawn: Sequence[DrawnPair]) -> list[NewItem]:
    """Where values are equal, the file's order decides who ranks higher."""
    rows = []
    counts: dict[int, int] = {}
    for pair in drawn:
        counts[pair.percent] = counts.get(pair.percent, 0) + 1
        low_side = "b" if pair.high_side == "a" else "a"
        ranks = {pair.high_side: pair.high, low_side: pair.low}
        rows.append(
            NewItem(
                key=f"top{pair.percent}-{counts[pair.percent]:02d}",
                group=f"top {pair.percent} %",
                fields={side: ranked[ranks[side]].text for side in "ab"},
                metadata={
                    **{side: ranked[ranks[side]].key for side in "ab"},
                    "percent": pair.percent,
                    "high": pair.high_side,
                    **{f"place_{side}": ranks[side] + 1 for side in "ab"},
                },
            )
        )
    return rows
