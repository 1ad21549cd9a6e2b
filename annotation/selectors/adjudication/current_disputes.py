"""What the rules of a case find among the responses that are currently included."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from annotation.domain.adjudication.differences import BOUNDED, SEARCHED, Rule, Search
from annotation.domain.questions.kinds.kind import Yields
from annotation.domain.questions.normalisation import normalised
from annotation.models import Case, Dispute, Rating, Response
from annotation.selectors.adjudication.disagreement_search import Detail, find_in_answers


def find_again(case: Case, responses: Sequence[Response]) -> Mapping[int, Detail | None]:
    """Apply the rules by which a case was found to the answers that count now.

    Parameters
    ----------
    case : Case
        With study and form, and its disputes prefetched.
    responses : sequence of Response
        Its annotations, from `annotations_of`.

    Returns
    -------
    mapping of int to mapping or None
        By dispute that a rule found, the detail as it is now; None where the rule no longer holds.
    """
    counted = [one for one in responses if case.study.include_late or not one.late]
    return {
        dispute.pk: find_in_answers(
            _search(case, dispute),
            list(_answers(dispute.criterion, counted, case.study.language)),
            on_ratios=bool(dispute.detail.get("ratio")),
        )
        for dispute in case.disputes.all()
        if dispute.rule in SEARCHED
    }


def _search(case: Case, dispute: Dispute) -> Search:
    rule = Rule(dispute.rule)
    bound = dispute.detail[BOUNDED[rule]] if rule in BOUNDED else 0.0
    return Search(rule, case.form.key, dispute.criterion, bound, dispute.detail.get("part", ""))


def _answers(criterion: str, responses: Sequence[Response], language: str) -> Iterator[Any]:
    """Answers as `find_disputes` compares them: a response without tuples is an empty list of tuples."""
    given = [
        (response, {one.criterion.key: one for one in response.ratings.all()}.get(criterion))
        for response in responses
    ]
    marks_text = any(one and one.criterion.question_kind.yields is Yields.SPANS for _, one in given)
    for response, rating in given:
        if rating is not None:
            yield _comparable(rating, language)
        elif marks_text and not response.cannot_rate:
            yield []


def _comparable(rating: Rating, language: str) -> Any:
    yields = rating.criterion.question_kind.yields
    if yields is Yields.SPANS:
        return json.loads(str(rating))
    return normalised(str(rating), language) if yields is Yields.WORDS else rating.cell
