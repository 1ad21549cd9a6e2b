"""`labels.json`: the answers of each rater to each item, with their shares as soft labels.

The layout is that of the shared tasks on learning with disagreements (Leonardelli et al. 2023): one entry per
item and question, with parallel lists of answers and raters.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any

from annotation.domain.questions.kinds.kind import Question, Yields
from annotation.models import Criterion, Item
from annotation.services.questions.criteria import question_of
from scoring.bundle.contents import BundleFile, Contents
from scoring.bundle.ratings import redacted

SPLIT = "train"
# A scale of more points has no categories.
MOST_VALUES = 20
Row = Mapping[str, Any]
Place = tuple[str, str]


@dataclass(frozen=True)
class Labels:
    """The answers that a question allows, as files hold them, and its text."""

    question: Question
    wording: str
    values: tuple[str, ...]

    def chosen(self, cell: float | str) -> list[str]:
        """The labels of one answer: several where the question allows several options."""
        if isinstance(cell, str):
            return self.question.kind.values(cell)
        return [plain(cell)]


def labels_part(contents: Contents, _: Sequence[BundleFile]) -> Iterator[BundleFile]:
    """`labels.json`, where a question has a set of answers to choose from."""
    questions = labelled_questions(contents)
    if questions:
        yield BundleFile("labels.json", lambda: _pieces(contents, questions))


def labelled_questions(contents: Contents) -> dict[Place, Labels]:
    """The questions answered by one of a few values, by form and criterion, in their newest wording."""
    found: dict[Place, Labels] = {}
    criteria = Criterion.objects.filter(version__form__study=contents.study).select_related("version__form")
    ordered = criteria.prefetch_related("points").order_by("version__number", "version__correction", "pk")
    for one in ordered:
        values = label_values(question_of(one))
        if values:
            found[one.version.form.key, one.key] = Labels(question_of(one), one.question, values)
    return found


def label_values(question: Question) -> tuple[str, ...]:
    """The answers that a question allows; none where they are no short list.

    A scale has the whole numbers from its minimum to its maximum. A mark between two ends, an order, words
    and marked texts have no labels.
    """
    if question.kind.yields in {Yields.LABEL, Yields.LABELS, Yields.PREFERENCE}:
        return question.options
    ends = question.minimum, question.maximum
    if question.kind.yields is not Yields.NUMBER or question.kind.continuous or None in ends:
        return ()
    low, high = (int(one or 0) for one in ends)
    values = range(low, high + 1)
    return tuple(map(str, values)) if len(values) <= MOST_VALUES else ()


def _pieces(contents: Contents, questions: Mapping[Place, Labels]) -> Iterator[bytes]:
    """The JSON object, an entry at a time."""
    items = {one.key: one for one in Item.objects.filter(study=contents.study, planted=False)}
    before = "{"
    for number, entry in enumerate(_entries(contents, questions, items), start=1):
        text = json.dumps(entry, ensure_ascii=False)
        yield f"{before}\n{json.dumps(str(number))}: {text}".encode()
        before = ","
    yield b"{}\n" if before == "{" else b"\n}\n"


def _entries(
    contents: Contents, questions: Mapping[Place, Labels], items: Mapping[str, Item]
) -> Iterator[dict[str, Any]]:
    study = contents.study
    place = itemgetter("form", "criterion", "pooled_version")
    counted = (
        row
        for row in redacted(contents)
        if row["value"] is not None
        and not row["excluded"]
        and (study.include_late or not row["late"])
        and (row["form"], row["criterion"]) in questions
    )
    who = "rater" if study.identified else "slot"
    for key, of_item in groupby(counted, key=itemgetter("item")):
        for (form, criterion, _), rows in groupby(sorted(of_item, key=place), key=place):
            yield _entry(list(rows), who, questions[form, criterion], items[key])


def _entry(rows: Sequence[Row], who: str, labels: Labels, item: Item) -> dict[str, Any]:
    cells = [row["value"] for row in rows]
    first = rows[0]
    return {
        "annotation task": labels.wording or labels.question.name,
        "text": item.fields,
        "number of annotations": len(rows),
        "annotations": ",".join("|".join(labels.chosen(cell)) for cell in cells),
        "annotators": ",".join(str(row[who]) for row in rows),
        "lang": first["text_language"] or item.study.language,
        "soft_label": soft_label(labels, cells),
        "split": SPLIT,
        "other_info": {
            name: first[name]
            for name in ("item", "group", "system", "form", "form_version", "criterion", "pooled_version")
        },
    }


def soft_label(labels: Labels, cells: Iterable[float | str]) -> dict[str, float]:
    """The share of raters who gave each label; of several options each counts for its rater."""
    given = list(cells)
    counts = Counter(label for cell in given for label in set(labels.chosen(cell)))
    known = dict.fromkeys((*labels.values, *sorted(set(counts) - set(labels.values))))
    return {label: counts[label] / len(given) for label in known}


def plain(number: float) -> str:
    """`4.0` → “4”."""
    return f"{number:g}"
