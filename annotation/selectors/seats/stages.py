"""Which items stages admit: the answers that count for each item, and what they decide."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass

from annotation.domain.base.states import SeatState
from annotation.domain.questions.kinds.condition import Comparison, Condition
from annotation.domain.questions.kinds.registry import KINDS, cell_of
from annotation.domain.seats.stages import Decision, StagePeople, StageRule, Tally, decide
from annotation.models import Item, Rating, Seat, StageFeed, Study
from annotation.models.questions.given_answer import ANSWER_COLUMNS
from annotation.selectors.questions.counting import PROGRESS, counted
from annotation.selectors.seats.study_features import features_of

Items = Collection[int]


@dataclass(frozen=True)
class Outcome:
    """What is decided of one item for one stage, and by which answers."""

    feed: StageFeed
    decision: Decision
    tally: Tally

    @property
    def of(self) -> int:
        """How many answers decide."""
        return max(self.feed.source.overlap, self.tally.answers)


@dataclass(frozen=True)
class Flow:
    """Numbers of items admitted, refused and undecided; `left` have answers here but are not admitted."""

    feed: StageFeed
    admitted: int
    refused: int
    waiting: int
    left: int


def feeds_of(study: Study) -> tuple[StageFeed, ...]:
    """The feeds of a study; fixed once it is open."""
    return features_of(study).feeds


def feed_into(study: Study, form_id: int) -> StageFeed | None:
    """The feed of a form; None where it is given every item."""
    return next((feed for feed in feeds_of(study) if feed.target_id == form_id), None)


def feeds_from(study: Study, form_id: int) -> list[StageFeed]:
    """The feeds that the answers to a form decide."""
    return [feed for feed in feeds_of(study) if feed.source_id == form_id]


def tallies(study: Study, feed: StageFeed, items: Items | None = None) -> dict[int, Tally]:
    """By item, the answers to the earlier stage that count, and those that have the value.

    `items` are keys, all items where None; items without an answer are left out.
    """
    responses = counted(study, PROGRESS).filter(assignment__form=feed.source_id)
    if items is not None:
        responses = responses.filter(assignment__item__in=items)
    answers = Counter(responses.values_list("assignment__item", flat=True))
    given = Rating.objects.filter(response__in=responses.order_by(), criterion__key=feed.criterion)
    deciding = Condition(Comparison.EXACTLY, feed.value)
    agreeing = Counter(
        item
        for item, kind, *columns in given.values_list("response__assignment__item", *ANSWER_COLUMNS)
        if deciding.holds(KINDS[kind].decided_by(cell_of(kind, *columns)))
    )
    return {item: Tally(n, agreeing[item]) for item, n in answers.items()}


def decisions(study: Study, feed: StageFeed, items: Items | None = None) -> dict[int, Decision]:
    """By item, whether it is let through, refused, or waits for answers; excluded and retired are refused."""
    found = tallies(study, feed, items)
    asked = Item.objects.filter(study=study) if items is None else Item.objects.filter(pk__in=items)
    excluded = set(asked.filter(exclusions__isnull=False, exclusions__lift=None).values_list("pk", flat=True))
    return {
        item: Decision.REFUSED
        if retired or item in excluded
        else decide(StageRule(feed.rule), found.get(item, Tally()), overlap=feed.source.overlap)
        for item, retired in asked.values_list("pk", "retired_at")
    }


def outcomes(study: Study, items: Items) -> dict[int, list[Outcome]]:
    """By item, what is decided of it, stage by stage; nothing where the study has no stages."""
    found: dict[int, list[Outcome]] = {}
    for feed in feeds_of(study):
        counts = tallies(study, feed, items)
        for item, decision in decisions(study, feed, items).items():
            found.setdefault(item, []).append(Outcome(feed, decision, counts.get(item, Tally())))
    return found


def flows(study: Study) -> list[Flow]:
    """Count the items of each stage of a study by decision."""
    found = []
    for feed in feeds_of(study):
        decided = decisions(study, feed)
        counts = Counter(decided.values())
        answered = Seat.objects.filter(form=feed.target_id, state=SeatState.FILLED)
        left = {
            item
            for item in answered.values_list("item_id", flat=True)
            if decided.get(item) is not Decision.ADMITTED
        }
        found.append(
            Flow(
                feed,
                admitted=counts[Decision.ADMITTED],
                refused=counts[Decision.REFUSED],
                waiting=counts[Decision.WAITING],
                left=len(left),
            )
        )
    return found


def admitted(study: Study, feed: StageFeed, items: Items | None = None) -> set[int]:
    """Items that the earlier stage lets through now."""
    decided = decisions(study, feed, items)
    return {item for item, decision in decided.items() if decision is Decision.ADMITTED}


def counterparts(study: Study, form_id: int, people: StagePeople) -> set[int]:
    """The forms before and after one whose raters must differ from its own, for each item or altogether."""
    pairs = [(feed.source_id, feed.target_id) for feed in feeds_of(study) if feed.people == people]
    return {one for pair in pairs if form_id in pair for one in pair} - {form_id}


def has_others_for_item(study: Study, form_id: int) -> bool:
    """Whether no rater rates the same item in this form and in an earlier or later stage."""
    return bool(counterparts(study, form_id, StagePeople.OTHERS_FOR_ITEM))


def is_others_stage(study: Study, form_id: int, given: Collection[int]) -> bool:
    """Whether a form excludes raters who were assigned items of the forms `given`."""
    return not counterparts(study, form_id, StagePeople.OTHERS).isdisjoint(given)
