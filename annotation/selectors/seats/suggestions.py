"""What an earlier stage suggests to the rater of an assignment: answers in words, and some to begin with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from annotation.domain.questions.kinds.kind import Yields
from annotation.domain.questions.tuples import same_tuples
from annotation.models import Assignment, Criterion, Rating, StageFeed, Study
from annotation.selectors.questions.rubrics import criteria_of
from annotation.selectors.questions.tuple_tables import parts_asked
from annotation.selectors.seats.stages import feed_into

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True)
class EarlierAnswers:
    """What one earlier annotator answered, under a letter: names of criteria with the answers in words."""

    letter: str
    answers: Sequence[tuple[str, str]]


@dataclass(frozen=True)
class Suggestions:
    """The earlier answers shown with a page, and by criterion the stored answer that it begins with.

    `tuples` are the different stored answers to a criterion of kind tuples, `parts` those that the earlier
    annotators were asked for.
    """

    earlier: Sequence[EarlierAnswers] = ()
    answers: Mapping[str, str] = field(default_factory=dict)
    tuples: Mapping[str, Collection[str]] = field(default_factory=dict)
    parts: Mapping[str, Collection[str]] = field(default_factory=dict)

    def became(self, given: Mapping[str, object]) -> dict[str, str]:
        """By criterion, whether what was suggested was `accepted` or `changed` in the stored answers.

        Tuples are accepted where they are as suggested in the parts that the earlier annotators were asked
        for: a part that only this form asks for, such as the ground, completes them.
        """
        return {
            key: "accepted" if self._is_unchanged(key, str(given.get(key, ""))) else "changed"
            for key in self.answers
        }

    def _is_unchanged(self, key: str, answer: str) -> bool:
        if key in self.parts:
            return same_tuples(answer, self.answers[key], self.parts[key])
        return answer == self.answers[key]


NO_SUGGESTIONS = Suggestions()


def suggestions_for(assignment: Assignment) -> Suggestions:
    """The suggestions of the stage before, fixed when the assignment was made."""
    study = assignment.rater.study
    feed = feed_into(study, assignment.form_id)
    if feed is None or not feed.suggestions:
        return NO_SUGGESTIONS
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
        EarlierAnswers(letter, [(rating.criterion.name, rating.words) for rating in given])
        for letter, given in zip(LETTERS, by_place.values(), strict=False)
    ]
    answers, tuples, parts = _answers(assignment, study, feed, by_place.values())
    return Suggestions(earlier, answers, tuples, parts)


def _answers(
    assignment: Assignment, study: Study, feed: StageFeed, given: Collection[Sequence[Rating]]
) -> tuple[dict[str, str], dict[str, list[str]], dict[str, list[str]]]:
    """Of each matching criterion the most common of the earlier answers, the first of several as common.

    Then, of tuples, all different answers, and the parts that were asked for.
    """
    answers, tuples, parts = {}, {}, {}
    for criterion in criteria_of(assignment.version, study):
        source = feed.matches.get(criterion.key) if feed.matches else criterion.key
        found = [
            rating
            for ratings in given
            for rating in ratings
            if rating.criterion.key == source and rating.criterion.kind == criterion.kind
        ]
        counts = Counter(filter(None, (_fitting(criterion, str(rating)) for rating in found)))
        if counts:
            answers[criterion.key] = counts.most_common(1)[0][0]
            if criterion.question_kind.yields is Yields.SPANS:
                tuples[criterion.key] = list(counts)
                parts[criterion.key] = [part for rating in found for part in parts_asked(rating.criterion)]
    return answers, tuples, parts


def _fitting(criterion: Criterion, answer: str) -> str:
    """The answer as this criterion would store it; empty where it has no such point."""
    points = [point.value for point in criterion.points.all()]
    return criterion.question_kind.suggestion(answer, points)
