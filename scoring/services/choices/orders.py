"""The part of a reliability report that is about orders: agreement, mean ranks, strengths, pairs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import pandas as pd

from annotation.domain.questions.kinds.kind import Yields
from annotation.domain.questions.kinds.registry import keys_yielding
from annotation.models import Criterion, Study
from annotation.selectors.questions.long_table import choices_frame
from scoring.services.choices.answers import AnswersPart, asked_criteria, part_with_before
from scoring.stats.base.resampling import Resampling
from scoring.stats.choices.best_worst.clusters import Clusters
from scoring.stats.choices.best_worst.scores import about_items, coded_ends, halves_row, score_rows
from scoring.stats.choices.orders.candidates import RankedCandidates, candidate_rows, pair_rows
from scoring.stats.choices.orders.coded_orders import Orders
from scoring.stats.choices.orders.concordance import order_agreement

ORDER_TABLES = ("order_candidates", "order_pairs", "best_worst_scores", "best_worst_halves")


@dataclass(frozen=True)
class OrderPart(AnswersPart):
    """The orders that count, with the candidates that their options show.

    Parameters
    ----------
    study
        Study of the answers.
    answers
        One row an answer, with the `name` of its criterion and `candidates`, a JSON list of the candidate
        that each option of `options` shows; an empty `value` is a "can't rate".
    options
        The options of each question, of all versions, by its name.
    of_ends
        Names of the questions that ask for a best and a worst option only.
    data
        Counts for a report.
    before
        As if nothing were excluded; None where nothing is.
    """

    study: Study
    answers: pd.DataFrame
    options: Mapping[str, tuple[str, ...]]
    of_ends: frozenset[str]
    data: dict[str, Any]
    before: OrderPart | None = None

    of_no_answer: ClassVar = frozenset({"response", "form_correction", "pool", "study", "shown"})
    before_name: ClassVar = "orders_before"

    @property
    def settings_by_question(self) -> Mapping[str, tuple[str, ...]]:
        return self.options

    def agreement(self, resampling: Resampling) -> list[dict[str, Any]]:
        """Agreement figures of every question as rows of the contract's JSON."""
        return [
            figure.to_row()
            for name, rows in self.by_question()
            for figure in order_agreement(self._orders(name, rows), resampling)
        ]

    def tables(self, resampling: Resampling) -> dict[str, Any]:
        """Candidates and their pairs, or best–worst scores, as rows; a table without rows is left out."""
        found: dict[str, list[dict[str, Any]]] = {table: [] for table in ORDER_TABLES}
        for name, all_rows in self.by_question():
            # Random halves of the answers are the same in whatever order the answers come.
            rows = all_rows.sort_values(["item", "rater"], kind="stable")
            given = rows[rows["value"] != ""]
            ranked = RankedCandidates.of(self._orders(name, rows), [*map(json.loads, given["candidates"])])
            coded = (ranked.names, ranked.code, ranked.place, ranked.item)
            ends = coded_ends(*coded) if name in self.of_ends else None
            if ends is not None:
                rater = ranked.rater if self.study.identified else None
                shared = Clusters.of(about_items(ends), ranked.item, ranked.unit, ranked.drawn, rater)
                found["best_worst_scores"] += score_rows(ends, name, shared)
                found["best_worst_halves"].append(halves_row(ends, name, resampling.seed))
            elif ranked.names:
                found["order_candidates"] += candidate_rows(ranked, resampling)
                found["order_pairs"] += pair_rows(ranked, resampling)
        return {table: rows for table, rows in found.items() if rows}

    def questions(self) -> Iterable[tuple[Orders, list[list[str]]]]:
        """Yield the orders of each question, with the candidates that the options of each answer show."""
        for name, rows in self.by_question():
            given = rows[rows["value"] != ""]
            yield self._orders(name, rows), [*map(json.loads, given["candidates"])]

    def _orders(self, name: str, rows: pd.DataFrame) -> Orders:
        given = rows[rows["value"] != ""]
        return Orders.of(given, name, self.options[name], identified=self.study.identified)


def order_part(study: Study, *, pool_versions: bool) -> OrderPart | None:
    """The orders that count.

    Parameters
    ----------
    study : Study
        Study of the answers.
    pool_versions : bool
        Take all versions of a form together; otherwise the newest one that was answered.
    """
    frame = choices_frame(study, keys_yielding(Yields.ORDER))
    return part_with_before(study, frame, _part, pool_versions=pool_versions)


def _part(study: Study, counted: pd.DataFrame, data: dict[str, Any]) -> OrderPart:
    asked: dict[str, list[Criterion]] = {}
    for name, criterion in asked_criteria(study, counted, keys_yielding(Yields.ORDER)):
        asked.setdefault(name, []).append(criterion)
    options = {name: _options(criteria) for name, criteria in asked.items()}
    of_ends = frozenset(
        name for name, criteria in asked.items() if all(one.question_kind.orders_ends for one in criteria)
    )
    texts = {name: _fields(criteria) if name in of_ends else {} for name, criteria in asked.items()}
    return OrderPart(study, _with_candidates(study, counted, options, texts), options, of_ends, data)


def _options(criteria: Iterable[Criterion]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(point.value for criterion in criteria for point in criterion.points.all()))


def _fields(criteria: Iterable[Criterion]) -> dict[str, str]:
    """The text of the item that each option shows, in the newest version that shows one."""
    return {
        block["value"]: block["field"]
        for criterion in criteria
        for block in criterion.version.blocks
        if block.get("of") == criterion.key and "value" in block
    }


def _with_candidates(
    study: Study,
    counted: pd.DataFrame,
    options: Mapping[str, tuple[str, ...]],
    texts: Mapping[str, Mapping[str, str]],
) -> pd.DataFrame:
    """Add to each answer the candidate that each option shows.

    A candidate is the item's metadata under the option, else the text that the option shows, else the option.
    """
    items = {
        key: (metadata, fields)
        for key, metadata, fields in study.items.values_list("key", "metadata", "fields").iterator()
    }

    def candidate(item: str, name: str, option: str) -> str:
        metadata, fields = items[item]
        return str(metadata.get(option) or fields.get(texts[name].get(option, "")) or option)

    candidates = [
        json.dumps([candidate(item, name, option) for option in options[name]], ensure_ascii=False)
        for item, name in zip(counted["item"], counted["name"], strict=True)
    ]
    return counted.assign(candidates=candidates)
