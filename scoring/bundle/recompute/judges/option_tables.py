"""The tables of a report on judges about questions with options, and whose distributions are compared."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np
import pandas as pd

from ..arrays import Row
from ..bundle import Bundle
from ..counting import select_counted
from ..drawing import Drawing
from .biases import list_biases, list_both_orders
from .distributions import Distributions, place_points
from .judged import JudgedCriterion
from .option_agreement import list_option_agreement, list_option_tests
from .options import JudgedOptions


def make_option_tables(
    question: JudgedOptions, families: Mapping[str, str], epsilon: float, drawing: Drawing
) -> dict[str, list[Row]]:
    """Make the rows of every table of one question with options."""
    return {
        "option_agreement": list(list_option_agreement(question, drawing)),
        "option_test": list(list_option_tests(question, epsilon, drawing)),
        "bias": list(list_biases(question, families)) if question.compares_pairs else [],
        "both_orders": list(list_both_orders(question)) if question.compares_pairs else [],
    }


def list_distributions(
    bundle: Bundle,
    judged: Sequence[JudgedCriterion],
    options: Sequence[JudgedOptions],
    judgements: pd.DataFrame,
) -> Iterator[Distributions]:
    """Yield the scales that have points, and the questions with options."""
    counting, _ = select_counted(bundle, bundle.ratings, pooled=False)
    for one in judged:
        if one.ratings.has_categories:
            rows = counting[counting["name"] == one.name]
            places = set(zip(rows["form"], rows["criterion"], strict=True))
            asked = zip(judgements["form"], judgements["criterion"], strict=True)
            own = judgements[np.array([place in places for place in asked], dtype=bool)]
            place_of = place_points(one.ratings.categories)
            yield Distributions(one.ratings, own[own["reason"] == ""], place_of, is_ordered=True)
    for question in options:
        yield Distributions(question.ratings, question.judgements, place_options(question), is_ordered=False)


def place_options(question: JudgedOptions) -> Callable[[str], int | None]:
    """Return the function from an answer to the place of its option."""
    places = {option: place for place, option in enumerate(question.options)}
    return lambda answer: places.get(question.read(answer))
