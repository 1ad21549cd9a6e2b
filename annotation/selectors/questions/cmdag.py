"""A study's tuples as records of CMDAG's own JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from annotation.domain.questions.cmdag_records import RecordExtras, records_of
from annotation.models import Study
from annotation.selectors.questions.tuple_tables import texts_of, tuple_answers

Record = dict[str, Any]


def cmdag_records(study: Study, *, rater: str = "") -> list[Record]:
    """The tuples that count as records `metaphor_id`, `context`, `tenor`, `vehicle`, `ground`, `sub_id`.

    Parameters
    ----------
    study : Study
        The study. Excluded answers are left out, and late ones unless the study counts them.
    rater : str
        Only this annotator's; all where empty.

    Returns
    -------
    list of dict
        Records that were imported come out as they came in, in their order. Where several annotators are
        among them, each record also has their code under `rater`; where tuples of several
        forms are, as in two stages, the form's key under `form`.
    """
    who = "rater" if study.identified else "slot"
    texts = texts_of(study)
    sources = {
        key: (metadata, number)
        for number, (key, metadata) in enumerate(study.items.values_list("key", "metadata"), start=1)
    }
    found: list[tuple[int, str, str, Record]] = []
    for answer, marks in tuple_answers(study):
        wanted = not rater or answer[who] == rater
        if wanted and not answer["excluded"] and (study.include_late or not answer["late"]):
            metadata, number = sources[answer["item"]]
            text = texts[answer["form"]][answer["item"]]
            for place, record in _records(marks, metadata, number, text, answer[who]):
                at = len(found) if place is None else place
                found.append((at, answer[who], answer["form"], record))
    found.sort(key=lambda one: one[0])
    by_several = len({code for _, code, _, _ in found}) > 1
    of_several = len({form for _, _, form, _ in found}) > 1
    return [
        {
            **record,
            **({"rater": code} if by_several else {}),
            **({"form": form} if of_several else {}),
        }
        for _, code, form, record in found
    ]


def _records(
    marks: list[dict[str, Any]], metadata: dict[str, Any], number: int, context: str, code: str
) -> Iterator[tuple[int | None, Record]]:
    """Records with their places in the file they came from, where these are not in the order of the items."""
    metaphor_id = metadata.get("metaphor_id", number)
    imported = json.loads(metadata["cmdag"]) if isinstance(metadata.get("cmdag"), str) else {}
    if imported.get("rater") != code:
        imported = {}
    imported_records = [RecordExtras.of(one) for one in imported["records"]] if imported else None
    records = records_of(marks, metaphor_id, context, imported_records)
    places = imported.get("places", [])
    yield from zip(places if len(places) == len(records) else [None] * len(records), records, strict=True)


def cmdag_json(study: Study, *, rater: str = "") -> Iterator[bytes]:
    """The records as the published files are written: a list, indented by four, in UTF-8."""
    encoder = json.JSONEncoder(ensure_ascii=False, indent=4)
    text = "".join(encoder.iterencode(cmdag_records(study, rater=rater)))
    yield text.encode("utf-8")
