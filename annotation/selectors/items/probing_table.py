"""Probing questions for export: the columns of the published files, and the answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from annotation.domain.questions.kinds.kind import Yields
from annotation.domain.questions.kinds.registry import keys_yielding
from annotation.domain.questions.option_settings import OptionSettings
from annotation.io.items.probing_file import ANSWER, COLUMNS, KEY, OPTIONS, PARTS
from annotation.models import AuditEntry, Criterion, Study
from annotation.selectors.questions.long_table import choices_frame
from annotation.selectors.questions.shown_options import OPTIONS as OPTIONS_ROLE

IMPORTED = "import_probing"
OUR_COLUMNS = ("item", "set", "n_answers")


def probing_criterion(study: Study) -> Criterion | None:
    """The question of a study whose options are each item's own; the newest version that asks it."""
    asked = Criterion.objects.filter(
        version__form__study=study, version__form__planted=False, kind__in=keys_yielding(Yields.LABEL)
    )
    for criterion in asked.select_related("version__form").order_by(
        "-version__number", "-version__correction", "position"
    ):
        if _options_field(criterion):
            return criterion
    return None


def probing_table(study: Study) -> tuple[Sequence[str], Iterator[dict[str, Any]]]:
    """The questions with the columns of the published files, then a column of answers for each rater.

    `human_idx` is the option that most raters chose, empty where two were chosen equally often or none was;
    without answers in the study it is the answer that came with the file. Excluded and late answers are
    left out.
    """
    criterion = probing_criterion(study)
    if criterion is None:
        return (*COLUMNS, *OUR_COLUMNS), iter(())
    frame = choices_frame(study)
    asked = (frame["form"] == criterion.version.form.key) & (frame["criterion"] == criterion.key)
    counted = frame[asked & ~frame["excluded"].astype(bool) & ~frame["late"].astype(bool)]
    answers: dict[str, dict[str, str]] = {}
    for item, rater, value in counted[["item", "rater", "value"]].fillna("").to_numpy().tolist():
        answers.setdefault(item, {})[rater] = str(value)
    raters = sorted({rater for given in answers.values() for rater in given})
    columns = (*COLUMNS, *OUR_COLUMNS, *(f"answer.{rater}" for rater in raters))
    return columns, _rows(study, criterion, answers, raters)


def refused_answers(study: Study) -> list[str]:
    """The problems found when the questions of a study were imported, one sentence each."""
    entries = AuditEntry.objects.filter(study=study, act=IMPORTED).order_by("pk")
    return [sentence for entry in entries for sentence in entry.detail.get("refused", [])]


def _rows(
    study: Study, criterion: Criterion, answers: dict[str, dict[str, str]], raters: Sequence[str]
) -> Iterator[dict[str, Any]]:
    field, key = _options_field(criterion), OptionSettings.of(criterion.settings).answer_key
    for item in study.items.order_by("position").iterator():
        given = answers.get(item.key, {})
        options = dict(zip(OPTIONS, item.fields.get(field, "").splitlines(), strict=False))
        yield {
            "sentence": item.fields.get("sentence", ""),
            **{part: item.metadata.get(part, "") for part in PARTS},
            **{option: options.get(option, "") for option in OPTIONS},
            ANSWER: _majority(given) if given else item.metadata.get(ANSWER, ""),
            KEY: item.metadata.get(key, ""),
            "item": item.key,
            "set": item.system,
            "n_answers": sum(value != "" for value in given.values()),
            **{f"answer.{rater}": given.get(rater, "") for rater in raters},
        }


def _majority(given: dict[str, str]) -> str:
    """The option that most chose; empty for a tie, a “not sure” or nothing."""
    ranked = Counter(value for value in given.values() if value).most_common(2)
    if not ranked or (len(ranked) == 2 and ranked[0][1] == ranked[1][1]):
        return ""
    return ranked[0][0] if ranked[0][0].isdecimal() else ""


def _options_field(criterion: Criterion) -> str:
    blocks = criterion.version.blocks
    own = [b["field"] for b in blocks if b.get("role") == OPTIONS_ROLE and b.get("of") == criterion.key]
    return next(iter(own), "")
