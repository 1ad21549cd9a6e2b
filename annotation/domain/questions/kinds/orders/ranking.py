"""Options put in order, all of them or the first few."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from annotation.domain.base.messages import Message, message
from annotation.domain.questions.kinds.kind import (
    Answering,
    Document,
    PointLike,
    Problems,
    Question,
    gettext_noop,
)
from annotation.domain.questions.kinds.orders.ordering import (
    EQUAL,
    PART,
    Groups,
    Ordering,
    groups_in,
    order_text,
    parts_in,
)
from annotation.domain.questions.kinds.settings_schema import settings_of

SETTINGS_SCHEMA = settings_of(
    "a ranking",
    {
        "ties": {
            "description": "Whether options may share a rank.",
            "type": "boolean",
            "default": False,
        },
        "top": {
            "description": "How many options are ranked, the best first; 0 for all of them.",
            "type": "integer",
            "minimum": 0,
            "maximum": 9,
            "default": 0,
        },
    },
)
DEFAULTS = {"ties": False, "top": 0}


class Ranking(Ordering):
    """Each option has a rank; the options after the first `top` are not ranked and count as tied."""

    key = "ranking"
    title = gettext_noop("ranking")
    described = "ranking"
    missing_message = message("Put the options in order, or select “Can’t rate”.")
    fewest_points = 2
    most_points = 10
    settings_schema = SETTINGS_SCHEMA
    script = "js/rating/kinds/ranking.js"
    style = "css/kinds/ranking.css"
    is_large = True

    def own_settings(self, settings: Document) -> dict[str, Any]:
        return {**DEFAULTS, **settings.get(self.key, {})}

    def of_parts(self, question: Question, parts: Mapping[str, str]) -> Groups:
        most, top = len(question.options), self.own_settings(question.settings)["top"]
        if set(parts) - set(question.options) or not all(map(_is_rank, parts.values())):
            raise ValueError(message("Give each option a rank from 1 to %(most)s.", most=most))
        if not top and len(parts) < most:
            raise ValueError(message("Give each option a rank from 1 to %(most)s.", most=most))
        by_rank: dict[int, list[str]] = {}
        for option, rank in parts.items():
            if not top or int(rank) <= top:
                by_rank.setdefault(int(rank), []).append(option)
        if top and sorted(by_rank) != list(range(1, top + 1)):
            raise ValueError(_ranks_of_top(top))
        ranked = [by_rank[rank] for rank in sorted(by_rank)]
        rest = [option for option in question.options if not any(option in group for group in ranked)]
        return [*ranked, *([rest] if rest else [])]

    def refusal(self, question: Question, groups: Sequence[Sequence[str]]) -> Message | None:
        own = self.own_settings(question.settings)
        if own["top"]:
            ranked = [len(group) for group in groups[: own["top"]]]
            fits = ranked == [1] * own["top"] and len(groups) == own["top"] + 1
            return None if fits else _ranks_of_top(own["top"])
        if not own["ties"] and len(groups) < len(question.options):
            return message("Two options have the same rank. Give each option its own rank.")
        return None

    def values(self, cell: str) -> list[str]:
        """Return the rank of each option, with gaps after tied ones: 1, 2, 2, 4."""
        return [f"{option}{PART}{rank}" for rank, group in _ranked(groups_in(cell)) for option in group]

    def in_words(self, values: Sequence[str], labels: Mapping[str, str]) -> str:
        groups: dict[str, list[str]] = {}
        for option, rank in parts_in(values).items():
            groups.setdefault(rank or "1", []).append(labels.get(option) or option)
        return "; ".join(f"{rank}. {f' {EQUAL} '.join(group)}" for rank, group in groups.items())

    def in_row(self, question: Question, options: Sequence[str]) -> str:
        most = self.own_settings(question.settings)["top"] or len(options)
        return order_text([*([one] for one in options[:most]), *([options[most:]] if options[most:] else [])])

    def count_possible(self, question: Question) -> int:
        own, most = self.own_settings(question.settings), len(question.options)
        return _weak_orders(most) if own["ties"] else math.perm(most, own["top"] or most)

    def simulated(self, question: Question, person: Answering, truth: float) -> str:
        """Choose the best option first, then the best of the others."""
        own, rest = self.own_settings(question.settings), list(question.options)
        chosen: list[str] = []
        for _ in range(own["top"] or len(rest)):
            chosen.append(person.option(rest, truth))
            rest.remove(chosen[-1])
        return self.cell(self.of_cell(">".join([*chosen, *([EQUAL.join(rest)] if rest else [])])))

    def settings_problems(self, criterion: Document) -> Problems:
        yield from super().settings_problems(criterion)
        own, path = self.own_settings(criterion["settings"]), f"settings.{self.key}.top"
        if own["top"] and own["top"] >= len(criterion["points"]):
            yield path, message("Rank fewer options than there are, or leave this empty to rank all of them.")
        elif own["top"] and own["ties"]:
            yield path, message("Ties are allowed only where all options are ranked. Remove one of the two.")

    def posted_settings(
        self, fields: Mapping[str, str], points: Sequence[Mapping[str, str]]
    ) -> dict[str, Any]:
        top = fields.get("top", "").strip()
        return {self.key: {"ties": "ties" in fields, "top": int(top) if _is_rank(top) else top or 0}}

    def template_context(
        self, points: Sequence[PointLike], settings: Document, values: Sequence[str]
    ) -> dict[str, Any]:
        own = self.own_settings(settings)
        most = own["top"] or len(points)
        return {
            "css": f"criterion--{self.key}",
            **own,
            "ranks": [str(rank) for rank in range(1, most + 1)],
        }


def _is_rank(text: str) -> bool:
    return text.isascii() and text.isdecimal() and 0 < len(text) < 3


def _weak_orders(n: int) -> int:
    """The number of orders of n options in which options may be tied."""
    return sum(math.comb(n, first) * _weak_orders(n - first) for first in range(1, n + 1)) if n else 1


def _ranked(groups: Groups) -> list[tuple[int, list[str]]]:
    before = 0
    found = []
    for group in groups:
        found.append((before + 1, group))
        before += len(group)
    return found


def _ranks_of_top(top: int) -> Message:
    return message("Give the ranks from 1 to %(top)s to one option each, and no rank to the others.", top=top)


RANKING = Ranking()
