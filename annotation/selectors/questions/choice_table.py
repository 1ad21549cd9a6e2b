"""Answers to questions with options for an export: the chosen option in words, and its position."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from annotation.domain.base.codebook import CHOICES
from annotation.domain.questions.option_settings import OptionSettings
from annotation.models import Criterion, Item, Study
from annotation.selectors.questions.long_table import choices_frame
from annotation.selectors.questions.shown_options import OFFERING_OPTIONS, own_words

PLAIN = ("item", "group", "system", "form", "form_version", "rater", "criterion")
ASKED = ("form", "form_version", "form_correction", "criterion")
COLUMNS = tuple(CHOICES)


def choices_table(study: Study) -> tuple[Sequence[str], Iterator[dict[str, Any]]]:
    """Return one row per answer with the chosen options in words.

    `shown` has the values in the order in which the rater saw them, and `place` the position of the chosen
    one, from 1; both are empty if all raters saw the same order.
    """
    asked = Criterion.objects.filter(version__form__study=study, kind__in=OFFERING_OPTIONS)
    criteria = {
        (one.version.form.key, one.version.number, one.version.correction, one.key): one
        for one in asked.select_related("version__form").prefetch_related("points")
    }
    items = {item.key: item for item in study.items.iterator()}
    frame = choices_frame(study, OFFERING_OPTIONS)
    rows = frame.assign(value=frame["value"].fillna("")).to_dict("records")
    return COLUMNS, (
        _row(row, criteria[tuple(row[name] for name in ASKED)], items[row["item"]]) for row in rows
    )


def _row(row: Mapping[Any, Any], criterion: Criterion, item: Item) -> dict[str, Any]:
    value = row["value"]
    words = {point.value: point.label or point.value for point in criterion.points.all()}
    words |= own_words(criterion, criterion.version, item)
    chosen = criterion.question_kind.named(value) if value else []
    order = list(row["shown"])
    key = OptionSettings.of(criterion.settings).answer_key
    return {
        **{name: row[name] for name in PLAIN},
        "value": value,
        "chosen": "|".join(words.get(one, one) for one in chosen),
        "shown": "|".join(order),
        "place": "|".join(str(order.index(one) + 1) for one in chosen if one in order),
        "key": str(item.metadata.get(key, "")) if key else "",
        **{name: bool(row[name]) for name in ("cannot_rate", "late", "simulated", "excluded")},
        "form_correction": row["form_correction"],
    }
