"""The tuples of a study: one row per span, one row per part, one row per tuple with what of it is located."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

import pandas as pd
from django.db.models import QuerySet

from annotation.domain.questions.cmdag_records import LOCATIONS, location
from annotation.domain.questions.kinds.kind import Yields
from annotation.domain.questions.kinds.registry import keys_yielding
from annotation.domain.questions.marked_text import marked_field as field_of_blocks
from annotation.domain.questions.tuples import PARTS
from annotation.models import Criterion, FormVersion, Study
from annotation.selectors.questions.long_table import FRAME_COLUMNS, long_ratings

SPAN = ("tuple", "part", "start", "end", "text")
STATE = ("form", "form_version", "criterion", "revision", "current", "late", "simulated", "excluded")
Mark = dict[str, Any]


def has_tuples(study: Study) -> bool:
    """Whether a form of the study asks for tuples."""
    return _criteria(study).exists()


def span_columns(study: Study) -> tuple[str, ...]:
    """The columns of `span_rows`, the contract's first."""
    return ("item", _who(study), *SPAN, *STATE, "exclusion_rule")


def span_rows(study: Study, *, all_revisions: bool = False) -> Iterator[dict[str, Any]]:
    """Yield one row per span of a wording.

    Parameters
    ----------
    study : Study
        The study; previews, checks and qualification are never included.
    all_revisions : bool
        Earlier revisions too, with `current` false.

    Yields
    ------
    dict
        A wording that is not located has no offsets. An answer that found no tuple is one row without part:
        its annotator has looked.
    """
    nothing = dict.fromkeys(SPAN)
    for answer, marks in tuple_answers(study, all_revisions=all_revisions):
        for mark in marks or [nothing]:
            yield {**answer, **{name: mark[name] for name in SPAN}}


def part_columns(study: Study) -> tuple[str, ...]:
    """The columns of `part_rows`."""
    return ("item", _who(study), "tuple", "part", "text", "spans", *STATE, "exclusion_rule")


def part_rows(study: Study) -> Iterator[dict[str, Any]]:
    """Yield one row per part: its wordings, and their spans as `start-end`; several are joined by `|`."""
    for answer, marks in tuple_answers(study):
        for number, of_tuple in by_tuple(marks).items():
            for part in dict.fromkeys(mark["part"] for mark in of_tuple):
                of_part = [mark for mark in of_tuple if mark["part"] == part]
                yield {
                    **answer,
                    "tuple": number,
                    "part": part,
                    "text": "|".join(dict.fromkeys(mark["text"] for mark in of_part)),
                    "spans": "|".join(
                        f"{mark['start']}-{mark['end']}" for mark in of_part if mark["start"] is not None
                    ),
                }


def located_columns(study: Study) -> tuple[str, ...]:
    """The columns of `located_rows`."""
    return ("item", _who(study), "tuple", "located", "tenor", "vehicle", "ground", "missing", "context")


def located_rows(study: Study) -> Iterator[dict[str, Any]]:
    """Yield one row per tuple: whether tenor and vehicle occur in the text, and which parts do not."""
    contexts = texts_of(study)
    for answer, marks in tuple_answers(study):
        for number, of_tuple in by_tuple(marks).items():
            words: dict[str, dict[str, None]] = {}
            for mark in of_tuple:
                words.setdefault(mark["part"], {})[mark["text"]] = None
            missing = dict.fromkeys(mark["part"] for mark in of_tuple if mark["start"] is None)
            yield {
                **answer,
                "tuple": number,
                "located": location(of_tuple),
                **{part: "、".join(words.get(part, ())) for part in ("tenor", "vehicle", "ground")},
                "missing": "|".join(missing),
                "context": contexts[answer["form"]].get(answer["item"], ""),
            }


def location_counts(study: Study) -> dict[str, int]:
    """How many current tuples are located wholly, partly, and not."""
    found = Counter(
        location(of_tuple) for _, marks in tuple_answers(study) for of_tuple in by_tuple(marks).values()
    )
    return {where: found[where] for where in LOCATIONS}


def location_line(study: Study) -> str:
    """A sentence with the number of located tuples and the command that lists them."""
    located = location_counts(study)
    counts = ", ".join(f"{number} {where}" for where, number in located.items())
    listed = f"listed by: export {study.slug} --what located"
    return f"{sum(located.values())} tuples; tenor and vehicle located: {counts} ({listed})."


def tuple_answers(
    study: Study, *, all_revisions: bool = False, with_pilot: bool = True
) -> Iterator[tuple[dict[str, Any], list[Mark]]]:
    """Yield every answer to a criterion of kind tuples, as a row of `long_ratings`, with its marks.

    Parameters
    ----------
    study : Study
        The study. A response that was not asked for tuples because of an earlier answer has none, and "can't
        rate" is not an answer.
    all_revisions : bool
        Earlier revisions too.
    with_pilot : bool
        Include the answers of a pooled pilot.
    """
    for answer, marks in _answers(study, all_revisions=all_revisions, with_pilot=with_pilot):
        if marks is not None:
            yield answer, marks


def tuples_frame(study: Study) -> pd.DataFrame:
    """The current answers to criteria of kind tuples, one row per answer, for the statistics.

    Returns
    -------
    pandas.DataFrame
        Columns `FRAME_COLUMNS` and `marks`; `value` is the number of tuples, NaN and `marks` None where an
        answer says "can't rate".
    """
    who = _who(study)
    rows = [
        {
            **answer,
            "rater": answer[who],
            "response": number,
            "marks": marks,
            "value": None if marks is None else len({mark["tuple"] for mark in marks}),
        }
        for number, (answer, marks) in enumerate(_answers(study))
    ]
    frame = pd.DataFrame(rows, columns=[*FRAME_COLUMNS, "marks"])
    frame["value"] = pd.to_numeric(frame["value"])
    return frame


def _answers(
    study: Study, *, all_revisions: bool = False, with_pilot: bool = True
) -> Iterator[tuple[dict[str, Any], list[Mark] | None]]:
    """Answers with their marks; None where the rater can't rate."""
    asked = dict(_criteria(study).order_by("-position").values_list("version__form__key", "key"))
    who = _who(study)
    rows = long_ratings(study, all_revisions=all_revisions, with_pilot=with_pilot)
    for (_, _, form, _), found in groupby(
        rows, key=lambda row: (row["item"], row[who], row["form"], row["revision"])
    ):
        of_response = list(found)
        if form not in asked:
            continue
        answer = next((row for row in of_response if row["criterion"] == asked[form]), None)
        if answer is not None and answer["value"]:
            yield answer, json.loads(answer["value"])
        else:
            found_none = {**of_response[0], "criterion": asked[form], "value": None}
            yield found_none, None if found_none["cannot_rate"] else []


def by_tuple(marks: Iterable[Mark]) -> dict[int, list[Mark]]:
    """Marks by the number of their tuple, in order."""
    found: dict[int, list[Mark]] = {}
    for mark in marks:
        found.setdefault(mark["tuple"], []).append(mark)
    return {number: found[number] for number in sorted(found)}


def marked_field(version: FormVersion) -> str:
    """The field of an item that offsets count in: the figure that the form shows, else its first text."""
    return field_of_blocks(version.blocks)


def texts_of(study: Study) -> dict[str, dict[str, str]]:
    """The text of every item that tuples are marked in, by the key of the form and that of the item."""
    newest_last = (
        _criteria(study).select_related("version__form").order_by("version__number", "version__correction")
    )
    shown = {one.version.form.key: marked_field(one.version) for one in newest_last}
    items = list(study.items.values_list("key", "fields"))
    return {form: {key: fields.get(field, "") for key, fields in items} for form, field in shown.items()}


def _criteria(study: Study) -> QuerySet[Criterion]:
    return Criterion.objects.filter(
        version__form__in=study.forms.all(), kind__in=keys_yielding(Yields.SPANS)
    ).select_related("version")


def _who(study: Study) -> str:
    return "rater" if study.identified else "slot"


def parts_asked(criterion: Criterion) -> list[str]:
    """The parts that a criterion of kind tuples asks for: its points, or the usual ones where it has none."""
    return [point.value for point in criterion.points.all()] or list(PARTS)
