"""Best–worst files as they are published, as the sets and answers of a study."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

from django.db import transaction

from annotation.domain.base.errors import InvalidContent
from annotation.domain.base.messages import message
from annotation.domain.items.drawn_sets import LETTERS
from annotation.domain.questions.kinds.kind import Yields
from annotation.domain.questions.kinds.registry import keys_yielding
from annotation.io.base.file_errors import Problems, refuse_missing_columns
from annotation.io.base.readers import read_rows
from annotation.models import Criterion, Study, User
from annotation.selectors.questions.shown_options import texts_in_order
from annotation.services.base.drafts import ITEMS_IN_DRAFTS, refuse_unless_draft
from annotation.services.items.item_storage import NewItem, add_items
from annotation.services.items.rating_files import import_ratings

ITEM = re.compile(r"item[1-9]")
# Names of columns in small letters, without spaces and underscores; the first is the one that messages name.
BEST, WORST = ("best", "bestitem"), ("worst", "worstitem")
RATERS = ("rater", "annotator", "worker", "workerid", "annotatorid")
SETS = ("set", "tuple", "tupleid", "setid")


@dataclass(frozen=True)
class Choice:
    """One answer: the texts of its set, the best and the worst, and the rater, empty where not known."""

    of_set: str
    texts: tuple[str, ...]
    best: str
    worst: str
    rater: str


def import_published_choices(
    *, study: Study, path: Path, name: str = "", file_format: str = "", actor: User | None = None
) -> int:
    """Add the sets of a published best–worst file to a draft, with their answers.

    Parameters
    ----------
    study, actor
        A draft without raters whose form asks for the best and the worst of as many texts, and who imports.
    path, name, file_format
        The file, what messages call it, and its format, by its ending where empty. One row an answer:
        `item1`, `item2` … (or `Item1` …), `best` and `worst` (or `BestItem`, `WorstItem`), and `rater` and
        `set` if there are any. Without `set`, equal texts are one set; without `rater`, raters are anonymous.

    Returns
    -------
    int
        Answers stored. `meta.a`, `meta.b` … of a set name its texts by themselves.

    Raises
    ------
    FileRefused, NotAllowedNow, InvalidContent
        The file has errors, the study is no draft (`not_a_draft`), has raters, or compares no texts
        (`no_order_asked`).
    """
    refuse_unless_draft(study, ITEMS_IN_DRAFTS)
    size = texts_in_order(study)
    if not size:
        raise InvalidContent(
            message("No question of this study compares several texts. Add one to the form first."),
            code="no_order_asked",
        )
    name = name or path.name
    choices = _read(path, name, file_format, size)
    sets: dict[str, Choice] = {}
    for choice in choices:
        sets.setdefault(choice.of_set, choice)
    keys = {of_set: f"set-{number:0{len(str(len(sets)))}d}" for number, of_set in enumerate(sets, start=1)}
    with transaction.atomic(), NamedTemporaryFile("w", suffix=".jsonl", encoding="utf-8") as file:
        add_items(study=study, rows=[_item(keys[of_set], one.texts) for of_set, one in sets.items()])
        rows = _rows(study, choices, {of_set: one.texts for of_set, one in sets.items()}, keys)
        file.writelines(json.dumps(row) + "\n" for row in rows)
        file.flush()
        return import_ratings(study=study, path=Path(file.name), name=name, actor=actor)


def _read(path: Path, name: str, file_format: str, size: int) -> list[Choice]:
    rows = read_rows(path, needed=(), name=name, file_format=file_format)
    named = {re.sub(r"[ _]", "", str(column).lower()): str(column) for column in rows[0][1]} if rows else {}
    items = [column for short, column in sorted(named.items()) if ITEM.fullmatch(short)]
    columns = {
        names[0]: next((named[one] for one in names if one in named), "")
        for names in (BEST, WORST, RATERS, SETS)
    }
    known = [short for short in ("best", "worst") if columns[short]]
    known += [f"item{number + 1}" for number in range(len(items))]
    needed = ["best", "worst", *(f"item{number + 1}" for number in range(size))]
    refuse_missing_columns(name, [(1, dict.fromkeys([*known, *named.values()]))], needed)
    problems, found = Problems(name), []
    for number, row in rows:
        texts = tuple(text for column in items if (text := _cell(row, column)))
        best, worst = (_cell(row, columns[one]) for one in ("best", "worst"))
        if len(set(texts)) != size or len(texts) != size:
            sentence = message("a set needs %(size)d different items", size=size)
            problems.add(number, items[0], "wrong_set", sentence)
        elif best not in texts or worst not in texts or best == worst:
            sentence = message("enter one item of the set as the best and another one as the worst")
            problems.add(number, columns["best"], "not_one_best_and_worst", sentence)
        of_set = _cell(row, columns["set"]) if columns["set"] else "\x1f".join(sorted(texts))
        found.append(Choice(of_set, texts, best, worst, _cell(row, columns["rater"])))
    _check_sets(rows, found, items[0], problems)
    problems.refuse_if_any()
    return found


def _check_sets(
    rows: Sequence[tuple[int, Mapping[str, Any]]], found: Sequence[Choice], column: str, problems: Problems
) -> None:
    """Refuse answers to one set that name other items."""
    first: dict[str, set[str]] = {}
    for (number, _), choice in zip(rows, found, strict=True):
        if first.setdefault(choice.of_set, set(choice.texts)) != set(choice.texts):
            sentence = message("set %(set)s has other items in an earlier row", set=repr(choice.of_set))
            problems.add(number, column, "set_differs", sentence)


def _cell(row: Mapping[str, Any], column: str) -> str:
    return str(row.get(column, "")).strip() if column else ""


def _item(key: str, texts: Sequence[str]) -> NewItem:
    named = dict(zip(LETTERS, texts, strict=False))
    return NewItem(key=key, fields=named, metadata=named)


def _rows(
    study: Study, choices: Sequence[Choice], texts: Mapping[str, Sequence[str]], keys: Mapping[str, str]
) -> Iterator[dict[str, Any]]:
    """The answers as rows of a ratings file."""
    asked = Criterion.objects.filter(
        version__form__study=study, version__form__planted=False, kind__in=keys_yielding(Yields.ORDER)
    )
    criterion = asked.select_related("version__form").order_by("pk")[0]
    version = criterion.version
    slots: dict[str, int] = {}
    for choice in choices:
        letter = {text: one for one, text in zip(LETTERS, texts[choice.of_set], strict=False)}
        best, worst = letter[choice.best], letter[choice.worst]
        between = "=".join(one for one in letter.values() if one not in (best, worst))
        slots[choice.of_set] = slots.get(choice.of_set, 0) + 1
        yield {
            "item": keys[choice.of_set],
            **({"rater": choice.rater} if choice.rater else {"slot": str(slots[choice.of_set])}),
            "form": version.form.key,
            "form_version": version.number,
            "criterion": criterion.key,
            "value": f"{best}>{between}>{worst}",
        }
