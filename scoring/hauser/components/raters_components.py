"""Components of a simile from the tuples that a majority of several raters marked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from scoring.hauser.base.cleaning import lookup_key
from scoring.hauser.base.parts import Components, Extraction, Part

NONE_BY_RATERS = "none_by_raters"
PART_OF_MARK = {"tenor": "topic", "ground": "property"}
PARTS = ("topic", "vehicle", "event", "property", "comparator")
Mark = Mapping[str, Any]


def find_majority_components(answers: Sequence[Sequence[Mark]], text: str) -> Extraction:
    """The pairs that most raters see in a text.

    Two wordings are the same where they are looked up as the same. Every vehicle is taken that more than
    half of the raters name who see a pair at all, or else the one that most name; with it the topics that
    more than half of its raters give it, or else the most given; and of each other part the most given. Of
    equally frequent ones the first counts, in the order of the answers.

    Parameters
    ----------
    answers : sequence of sequence of mapping
        Marks of each rater, `{"tuple", "part", "start", "end", "text"}`; empty for a rater without a tuple.
    text : str
        Text of the candidate. A wording that is not at its marked position has no position in it.

    Returns
    -------
    Extraction
        The pairs in the order of their vehicles in the text; without a pair (`none_by_raters`) where more
        than half of the raters see none.
    """
    pairs = [_pairs(marks, text) for marks in answers]
    seen = [own for own in pairs if own]
    if not seen or 2 * len(seen) < len(answers):
        return Extraction((), NONE_BY_RATERS)
    found = [
        _agreed_pair(_of(_of(seen, "vehicle", vehicle), "topic", topic))
        for vehicle in _chosen(seen, "vehicle")
        for topic in _chosen(_of(seen, "vehicle", vehicle), "topic")
    ]
    length = len(text)
    return Extraction(
        tuple(sorted(found, key=lambda one: length if one.vehicle.start is None else one.vehicle.start))
    )


def _pairs(marks: Sequence[Mark], text: str) -> list[Components]:
    tuples: dict[int, dict[str, list[Mark]]] = {}
    for mark in marks:
        name = PART_OF_MARK.get(mark["part"], mark["part"])
        if name in PARTS:
            tuples.setdefault(mark["tuple"], {}).setdefault(name, []).append(mark)
    named = [{name: _part(found, text) for name, found in parts.items()} for parts in tuples.values()]
    return [Components(parts.pop("topic", None), **parts) for parts in named if "vehicle" in parts]


def _part(marks: Sequence[Mark], text: str) -> Part:
    """The first wording, with a position only where it is one span of the text."""
    first, *others = [mark for mark in marks if mark["text"] == marks[0]["text"]]
    start, end = first["start"], first["end"]
    if others or start is None or text[start:end] != first["text"]:
        return Part(first["text"])
    return Part(first["text"], start, end)


def _key(part: Part | None) -> str:
    return "" if part is None else lookup_key(part.text) or part.text.casefold()


def _votes(by_rater: Sequence[Sequence[Components]], name: str) -> Counter[str]:
    """Number of raters for each wording of a part."""
    return Counter(key for own in by_rater for key in dict.fromkeys(_key(getattr(one, name)) for one in own))


def _chosen(by_rater: Sequence[Sequence[Components]], name: str) -> list[str]:
    """The wording of more than half of the raters, or else the most frequent one."""
    votes = _votes(by_rater, name)
    return [key for key, n in votes.items() if 2 * n > len(by_rater)] or [_first_best(votes)]


def _of(by_rater: Sequence[Sequence[Components]], name: str, key: str) -> list[list[Components]]:
    """The pairs, by rater, whose part is this one."""
    found = [[one for one in own if _key(getattr(one, name)) == key] for own in by_rater]
    return [own for own in found if own]


def _agreed_pair(by_rater: Sequence[Sequence[Components]]) -> Components:
    """The pair of raters who agree on vehicle and topic, each part in its most frequent form."""
    found: dict[str, Any] = {}
    for name in PARTS:
        best = _of(by_rater, name, _first_best(_votes(by_rater, name)))
        found[name] = _first_best(Counter(getattr(one, name) for own in best for one in own))
    return Components(**found)


def _first_best(votes: Counter[Any]) -> Any:
    return max(votes, key=votes.__getitem__)
