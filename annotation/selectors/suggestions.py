"""What an earlier stage suggests to the rater of an assignment: answers in words, and some to begin with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from annotation.domain.states import CriterionKind
from annotation.models import Assignment, Criterion, Rating, StageFeed, Study
from annotation.selectors.rubrics import criteria_of
from annotation.selectors.stages import feed_into

WRITTEN = (CriterionKind.TEXT, CriterionKind.TUPLES)
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True)
class Earlier:
    """What one earlier annotator answered, under a letter: names of criteria with the answers in words."""

    letter: str
    answers: Sequence[tuple[str, str]]


@dataclass(frozen=True)
class Suggested:
    """The earlier answers shown with a page, and by criterion the stored answer that it begins with."""

    earlier: Sequence[Earlier] = ()
    answers: Mapping[str, str] = field(default_factory=dict)


NOTHING = Suggested()


def suggested(assignment: Assignment) -> Suggested:
    """What is shown of the stage before: fixed when the assignment was handed out.

    Parameters
    ----------
    assignment : Assignment
        With its version and the rater's study.
    """
    study = assignment.rater.study
    feed = feed_into(study, assignment.form_id)
    if feed is None or not feed.suggestions:
        return NOTHING
    by_place: dict[int, list[Rating]] = {}
    ratings = Rating.objects.filter(response__suggested_in__assignment=assignment)
    placed = (
        ratings.select_related("criterion")
        .prefetch_related("criterion__points")
        .order_by("response__suggested_in__place", "criterion__position")
    )
    for rating in placed:
        by_place.setdefault(rating.response_id, []).append(rating)
    earlier = [
        Earlier(letter, [(rating.criterion.name, _in_words(rating)) for rating in given])
        for letter, given in zip(LETTERS, by_place.values(), strict=False)
    ]
    return Suggested(earlier, _answers(assignment, study, feed, by_place.values()))


def _answers(
    assignment: Assignment, study: Study, feed: StageFeed, given: Collection[Sequence[Rating]]
) -> dict[str, str]:
    """Of each matching criterion the most common of the earlier answers, the first of several as common."""
    answers = {}
    for criterion in criteria_of(assignment.version, study):
        source = feed.matches.get(criterion.key) if feed.matches else criterion.key
        told = [
            _fitting(criterion, str(rating))
            for ratings in given
            for rating in ratings
            if rating.criterion.key == source and rating.criterion.kind == criterion.kind
        ]
        counts = Counter(answer for answer in told if answer)
        if counts:
            answers[criterion.key] = counts.most_common(1)[0][0]
    return answers


def _fitting(criterion: Criterion, answer: str) -> str:
    """The answer as this criterion would store it; empty where it has no such point."""
    if criterion.kind in WRITTEN:
        return answer
    chosen = answer.split("|")
    points = [point.value for point in criterion.points.all()]
    return "|".join(point for point in points if point in chosen) if set(chosen) <= set(points) else ""


def _in_words(rating: Rating) -> str:
    labels = {point.value: point.label for point in rating.criterion.points.all()}
    if rating.criterion.kind in WRITTEN or rating.value is not None:
        return rating.words
    return ", ".join(labels.get(value) or value for value in str(rating).split("|"))
