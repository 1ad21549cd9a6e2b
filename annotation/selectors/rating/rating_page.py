"""What the rating page shows: an assignment as plain data, and how far its rater is."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db.models import BigIntegerField, CharField, Count, Q, QuerySet

from annotation.domain.base.states import Purpose, StudyState
from annotation.domain.items.media import MEDIA_ROLES, PLAYED
from annotation.domain.questions.answers import ANSWER_NEEDED
from annotation.domain.questions.kinds.condition import Comparison, Condition
from annotation.domain.questions.kinds.kind import Yields
from annotation.domain.questions.kinds.registry import KINDS
from annotation.domain.questions.marked_text import marked_field
from annotation.domain.questions.option_settings import OptionSettings
from annotation.domain.questions.text_pieces import Segment, Span, is_long, is_passage, segments
from annotation.domain.questions.tuple_marking import TextMarking
from annotation.models import Assignment, Criterion, FormVersion, Item, Rater, RaterKind, Rating, Response
from annotation.selectors.base.prepared_queries import Compiled
from annotation.selectors.items.media import with_files
from annotation.selectors.quality.qualification import attempt_items
from annotation.selectors.questions.rubrics import criteria_of
from annotation.selectors.questions.shown_options import (
    OF_OPTIONS,
    differ_between_pages,
    shown_points,
    words_of_item,
)
from annotation.selectors.questions.text_languages import blocks_in, criterion_language

BLANK = "blank"
EARLIER = "earlier"
GAP = re.compile(r"_+")
# What a page says with the number of a condition.
ATTRIBUTES = {Comparison.AT_LEAST: "least", Comparison.AT_MOST: "most"}


@dataclass(frozen=True)
class Given:
    """Answers to show as chosen: stored ones, or those of a page that could not be stored."""

    answers: Mapping[str, Sequence[str]] = field(default_factory=dict)
    cannot_rate: str = ""
    remark: str = ""
    heard: Mapping[str, str] = field(default_factory=dict)
    revision: int = 0
    late: bool = False


@dataclass(frozen=True)
class Progress:
    """Progress of a rater: `total` is the number of items announced, or more if more were added.

    `last_is_late` says that the answer at `last_saved` came after its reservation had ended.
    """

    done: int
    total: int
    last_saved: int | None
    last_is_late: bool = False


def progress(rater: Rater, *, position: int = 0) -> Progress:
    """Count the answers of a rater in the main task; `last_saved` is the position of the latest one."""
    ((done,),) = _number_answered(rater=rater.pk)
    latest = _latest_saved.first(rater=rater.pk)
    expected = rater.study.items.count() if rater.kind == RaterKind.TRIAL else rater.target or 0
    last_saved, is_late = latest or (None, False)
    return Progress(done, max(expected, done, position), last_saved, is_late)


def calibration_progress(assignment: Assignment) -> Progress:
    """How far a rater is in the attempt that a calibration item belongs to."""
    answered = Assignment.objects.filter(attempt=assignment.attempt_id, submitted_at__isnull=False)
    latest = answered.order_by("-submitted_at", "-pk").values_list("position", flat=True).first()
    attempt = assignment.attempt
    total = len(attempt_items(assignment.rater, attempt.number).items) if attempt else 0
    return Progress(answered.count(), total, latest)


def own_assignment(rater: Rater, pk: int) -> Assignment | None:
    """One of the rater's own assignments, with what its page needs."""
    if pk > BigIntegerField.MAX_BIGINT:
        return None
    found = _own.first(rater=rater.pk, pk=pk)
    if found is not None:
        found.rater = rater
    return found


def previous_assignment(assignment: Assignment) -> int | None:
    """The number of the one answered before this, in the order in which they were given."""
    purpose = Purpose.MAIN if assignment.purpose == Purpose.CHECK else assignment.purpose
    if assignment.attempt_id is not None:
        earlier = _answered_before(assignment.rater_id, purpose, assignment.position)
        return earlier.filter(attempt=assignment.attempt_id).values_list("pk", flat=True).first()
    found = _previous.first(rater=assignment.rater_id, purpose=purpose, position=assignment.position)
    return found and found[0]


def _answered_before(rater: Any, purpose: Any, position: Any) -> QuerySet[Assignment]:
    before = Assignment.objects.filter(rater=rater, purpose=purpose, position__lt=position)
    return before.filter(submitted_at__isnull=False).order_by("-position")


_previous = Compiled(
    lambda rater, purpose, position: (
        _answered_before(rater, purpose, position).filter(attempt=None).values_list("pk")[:1]
    ),
    rater=BigIntegerField(),
    purpose=CharField(),
    position=BigIntegerField(),
)
_own = Compiled(
    lambda rater, pk: Assignment.objects.select_related("item", "form", "version", "seat").filter(
        rater=rater, pk=pk
    ),
    rater=BigIntegerField(),
    pk=BigIntegerField(),
)
_number_answered = Compiled(
    lambda rater: (
        Rater.objects.filter(pk=rater)
        .annotate(
            answered=Count(
                "assignments",
                filter=Q(assignments__submitted_at__isnull=False)
                & ~Q(assignments__purpose=Purpose.QUALIFICATION),
            )
        )
        .values_list("answered")
    ),
    rater=BigIntegerField(),
)
_latest_saved = Compiled(
    lambda rater: (
        Response.objects.filter(assignment__rater=rater, current=True)
        .exclude(assignment__purpose=Purpose.QUALIFICATION)
        .order_by("-submitted_at", "-pk")
        .values_list("assignment__position", "late")[:1]
    ),
    rater=BigIntegerField(),
)


def stored_answer(assignment: Assignment) -> Given | None:
    """The current revision of the answer, as the page shows it."""
    if assignment.submitted_at is None:
        return None
    current = assignment.responses.filter(current=True).first()
    if current is None:
        return None
    answers = {
        rating.criterion.key: _values(rating) for rating in current.ratings.select_related("criterion")
    }
    return Given(
        answers=answers,
        cannot_rate=current.cannot_rate,
        remark=current.remark,
        heard=current.heard,
        revision=current.revision,
        late=current.late,
    )


def in_words(given: Given, criteria: Sequence[Mapping[str, Any]]) -> str:
    """An answer in one line: each criterion with its value, or that it could not be rated."""
    parts = [
        f"{criterion['name']} {_in_words(criterion, given.answers[criterion['key']])}"
        for criterion in criteria
        if criterion["key"] in given.answers
    ]
    return ", ".join([*parts, *(["can’t rate"] if given.cannot_rate else [])])


def shown_blocks(version: FormVersion, item: Item) -> list[dict[str, Any]]:
    """What of an item a form version shows; one that names none shows all by their names."""
    return version.blocks or [{"field": name, "label": name.capitalize()} for name in sorted(item.fields)]


def page_blocks(version: FormVersion, item: Item, language: str = "") -> list[dict[str, Any]]:
    """The texts of an item that a form version shows, each cut at its marked parts, and the files it names.

    Their headings are in `language`, where it has them.
    """
    marked = marked_field(version.blocks)
    blocks = [
        file_block(item, block) if block.get("role") in MEDIA_ROLES else _block(item, block, marked)
        for block in blocks_in(version, shown_blocks(version, item), language)
        if item.fields.get(block["field"]) and block.get("role") not in OF_OPTIONS
    ]
    return with_files(item.study_id, blocks)


def file_block(item: Item, block: Mapping[str, Any]) -> dict[str, Any]:
    """A block that shows the file that an item names, for `with_files`."""
    return {
        "label": block.get("label", ""),
        "field": block["field"],
        "file": item.fields[block["field"]],
        "text": "",
        "formatted": "",
        "role": block["role"],
        "whole": bool(block.get("whole")) and block["role"] in PLAYED,
        "lang": block.get("lang") or language_of(item),
        "segments": [],
        "long": False,
        "marks": [],
    }


def _block(item: Item, block: Mapping[str, Any], marked: str) -> dict[str, Any]:
    pieces = _marked(item, block)
    return {
        "label": block.get("label", ""),
        "text": json.dumps(item.fields[block["field"]]) if block["field"] == marked else "",
        "role": block.get("role", "text"),
        "formatted": item.fields[block["field"]] if block.get("role") == "markdown" else "",
        "lang": getattr(item.fields[block["field"]], "lang", "") or block.get("lang") or language_of(item),
        "segments": pieces,
        "long": is_long(item.fields[block["field"]]),
        "passage": is_passage(item.fields[block["field"]]),
        "marks": list(dict.fromkeys(piece.part for piece in pieces if piece.part not in {"", BLANK})),
    }


def language_of(item: Item) -> str:
    """The language of an item's texts, if the item states it."""
    return str(item.metadata.get("language", ""))


def begins_with(answers: Mapping[str, str], assignment: Assignment) -> Given | None:
    """Suggested answers as the page shows them; None without any."""
    criteria = criteria_of(assignment.version, assignment.rater.study)
    kinds = {criterion.key: criterion.question_kind for criterion in criteria}
    given = {key: kinds[key].values(answer) for key, answer in answers.items()}
    return Given(answers=given) if given else None


def page_criteria(
    assignment: Assignment,
    given: Given,
    errors: Mapping[str, str] | None = None,
    suggested: Collection[str] = (),
    language: str = "",
) -> list[dict[str, Any]]:
    """The criteria of a page with their rubric, what is chosen or suggested, and what is wrong with it.

    Their texts are in `language`, that of the page, or else in that of the study.
    """
    version, study = assignment.version, assignment.rater.study
    criteria = criteria_of(version, study, language)
    return [
        {
            **criterion,
            "suggested": criterion["key"] in suggested,
            "missing": criterion["missing"] if assignment.offers_cannot_rate else ANSWER_NEEDED,
            "lang": criterion_language(version, criterion["key"], own=study.language, language=language),
        }
        for criterion in shown_criteria(criteria, assignment, given, errors)
    ]


def shown_criteria(
    criteria: Sequence[Criterion],
    assignment: Assignment,
    given: Given,
    errors: Mapping[str, str] | None = None,
) -> list[dict[str, Any]]:
    """Criteria as the page of an assignment shows them; nothing of them needs to be stored."""
    return [
        {
            "key": criterion.key,
            "name": criterion.name,
            "question": criterion.question,
            "kind": criterion.kind,
            "required": criterion.required,
            "points": (points := shown_points(criterion, assignment, assignment.version)),
            "described": any(point.label or point.description for point in points),
            **words_of_item(criterion, criteria, assignment),
            "unsure": OptionSettings.of(criterion.settings).unsure,
            "given": (answers := given.answers.get(criterion.key, ())),
            "chosen": next(iter(answers), None),
            "asked_after": criterion.asked_after,
            "governing": _governing(criterion, criteria),
            "error": (errors or {}).get(criterion.key, ""),
            "answer_name": f"answer-{criterion.key}",
            "missing": (kind := criterion.question_kind).missing_message,
            "ends": kind.stated_ends(criterion.minimum, criterion.maximum),
            "impossible": kind.impossible(criterion.minimum, criterion.maximum, criterion.settings),
            **kind.template_context(list(criterion.points.all()), criterion.settings, answers),
        }
        for criterion in criteria
    ]


def _governing(criterion: Criterion, criteria: Sequence[Criterion]) -> dict[str, str]:
    """The criterion that decides whether this one is asked: name, comparison, value and answer as shown."""
    earlier = next((one for one in criteria if one.key == criterion.asked_after), None)
    if earlier is None:
        return {}
    labels = {point.value: point.label for point in earlier.points.all()}
    condition = Condition.read(criterion.asked_when)
    if condition.comparison is Comparison.EXACTLY or earlier.question_kind.yields is not Yields.NUMBER:
        when = criterion.asked_when
        found = {"name": earlier.name, "attribute": "when", "value": when, "answer": labels.get(when) or when}
        return found | ({"best": when} if earlier.question_kind.yields is Yields.ORDER else {})
    return {
        "name": earlier.name,
        "attribute": ATTRIBUTES[condition.comparison],
        "value": condition.value,
        "answer": " ".join(filter(None, [condition.value, labels.get(condition.value)])),
    }


def source_of(item: Item) -> str:
    """The kind of text that the item is from, if the item states it."""
    return str(item.metadata.get("source", ""))


def with_offered(
    marking: TextMarking, assignment: Assignment, tuples: Mapping[str, Collection[str]]
) -> TextMarking:
    """Return the marking of a page with the tuples that others found in its text before.

    Parameters
    ----------
    marking : Marking
        The marking of the criterion that is marked in the text.
    assignment : Assignment
        The assignment; its item may contain them in its text `earlier`.
    tuples : mapping of str to collection of str
        By criterion, the stored answers of an earlier stage.
    """
    fields = assignment.item.fields
    text = fields.get(marked_field(assignment.version.blocks), "")
    stored = [one for answers in tuples.values() for one in answers]
    return marking.with_offered(fields.get(EARLIER, ""), text, stored)


def criteria_differ(assignment: Assignment) -> bool:
    """Whether the criteria of this page are not the same on every page of its version."""
    version = assignment.version
    return differ_between_pages(version, criteria_of(version, assignment.rater.study))


def _values(rating: Rating) -> list[str]:
    return rating.criterion.question_kind.values(str(rating))


def _in_words(criterion: Mapping[str, Any], values: Sequence[str]) -> str:
    labels = {point.value: point.label for point in criterion["points"]}
    return KINDS[criterion["kind"]].in_words(values, labels)


def is_read_only(assignment: Assignment) -> bool:
    """Return whether a page takes no answer: its study is closed, or its attempt to qualify is over."""
    rater = assignment.rater
    closed = rater.kind != RaterKind.TRIAL and rater.study.state == StudyState.CLOSED
    return closed or is_attempt_over(assignment)


def is_attempt_over(assignment: Assignment) -> bool:
    """Return whether the attempt to qualify that a page belongs to has ended."""
    attempt = None if assignment.attempt_id is None else assignment.attempt
    return attempt is not None and attempt.finished_at is not None


def seat_end(assignment: Assignment) -> datetime | None:
    """The end of the reservation of an unanswered assignment; a check looks as if it had one."""
    if assignment.submitted_at is not None:
        return None
    if assignment.purpose == Purpose.CHECK:
        return assignment.held_until
    return None if assignment.seat is None else assignment.seat.until


def _marked(item: Item, block: Mapping[str, Any]) -> list[Segment]:
    wanted = set(block.get("mark", ()))
    spans = [
        Span(part["part"], part["start"], part["end"])
        for part in item.components
        if part["field"] == block["field"] and part["part"] in wanted and part["start"] is not None
    ]
    text = item.fields[block["field"]]
    gaps = GAP.finditer(text) if block.get(BLANK) else ()
    return segments(text, [*spans, *(Span(BLANK, *gap.span()) for gap in gaps)])
