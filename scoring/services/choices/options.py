"""The part of a reliability report that is about questions with options: agreement, key, preferences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pandas as pd

from annotation.domain.questions.kinds.kind import QuestionKind, Yields
from annotation.domain.questions.option_settings import OptionSettings, is_much, side_of
from annotation.models import Criterion, Study
from annotation.selectors.questions.long_table import choices_frame
from annotation.selectors.questions.shown_options import SIDE, WITH_OPTIONS, differ_between_items
from scoring.services.choices.answers import AnswersPart, asked_criteria, part_with_before
from scoring.stats.base.resampling import Resampling
from scoring.stats.choices.accuracy import accuracy_rows
from scoring.stats.choices.bradley_terry import strength_rows
from scoring.stats.choices.graded import graded_wins
from scoring.stats.choices.nominal import ChoiceQuestion, choice_agreement
from scoring.stats.choices.preference import first_shown, win_rates, wins_by_percent

CATEGORIES = ("system", "category")


@dataclass(frozen=True)
class AskedChoice:
    """A question with options as its newest version asks it; the options are those of all versions."""

    name: str
    kind: QuestionKind
    options: tuple[str, ...]
    settings: OptionSettings
    fields: Mapping[str, str]
    differs: bool

    @property
    def question(self) -> ChoiceQuestion:
        several = self.kind.yields is Yields.LABELS
        return ChoiceQuestion(self.name, self.options, several=several, differs=self.differs)


@dataclass(frozen=True)
class ChoicePart(AnswersPart):
    """The answers that count, with their questions and answer keys.

    Parameters
    ----------
    study
        Study of the answers.
    answers
        One row an answer, with its criterion's `name` and, where there are any, `key`, `category` and the
        sides; an empty `value` is a "can't rate".
    asked
        The questions, by name.
    data
        Counts for a report.
    before
        As if nothing were excluded; None where nothing is.
    """

    study: Study
    answers: pd.DataFrame
    asked: Mapping[str, AskedChoice]
    data: dict[str, Any]
    before: ChoicePart | None = None

    of_no_answer: ClassVar = frozenset({"response", "form_correction", "pool", "study"})
    before_name: ClassVar = "choices_before"

    @property
    def settings_by_question(self) -> Mapping[str, tuple[tuple[str, ...], bool]]:
        return {name: (asked.options, asked.differs) for name, asked in self.asked.items()}

    def agreement(self, resampling: Resampling) -> list[dict[str, Any]]:
        """Agreement figures of every question as rows of the contract's JSON."""
        return [
            figure.to_row()
            for name, rows in self.by_question()
            for figure in choice_agreement(
                rows, self.asked[name].question, identified=self.study.identified, resampling=resampling
            )
        ]

    def tables(self, resampling: Resampling) -> dict[str, Any]:
        """Accuracy against the key, and preferences, as lists of rows; a table without rows is left out."""
        found: dict[str, list[dict[str, Any]]] = {}
        for name, rows in self.by_question():
            asked = self.asked[name]
            if asked.kind.yields is Yields.PREFERENCE:
                parts = self._preferences(name, rows, resampling)
            else:
                parts = self._accuracy(asked, rows, resampling)
            for table, more in parts.items():
                found.setdefault(table, []).extend(more)
        return {table: rows for table, rows in found.items() if rows}

    def _accuracy(
        self, asked: AskedChoice, rows: pd.DataFrame, resampling: Resampling
    ) -> dict[str, list[dict[str, Any]]]:
        keyed = rows[rows["key"] != ""]
        if keyed.empty:
            return {}
        judged = accuracy_rows(
            keyed,
            criterion=asked.name,
            unsure=asked.settings.unsure,
            resampling=resampling,
            by=[name for name in CATEGORIES if keyed[name].ne("").all()],
        )
        left_out = rows["item"].nunique() - keyed["item"].nunique()
        without = [{"criterion": asked.name, "n_items": int(left_out)}] if left_out else []
        return {"accuracy": judged, "without_key": without}

    def _preferences(
        self, name: str, rows: pd.DataFrame, resampling: Resampling
    ) -> dict[str, list[dict[str, Any]]]:
        given = rows[rows["value"] != ""]
        compared = given.assign(outcome=given["value"].map(side_of), much=given["value"].map(is_much))
        asked: dict[str, Any] = {"criterion": name, "resampling": resampling}
        is_graded = any(is_much(option) for option in self.asked[name].options)
        return {
            "graded_wins": graded_wins(compared, criterion=name, confidence=resampling.confidence)
            if is_graded
            else [],
            "win_rates": win_rates(compared, **asked),
            "wins_by_percent": wins_by_percent(compared, **asked),
            "strengths": strength_rows(compared, **asked),
            "first_shown": first_shown(compared, **asked),
        }


def choice_part(study: Study, *, pool_versions: bool) -> ChoicePart | None:
    """The answers to questions with options that count.

    Parameters
    ----------
    study : Study
        Study of the answers.
    pool_versions : bool
        Take all versions of a form together; otherwise the newest one that was answered.
    """
    return part_with_before(study, choices_frame(study), _part, pool_versions=pool_versions)


def _part(study: Study, counted: pd.DataFrame, data: dict[str, Any]) -> ChoicePart:
    asked = _asked(study, counted)
    return ChoicePart(study, _judged(study, counted, asked), asked, data)


def _asked(study: Study, counted: pd.DataFrame) -> dict[str, AskedChoice]:
    found: dict[str, AskedChoice] = {}
    for name, criterion in asked_criteria(study, counted, WITH_OPTIONS):
        before = found.get(name)
        earlier = before.options if before else ()
        now = tuple(point.value for point in criterion.points.all())
        found[name] = AskedChoice(
            name=name,
            kind=criterion.question_kind,
            options=tuple(dict.fromkeys((*earlier, *now))),
            settings=OptionSettings.of(criterion.settings),
            fields=_side_fields(criterion),
            differs=differ_between_items(criterion) or (before is not None and before.differs),
        )
    return found


def _side_fields(criterion: Criterion) -> dict[str, str]:
    blocks = criterion.version.blocks
    own = [block for block in blocks if block.get("of") == criterion.key and block.get("role") == SIDE]
    return {block["value"]: block["field"] for block in own}


def _judged(study: Study, counted: pd.DataFrame, asked: Mapping[str, AskedChoice]) -> pd.DataFrame:
    """The answers with the key of their item, its category, and who competes on which side."""
    items = {
        key: (fields, metadata)
        for key, fields, metadata in study.items.values_list("key", "fields", "metadata").iterator()
    }
    columns: dict[str, list[Any]] = {
        name: [] for name in ("key", "category", "a", "b", "percent", "high", "first")
    }
    # As files hold it: the fingerprint is taken over these columns.
    columns["shown"] = ["|".join(order) for order in counted["shown"]]
    for item, name, shown in zip(counted["item"], counted["name"], counted["shown"], strict=True):
        fields, metadata = items[item]
        about = asked[name]
        columns["key"].append(_key(about, metadata))
        columns["category"].append(str(metadata.get("category", "")))
        for side in ("a", "b"):
            columns[side].append(str(metadata.get(side) or fields.get(about.fields.get(side, side), "")))
        columns["percent"].append(_number(metadata.get("percent")))
        columns["high"].append(str(metadata.get("high", "")))
        columns["first"].append(side_of(shown[0]) if shown else "")
    return counted.assign(**columns)


def _key(asked: AskedChoice, metadata: Mapping[str, Any]) -> str:
    """The right value; empty where the item has none, or one that is no option."""
    key = str(metadata.get(asked.settings.answer_key, "")) if asked.settings.answer_key else ""
    return key if set(asked.kind.values(key)) <= set(asked.options) else ""


def _number(cell: object) -> float:
    try:
        return float(str(cell))
    except ValueError:
        return np.nan
