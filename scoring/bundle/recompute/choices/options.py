"""Agreement on options and sets of options."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pandas as pd

from ..arrays import Row
from ..coefficients.alpha import alpha
from ..coefficients.fleiss import fleiss
from ..coefficients.gwet import gwet
from ..drawing import Drawing
from ..ratings import Ratings, coded, refused
from .masi import masi
from .questions import Choices, Question, in_order


def choice_figures(choices: Choices, drawing: Drawing) -> list[Row]:
    """Agreement on every question with options."""
    rows: list[Row] = []
    for question, answers in choices.by_question():
        given = answers[answers["value"] != ""]
        if question.kind == "multiple" and question.differs:
            rows += sets_of_places(question, given, choices.identified, drawing)
        elif question.kind == "multiple":
            rows += sets_of_options(question, given, choices.identified, drawing)
        elif question.differs:
            options = [str(place) for place in range(len(question.options))]
            ratings = as_codes(question, by_frequency(given), options, choices.identified)
            q = len(options)
            rows += [
                refused(ratings, *name) for name in (("alpha", "nominal"), ("fleiss", ""), ("ac1", f"q={q}"))
            ]
            rows += [gwet(ratings, drawing, key) for key in ("brennan_prediger", "exact")]
        else:
            ratings = as_codes(question, given, question.options, choices.identified)
            rows += [alpha(ratings, drawing, "nominal"), fleiss(ratings, drawing)]
            rows += [gwet(ratings, drawing, key) for key in ("ac1", "exact")]
    return rows


def as_codes(question: Question, given: pd.DataFrame, options: Sequence[str], identified: bool) -> Ratings:
    """Options as their places in the form."""
    place = {option: float(number) for number, option in enumerate(options)}
    rated = given.assign(value=given["value"].map(place).astype(float))
    rated = rated[rated["value"].notna()].sort_values(["item", "rater"], kind="stable")
    return coded(question.name, rated, (0, len(options) - 1), identified)


def by_frequency(given: pd.DataFrame) -> pd.DataFrame:
    """Each item's values as 0, 1, … from the one chosen most, so that exchanging its options says nothing."""
    place: dict[tuple[str, str], str] = {}
    for item, values in given.groupby("item")["value"]:
        often = Counter(values)
        ranked = sorted(often, key=lambda value: (-often[value], value))
        place |= {(str(item), value): str(number) for number, value in enumerate(ranked)}
    return given.assign(value=[place[cell] for cell in zip(given["item"], given["value"], strict=True)])


def sets_of_places(question: Question, given: pd.DataFrame, identified: bool, drawing: Drawing) -> list[Row]:
    """Several options that are texts of the item: raw agreement on the whole set alone."""
    places = by_frequency(given.assign(value=[in_order(value) for value in given["value"]]))
    ratings = as_codes(question, places, sorted(set(places["value"])), identified)
    return [refused(ratings, "alpha", "masi"), gwet(ratings, drawing, "exact")]


def sets_of_options(question: Question, given: pd.DataFrame, identified: bool, drawing: Drawing) -> list[Row]:
    """α with the MASI distance, and nominal α of each option, chosen or not."""
    chosen = [frozenset(value.split("|")) for value in given["value"]]
    rows = [masi(question.name, given, chosen, identified, drawing)]
    for option in sorted(frozenset().union(*chosen)):
        rated = given.assign(value=[float(option in one) for one in chosen])
        rated = rated.sort_values(["item", "rater"], kind="stable")
        rows.append(alpha(coded(f"{question.name}:{option}", rated, None, identified), drawing, "nominal"))
    return rows
