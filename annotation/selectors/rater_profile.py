"""Everything that is known about how one rater works: pages, times, checks, and what they show."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Count, Q, Sum

from annotation.domain.answers import Question
from annotation.domain.careful import CheckResult, Indicator, Page, Profile, flags, profile
from annotation.domain.evidence import Evidence, what_it_can_show
from annotation.domain.reading import Least, least_seconds
from annotation.domain.states import CriterionKind, Purpose
from annotation.models import Assignment, CheckVerdict, Criterion, Rater, Rating, Response, Study

FEWEST_TO_TELL = 4


@dataclass(frozen=True)
class Profiled:
    """A rater with the profile made of their answers."""

    rater: Rater
    profile: Profile

    @property
    def flagged(self) -> tuple[Indicator, ...]:
        return flags(self.profile)


def profile_of(rater: Rater) -> Profile:
    """The careless-responding profile of one rater, from what is stored.

    Parameters
    ----------
    rater : Rater
        With its study loaded.
    """
    return profiles(rater.study, [rater])[0].profile


def profiles(study: Study, raters: Sequence[Rater]) -> list[Profiled]:
    """Profiles of several raters, in a fixed number of queries.

    Parameters
    ----------
    study : Study
        Theirs.
    raters : sequence of Rater
        Whose profiles are wanted.
    """
    questions = _questions(study)
    pages = _pages(study, raters, [question.key for question in questions])
    checks = _checks(raters)
    return [
        Profiled(rater, profile(pages.get(rater.pk, []), questions, checks.get(rater.pk, [])))
        for rater in raters
    ]


def evidence_for(study: Study, items: int) -> Evidence | None:
    """What the study's scale and a number of items can show about a rater; None with too few."""
    widths = [
        question.maximum - question.minimum + 1
        for question in _questions(study)
        if question.maximum is not None and question.minimum is not None
    ]
    if not widths or items < FEWEST_TO_TELL:
        return None
    return what_it_can_show(min(widths), items, criteria=len(widths))


def verdicts_of(rater: Rater) -> list[Assignment]:
    """The checks that a rater has answered, in order, with their verdicts."""
    answered = rater.assignments.filter(purpose=Purpose.CHECK, submitted_at__isnull=False)
    return list(answered.select_related("check_planted", "item", "verdict").order_by("position"))


def answers_of(rater: Rater) -> list[Response]:
    """A rater's current answers for the main task, in the order in which they were given."""
    own = Response.objects.filter(
        assignment__rater=rater, assignment__purpose=Purpose.MAIN, current=True
    ).select_related("assignment__item")
    return list(own.prefetch_related("ratings__criterion").order_by("assignment__position", "pk"))


def _questions(study: Study) -> list[Question]:
    criteria = Criterion.objects.filter(
        version__form__study=study, version__form__planted=False, kind=CriterionKind.LIKERT.value
    )
    found = {
        one.key: Question(one.key, one.name, CriterionKind.LIKERT, one.minimum, one.maximum)
        for one in criteria.order_by("version__number", "position")
    }
    return list(found.values())


def _pages(study: Study, raters: Sequence[Rater], keys: Sequence[str]) -> dict[int, list[Page]]:
    responses = list(
        Response.objects.filter(assignment__rater__in=raters, assignment__purpose=Purpose.MAIN, current=True)
        .select_related("assignment__item")
        .order_by("assignment__position", "pk")
    )
    values: dict[int, dict[str, int]] = defaultdict(dict)
    ratings = Rating.objects.filter(response__in=responses, value__isnull=False)
    for pk, key, value in ratings.values_list("response", "criterion__key", "value"):
        if value is not None:
            values[pk][key] = value
    sums = _sums(study, {response.assignment.item_id for response in responses})
    found: dict[int, list[Page]] = defaultdict(list)
    for response in responses:
        own = values[response.pk]
        found[response.assignment.rater_id].append(
            Page(
                values=own,
                seconds=response.seconds,
                least=_least(study, response, len(keys)),
                others=_others(sums, response.assignment.item_id, own),
            )
        )
    return found


def _least(study: Study, response: Response, criteria: int) -> Least:
    item = response.assignment.item
    text = " ".join(str(text) for text in item.fields.values())
    return least_seconds(text, item.metadata.get("language") or study.language, criteria=criteria)


Sums = Mapping[tuple[int, str], tuple[int, int]]


def _sums(study: Study, items: set[int]) -> Sums:
    """Sum and number of the ratings of each item and criterion that count."""
    rated = Rating.objects.filter(
        response__current=True,
        response__late=False,
        response__assignment__purpose=Purpose.MAIN,
        response__assignment__item__study=study,
        response__assignment__item__in=items,
        value__isnull=False,
    )
    sums = rated.values_list("response__assignment__item", "criterion__key").annotate(
        total=Sum("value"), n=Count("pk", filter=Q(value__isnull=False))
    )
    return {(item, key): (total, n) for item, key, total, n in sums}


def _others(sums: Sums, item: int, own: Mapping[str, int]) -> dict[str, float]:
    """The mean of the other raters of an item, this one held out."""
    means = {}
    for key, value in own.items():
        total, n = sums.get((item, key), (0, 0))
        if n > 1:
            means[key] = (total - value) / (n - 1)
    return means


def _checks(raters: Sequence[Rater]) -> dict[int, list[CheckResult]]:
    found: dict[int, list[CheckResult]] = defaultdict(list)
    verdicts = CheckVerdict.objects.filter(assignment__rater__in=raters).order_by("pk")
    for rater, passed, chance in verdicts.values_list("assignment__rater", "passed", "chance"):
        found[rater].append(CheckResult(passed, chance))
    return found
