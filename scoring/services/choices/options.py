"""The part of a reliability report that is about questions with options: agreement, key, preferences."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from annotation.domain.questions.kinds.kind import QuestionKind, Yields
from annotation.domain.questions.option_settings import OptionSettings
from annotation.models import Criterion, Study
from annotation.selectors.questions.long_table import choices_frame
from annotation.selectors.questions.shown_options import OF_OPTIONS, SIDE, WITH_OPTIONS
from scoring.services.agreement.without_exclusions import ignore_exclusions
from scoring.services.data.counting import criterion_names, select_ratings
from scoring.stats.base.parallel import Progress
from scoring.stats.base.resampling import Resampling
from scoring.stats.choices.accuracy import accuracy_rows
from scoring.stats.choices.bradley_terry import strength_rows
from scoring.stats.choices.nominal import ChoiceQuestion, choice_agreement
from scoring.stats.choices.preference import first_shown, win_rates, wins_by_percent

# Columns that change no figure of the answers that count.
OF_NO_ANSWER = {"response", "form_correction", "pool", "study"}
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
class ChoicePart:
    """The answers that count, with what they are judged by.

    Parameters
    ----------
    study
        Whose answers.
    answers
        One row an answer, its criterion's `name` and, where there are, `key`, `category` and the sides beside
        it; an empty `value` is a "can't rate".
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

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the answers and of what they are judged by, whatever their order."""
        columns = [name for name in self.answers.columns if name not in OF_NO_ANSWER]
        cells = self.answers[columns].astype(object).where(self.answers[columns].notna(), None)
        rows = sorted(json.dumps(row, ensure_ascii=False, default=str) for row in cells.to_numpy().tolist())
        options = {name: (asked.options, asked.differs) for name, asked in self.asked.items()}
        return hashlib.sha256(json.dumps([columns, options, rows]).encode()).hexdigest()

    @property
    def cannot_rate(self) -> dict[str, int]:
        """Answers without a value, by criterion."""
        return {name: int((rows["value"] == "").sum()) for name, rows in self._by_question()}

    @property
    def method(self) -> dict[str, Any]:
        """Which other answers the figures are compared with."""
        return {} if self.before is None else {"choices_before": self.before.fingerprint}

    def computed(
        self, method: Mapping[str, Any], progress: Progress
    ) -> tuple[list[dict[str, Any]], dict[str, Any]]:
        """Figures as rows of the contract's JSON, and what is shown beside them."""
        total = sum(1 for _ in self._by_question())
        progress(0, total)
        how = Resampling(method["replicates"], method["seed"])
        tables = self.tables(how)
        if self.before is not None:
            tables["before"] = self.before.agreement(how)
        rows = self.agreement(how)
        progress(total, total)
        return rows, tables

    def agreement(self, resampling: Resampling) -> list[dict[str, Any]]:
        """Agreement figures of every question as rows of the contract's JSON."""
        return [
            figure.to_row()
            for name, rows in self._by_question()
            for figure in choice_agreement(
                rows, self.asked[name].question, identified=self.study.identified, resampling=resampling
            )
        ]

    def tables(self, resampling: Resampling) -> dict[str, Any]:
        """Accuracy against the key, and preferences, as lists of rows; a table without rows is left out."""
        found: dict[str, list[dict[str, Any]]] = {}
        for name, rows in self._by_question():
            asked = self.asked[name]
            if asked.kind.yields is Yields.PREFERENCE:
                parts = self._preferences(name, rows, resampling)
            else:
                parts = self._accuracy(asked, rows, resampling)
            for table, more in parts.items():
                found.setdefault(table, []).extend(more)
        return {table: rows for table, rows in found.items() if rows}

    def _by_question(self) -> Iterable[tuple[str, pd.DataFrame]]:
        for name in self.asked:
            rows = self.answers[self.answers["name"] == name]
            if (rows["value"] != "").any():
                yield name, rows

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
        compared = rows[rows["value"] != ""].rename(columns={"value": "outcome"})
        asked: dict[str, Any] = {"criterion": name, "resampling": resampling}
        return {
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
        Whose answers.
    pool_versions : bool
        Take all versions of a form together; otherwise the newest one that was answered.
    """
    frame = choices_frame(study)
    part = _part(study, frame, pool_versions=pool_versions)
    if part is None or not part.data["excluded"]:
        return part
    everything = ignore_exclusions(study, frame, pool_versions=pool_versions)
    before = _part(study, everything, pool_versions=pool_versions)
    return replace(part, before=before)


def _part(study: Study, frame: pd.DataFrame, *, pool_versions: bool) -> ChoicePart | None:
    if frame.empty:
        return None
    kept, data = select_ratings(study, frame, pool_versions=pool_versions)
    if not kept["value"].notna().any():
        return None
    kept = kept.assign(name=criterion_names(kept), value=kept["value"].fillna("").astype(str))
    asked = _asked(study, kept)
    return ChoicePart(study, _judged(study, kept, asked), asked, data)


def _asked(study: Study, kept: pd.DataFrame) -> dict[str, AskedChoice]:
    names = {
        (form, key): name
        for form, key, name in kept[["form", "criterion", "name"]].drop_duplicates().to_numpy().tolist()
    }
    criteria = Criterion.objects.filter(version__form__study=study, kind__in=WITH_OPTIONS)
    found: dict[str, AskedChoice] = {}
    ordered = criteria.select_related("version__form").prefetch_related("points")
    for criterion in ordered.order_by(
        "version__form__position", "version__number", "version__correction", "position", "pk"
    ):
        name = names.get((criterion.version.form.key, criterion.key))
        if name is None:
            continue
        before = found.get(name)
        earlier = before.options if before else ()
        now = tuple(point.value for point in criterion.points.all())
        found[name] = AskedChoice(
            name=name,
            kind=criterion.question_kind,
            options=tuple(dict.fromkeys((*earlier, *now))),
            settings=OptionSettings.of(criterion.settings),
            fields=_side_fields(criterion),
            differs=_differs(criterion) or (before is not None and before.differs),
        )
    return found


def _differs(criterion: Criterion) -> bool:
    """Whether the options are texts of the item, so that a value says nothing beyond it."""
    own = [block for block in criterion.version.blocks if block.get("of") == criterion.key]
    return any(block.get("role") in OF_OPTIONS for block in own)


def _side_fields(criterion: Criterion) -> dict[str, str]:
    blocks = criterion.version.blocks
    own = [block for block in blocks if block.get("of") == criterion.key and block.get("role") == SIDE]
    return {block["value"]: block["field"] for block in own}


def _judged(study: Study, kept: pd.DataFrame, asked: Mapping[str, AskedChoice]) -> pd.DataFrame:
    """The answers with the key of their item, its category, and who competes on which side."""
    items = {
        key: (fields, metadata)
        for key, fields, metadata in study.items.values_list("key", "fields", "metadata").iterator()
    }
    columns: dict[str, list[Any]] = {
        name: [] for name in ("key", "category", "a", "b", "percent", "high", "first")
    }
    # As files hold it: the fingerprint is taken over these columns.
    columns["shown"] = ["|".join(order) for order in kept["shown"]]
    for item, name, shown in zip(kept["item"], kept["name"], kept["shown"], strict=True):
        fields, metadata = items[item]
        about = asked[name]
        columns["key"].append(_key(about, metadata))
        columns["category"].append(str(metadata.get("category", "")))
        for side in ("a", "b"):
            columns[side].append(str(metadata.get(side) or fields.get(about.fields.get(side, side), "")))
        columns["percent"].append(_number(metadata.get("percent")))
        columns["high"].append(str(metadata.get("high", "")))
        columns["first"].append(shown[0] if shown else "")
    return kept.assign(**columns)


def _key(asked: AskedChoice, metadata: Mapping[str, Any]) -> str:
    """The right value; empty where the item has none, or one that is no option."""
    key = str(metadata.get(asked.settings.answer_key, "")) if asked.settings.answer_key else ""
    return key if set(asked.kind.values(key)) <= set(asked.options) else ""


def _number(cell: object) -> float:
    try:
        return float(str(cell))
    except ValueError:
        return np.nan
