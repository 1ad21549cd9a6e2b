"""Problems of the worked examples and the practice item of a form."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from annotation.domain.base.messages import message
from annotation.domain.questions.kinds.kind import Yields
from annotation.domain.questions.kinds.registry import KINDS

Problems = Iterator[tuple[str, str]]


def example_problems(
    examples: Sequence[Mapping[str, Any]], criteria: Mapping[str, Mapping[str, Any]]
) -> Problems:
    """Find examples with an unknown criterion or an invalid answer.

    Parameters
    ----------
    examples : sequence of mapping
        Completed examples in the shape of the schema.
    criteria : mapping
        The criteria of the form, by key.
    """
    for place, one in enumerate(examples):
        path = f"examples[{place}]"
        if one["criterion"] not in criteria:
            yield (
                f"{path}.criterion",
                message(
                    "This form has no criterion “%(key)s”. Choose one of these: %(known)s.",
                    key=one["criterion"],
                    known=", ".join(criteria),
                ),
            )
            continue
        criterion = criteria[one["criterion"]]
        values = [point["value"] for point in criterion["points"]]
        if not one["answer"]:
            yield f"{path}.answer", message("Enter the rating of the example.")
        elif _chooses_one_point(criterion) and one["answer"] not in values:
            yield (
                f"{path}.answer",
                message(
                    "“%(answer)s” is not a point of this criterion. Choose one of these: %(points)s.",
                    answer=one["answer"],
                    points=", ".join(values),
                ),
            )


def _chooses_one_point(criterion: Mapping[str, Any]) -> bool:
    kind = KINDS[criterion["kind"]]
    on_points = kind.yields is Yields.NUMBER and not kind.continuous
    return bool(criterion["points"]) and (on_points or kind.yields in {Yields.LABEL, Yields.PREFERENCE})


def practice_problems(practice: Sequence[Mapping[str, str]], blocks: Sequence[Mapping[str, Any]]) -> Problems:
    """Find missing and repeated texts of the practice item."""
    if not practice:
        return
    given = [one["field"] for one in practice]
    for place, name in enumerate(given):
        if name in given[:place]:
            yield f"practice[{place}].field", message("“%(field)s” has two texts. Remove one.", field=name)
    wanted = [block["field"] for block in blocks if not block["optional"]]
    missing = [name for name in dict.fromkeys(wanted) if name not in given]
    if missing:
        yield (
            "practice",
            message("Add these texts to the practice item: %(fields)s.", fields=", ".join(missing)),
        )
