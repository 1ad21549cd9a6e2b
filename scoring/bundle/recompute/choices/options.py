"""Agreement on options and sets of options."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import pandas as pd

from ..arrays import Row
from ..coefficients.alpha import compute_alpha
from ..coefficients.fleiss import compute_fleiss
from ..coefficients.gwet import compute_gwet
from ..drawing import Drawing
from ..ratings import Ratings, code_ratings, make_undefined_figure
from .masi import compute_masi_alpha
from .questions import Choices, Question, sort_options


def compute_choice_figures(choices: Choices, drawing: Drawing) -> list[Row]:
    """Compute the agreement on every question with options."""
    rows: list[Row] = []
    for question, answers in choices.by_question():
        given = answers[answers["value"] != ""]
        if question.kind == "multiple" and question.differs:
            rows += compare_item_sets(question, given, choices.identified, drawing)
        elif question.kind == "multiple":
            rows += compare_option_sets(question, given, choices.identified, drawing)
        elif question.differs:
            options = [str(place) for place in range(len(question.options))]
            ratings = code_options(question, rank_by_frequency(given), options, choices.identified)
            q = len(options)
            rows += [
                make_undefined_figure(ratings, *name)
                for name in (("alpha", "nominal"), ("fleiss", ""), ("ac1", f"q={q}"))
            ]
            rows += [compute_gwet(ratings, drawing, key) for key in ("brennan_prediger", "exact")]
        else:
            ratings = code_options(question, given, question.options, choices.identified)
            rows += [compute_alpha(ratings, drawing, "nominal"), compute_fleiss(ratings, drawing)]
            rows += [compute_gwet(ratings, drawing, key) for key in ("ac1", "exact")]
    return rows


def code_options(
    question: Question, given: pd.DataFrame, options: Sequence[str], identified: bool
) -> Ratings:
    """Code options by their position in the form."""
    place = {option: float(number) for number, option in enumerate(options)}
    rated = given.assign(value=given["value"].map(place).astype(float))
    rated = rated[rated["value"].notna()].sort_values(["item", "rater"], kind="stable")
    ratings = code_ratings(question.name, rated, (0, len(options) - 1), identified)
    return replace(ratings, nominal=True)


def rank_by_frequency(given: pd.DataFrame) -> pd.DataFrame:
    """Number each item's values from the most frequent, so that exchanged options are equal."""
    place: dict[tuple[str, str], str] = {}
    for item, values in given.groupby("item")["value"]:
        often = Counter(values)
        ranked = sorted(often, key=lambda value: (-often[value], value))
        place |= {(str(item), value): str(number) for number, value in enumerate(ranked)}
    return given.assign(value=[place[cell] for cell in zip(given["item"], given["value"], strict=True)])


def compare_item_sets(
    question: Question, given: pd.DataFrame, identified: bool, drawing: Drawing
) -> list[Row]:
    """Compute raw agreement on sets of options that are texts of the item."""
    places = rank_by_frequency(given.assign(value=[sort_options(value) for value in given["value"]]))
    ratings = code_options(question, places, sorted(set(places["value"])), identified)
    return [make_undefined_figure(ratings, "alpha", "masi"), compute_gwet(ratings, drawing, "exact")]


def compare_option_sets(
    question: Question, given: pd.DataFrame, identified: bool, drawing: Drawing
) -> list[Row]:
    """Compute α with the MASI distance, and nominal α of each option, chosen or not."""
    chosen = [frozenset(value.split("|")) for value in given["value"]]
    rows = [compute_masi_alpha(question.name, given, chosen, identified, drawing)]
    for option in sorted(frozenset().union(*chosen)):
        rated = given.assign(value=[float(option in one) for one in chosen])
        rated = rated.sort_values(["item", "rater"], kind="stable")
        rows.append(
            compute_alpha(
                code_ratings(f"{question.name}:{option}", rated, None, identified), drawing, "nominal"
            )
        )
    return rows
