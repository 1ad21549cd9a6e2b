"""Worked examples and the practice item of a form: what of them cannot be shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from annotation.domain.questions.kinds.kind import Yields
from annotation.domain.questions.kinds.registry import KINDS

Problems = Iterator[tuple[str, str]]


def example_problems(
    examples: Sequence[Mapping[str, Any]], criteria: Mapping[str, Mapping[str, Any]]
) -> Problems:
    """Examples of a criterion that the form lacks, or with an answer that its criterion does not take.

    Parameters
    ----------
    examples : sequence of mapping
        Of the schema's shape, completed.
    criteria : mapping
        The criteria of the form, by key.
    """
    for place, one in enumerate(examples):
        path = f"examples[{place}]"
        if one["criterion"] not in criteria:
            known = ", ".join(criteria)
            yield (
                f"{path}.criterion",
                f"The form has no criterion {one['criterion']!r}: choose one of {known}.",
            )
            continue
        criterion = criteria[one["criterion"]]
        values = [point["value"] for point in criterion["points"]]
        if not one["answer"]:
            yield f"{path}.answer", "Give the rating that the example shows."
        elif _chooses_one_point(criterion) and one["answer"] not in values:
            yield f"{path}.answer", f"{one['answer']!r} is no point of it: choose one of {', '.join(values)}."


def _chooses_one_point(criterion: Mapping[str, Any]) -> bool:
    kind = KINDS[criterion["kind"]]
    on_points = kind.yields is Yields.NUMBER and not kind.continuous
    return bool(criterion["points"]) and (on_points or kind.yields in {Yields.LABEL, Yields.PREFERENCE})


def practice_problems(practice: Sequence[Mapping[str, str]], blocks: Sequence[Mapping[str, Any]]) -> Problems:
    """A practice item must have every text that the page shows, each once."""
    if not practice:
        return
    given = [one["field"] for one in practice]
    for place, name in enumerate(given):
        if name in given[:place]:
            yield f"practice[{place}].field", f"{name!r} has a text already: keep one of them."
    wanted = [block["field"] for block in blocks if not block["optional"]]
    missing = [name for name in dict.fromkeys(wanted) if name not in given]
    if missing:
        yield "practice", f"The practice item needs a text for {', '.join(missing)}."
