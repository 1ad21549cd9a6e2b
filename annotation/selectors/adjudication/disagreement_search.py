"""Search for items on which raters disagree by a rule; each answer is read once, item by item."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, groupby
from typing import Any

from annotation.domain.adjudication.differences import Rule, Search, find_difference, spread
from annotation.domain.questions.kinds.kind import Yields
from annotation.domain.questions.kinds.registry import KINDS
from annotation.domain.questions.normalisation import normalised
from annotation.models import Criterion, Study
from annotation.selectors.questions.long_table import long_ratings
from annotation.selectors.questions.tuple_tables import tuple_answers
from scoring.stats.spans.marked_tuples import Mark, MarkedTuple
from scoring.stats.spans.matched_spans import shared

Detail = Mapping[str, Any]
Found = tuple[str, Search, Detail]


@dataclass(frozen=True)
class SearchableCriterion:
    """A criterion that rules apply to; `name` includes its form if another form has the same name."""

    form: str
    key: str
    name: str
    kind: str
    parts: tuple[str, ...] = ()


def searchable_criteria(study: Study) -> list[SearchableCriterion]:
    """The criteria of a study's forms, each as its newest version has it."""
    asked = (
        Criterion.objects.filter(version__form__in=study.forms.all())
        .select_related("version__form")
        .prefetch_related("points")
        .order_by(
            "version__form__position",
            "version__form_id",
            "-version__number",
            "-version__correction",
            "position",
            "pk",
        )
    )
    newest: dict[tuple[str, str], Criterion] = {}
    for one in asked:
        newest.setdefault((one.version.form.key, one.key), one)
    alike = Counter(one.name for one in newest.values())
    return [
        SearchableCriterion(
            form=form,
            key=key,
            name=one.name if alike[one.name] == 1 else f"{one.version.form.title}: {one.name}",
            kind=one.kind,
            parts=_parts(one),
        )
        for (form, key), one in newest.items()
    ]


def _parts(criterion: Criterion) -> tuple[str, ...]:
    if criterion.question_kind.yields is not Yields.SPANS:
        return ()
    return tuple(point.value for point in criterion.points.all())


def find_disputes(
    study: Study, searches: Sequence[Search], on_item: Callable[[int], None]
) -> Iterator[Found]:
    """Yield the key of each item that a search catches, with the search and what it found.

    Parameters
    ----------
    study : Study
        Study of the answers: the included ones, and late ones if the study includes them.
    searches : sequence of Search
        Rules for criteria that `searchable_criteria` names.
    on_item : callable
        Called with the number of items that were compared.
    """
    kinds = {(one.form, one.key): one.kind for one in searchable_criteria(study)}
    tuples = [one for one in searches if KINDS[kinds[one.form, one.criterion]].yields is Yields.SPANS]
    others = [one for one in searches if one not in tuples]
    looked_at = 0
    if others:
        for item, rows in groupby(long_ratings(study, with_pilot=False), key=lambda row: row["item"]):
            looked_at += 1
            on_item(looked_at)
            yield from _among(item, others, _by_criterion(study, rows, kinds), kinds)
    if tuples:
        for item, answers in groupby(tuple_answers(study, with_pilot=False), key=lambda one: one[0]["item"]):
            looked_at += 1
            on_item(looked_at)
            yield from _among(item, tuples, _marks_by_criterion(study, answers), kinds)


def _counts(study: Study, row: Mapping[str, Any]) -> bool:
    return not row["excluded"] and (study.include_late or not row["late"])


def _by_criterion(
    study: Study, rows: Iterable[Mapping[str, Any]], kinds: Mapping[tuple[str, str], str]
) -> dict[tuple[str, str], list[Any]]:
    found: dict[tuple[str, str], list[Any]] = {}
    for row in rows:
        if row["value"] is not None and _counts(study, row):
            place = row["form"], row["criterion"]
            text = place in kinds and KINDS[kinds[place]].yields is Yields.WORDS
            found.setdefault(place, []).append(
                normalised(row["value"], study.language) if text else row["value"]
            )
    return found


def _marks_by_criterion(
    study: Study, answers: Iterable[tuple[Mapping[str, Any], Sequence[Mapping[str, Any]]]]
) -> dict[tuple[str, str], list[Any]]:
    found: dict[tuple[str, str], list[Any]] = {}
    for row, marks in answers:
        if _counts(study, row):
            found.setdefault((row["form"], row["criterion"]), []).append(marks)
    return found


def _among(
    item: str,
    searches: Sequence[Search],
    given: Mapping[tuple[str, str], list[Any]],
    kinds: Mapping[tuple[str, str], str],
) -> Iterator[Found]:
    for search in searches:
        answers = given.get((search.form, search.criterion), [])
        kind = KINDS[kinds[search.form, search.criterion]]
        detail = find_in_answers(search, answers, on_ratios=kind.on_ratios)
        if detail is not None:
            yield item, search, detail


def find_in_answers(search: Search, answers: Sequence[Any], *, on_ratios: bool) -> Detail | None:
    """Return what a rule finds among the answers to one item, or None where it does not hold.

    Parameters
    ----------
    search : Search
        The rule.
    answers : sequence
        Numbers, normalised texts, or lists of marks.
    on_ratios : bool
        Whether ratios between answers count.
    """
    if search.rule is Rule.SPREAD:
        return spread(answers, search.bound, on_ratios=on_ratios)
    if search.rule is Rule.OVERLAP:
        return _overlap(search, answers)
    return find_difference(search.rule, [_hashable(answer) for answer in answers])


def _hashable(answer: Any) -> Hashable:
    """Return a form of an answer in which the order and numbers of tuples do not matter."""
    if not isinstance(answer, list):
        return answer if isinstance(answer, int | float) else str(answer)
    return json.dumps(sorted(map(_sorted_marks, marked_tuples(answer))), ensure_ascii=False)


def _sorted_marks(one: MarkedTuple) -> list[Any]:
    return sorted(
        [part, sorted([mark.text, sorted(mark.places)] for mark in marks)] for part, marks in one.items()
    )


def _overlap(search: Search, answers: Sequence[Any]) -> Detail | None:
    """The smallest F1 of the shared characters of two raters, if it is below the threshold."""
    marked = [marked_tuples(marks_of(answer)) for answer in answers]
    parts = [search.part] if search.part else sorted({part for one in marked for row in one for part in row})
    shares = [share for pair in combinations(marked, 2) if (share := overlap(*pair, parts)) is not None]
    if not shares or min(shares) >= search.bound:
        return None
    detail = {"raters": len(answers), "below": search.bound, "found": round(min(shares), 3)}
    return detail | ({"part": search.part} if search.part else {})


def overlap(
    first: Sequence[MarkedTuple], second: Sequence[MarkedTuple], parts: Sequence[str]
) -> float | None:
    """F1 of the shared characters of two raters' tuples; None if neither has any of the components.

    Parameters
    ----------
    first, second : sequence of MarkedTuple
        The tuples of two raters in one item.
    parts : sequence of str
        The parts that are compared.
    """
    found = shared(first, second, parts, "overlap")
    both = found.first + found.second
    return 2 * found.hits / both if both else None


def marks_of(answer: Any) -> list[dict[str, Any]]:
    """Return the marks of an answer in a text, or of its cell.

    Each error is a tuple of its own whose part is its category: errors are compared within categories.
    """
    marks = json.loads(answer) if isinstance(answer, str) else answer
    return [
        mark if "part" in mark else {"text": "", **mark, "tuple": number, "part": mark["category"]}
        for number, mark in enumerate(marks, start=1)
    ]


def marked_tuples(marks: Iterable[Mapping[str, Any]]) -> list[MarkedTuple]:
    """Stored marks as the statistics see them.

    Parameters
    ----------
    marks : iterable of mapping
        Objects `{"tuple", "part", "start", "end", "text"}`; several spans of a wording are one mark.
    """
    places: dict[int, dict[tuple[str, str], set[int]]] = {}
    for one in marks:
        taken = places.setdefault(one["tuple"], {}).setdefault((one["part"], one["text"]), set())
        if one["start"] is not None:
            taken.update(range(one["start"], one["end"]))
    return [_marked(places[number]) for number in sorted(places)]


def _marked(wordings: Mapping[tuple[str, str], set[int]]) -> MarkedTuple:
    found: dict[str, list[Mark]] = {}
    for (part, text), taken in wordings.items():
        found.setdefault(part, []).append(Mark(text, frozenset(taken)))
    return found
