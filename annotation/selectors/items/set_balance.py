"""How evenly the sets of a study compare the texts that they consist of."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from annotation.domain.items.drawn_sets import LETTERS, meetings
from annotation.models import Item, Study

SAMPLE = 200


@dataclass(frozen=True)
class Meeting:
    """How many pairs of texts are together in `times` sets; `share` is of all pairs."""

    times: int
    pairs: int
    share: float


@dataclass(frozen=True)
class SetBalance:
    """Sets, the texts they consist of, in how many sets a text is, and how often two texts meet."""

    sets: int
    texts: int
    fewest: int
    most: int
    meetings: tuple[Meeting, ...]

    @property
    def pairs(self) -> int:
        return sum(one.pairs for one in self.meetings)


def balance_of(sets: Sequence[Sequence[str]], group_of: Mapping[str, str]) -> SetBalance:
    """Count which texts the sets compare, and how often.

    Parameters
    ----------
    sets : sequence of sequence of str
        Names of the texts of each set.
    group_of : mapping of str to str
        Group of each text; only pairs of one group count.
    """
    times = Counter(itertools.chain.from_iterable(sets))
    sizes = list(Counter(group_of[name] for name in times).values())
    return _balance(len(sets), times.values(), meetings(sets, sizes))


def balance_of_study(study: Study, size: int) -> SetBalance | None:
    """Count what the sets of a study compare; None if its items are not sets of `size` texts.

    All pairs count if a text is in sets of several groups, as a system that wrote texts of each group.
    """
    letters = LETTERS[:size]
    rows = list(study.items.values_list("fields", "metadata", "group"))
    sets: list[list[str]] = []
    group_of: dict[str, str] = {}
    in_several = False
    for fields, metadata, group in rows:
        if not all(fields.get(letter) for letter in letters):
            return None
        one = [str(metadata.get(letter) or fields[letter]) for letter in letters]
        in_several = in_several or any(group_of.get(name, group) != group for name in one)
        group_of |= dict.fromkeys(one, group)
        sets.append(one)
    if in_several:
        group_of = dict.fromkeys(group_of, "")
    return balance_of(sets, group_of) if sets else None


def compared_texts(study: Study, size: int) -> list[str]:
    """Names of the texts of which sets can be drawn: those that the first items have, `a`, `b` … last."""
    found: dict[str, None] = {}
    for fields in (
        Item.objects.filter(study=study).order_by("position", "pk").values_list("fields", flat=True)[:SAMPLE]
    ):
        found |= dict.fromkeys(fields)
    return sorted(found, key=lambda name: name in LETTERS[:size])


def _balance(sets: int, times: Iterable[int], met: Mapping[int, int]) -> SetBalance:
    shown = list(times)
    pairs = sum(met.values())
    found = tuple(Meeting(often, number, number / pairs) for often, number in met.items())
    return SetBalance(sets, len(shown), min(shown), max(shown), found)
