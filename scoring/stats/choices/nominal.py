"""Agreement on answers that have no order: a choice of one option, or of several."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import pandas as pd

from scoring.stats.agreement.alpha import alpha
from scoring.stats.agreement.brennan_prediger import brennan_prediger
from scoring.stats.agreement.fleiss import fleiss
from scoring.stats.agreement.gwet import gwet, raw_agreement
from scoring.stats.base.resampling import Resampling
from scoring.stats.base.result import OPTIONS_DIFFER, Figure, refused
from scoring.stats.choices.sets import SetAnswers, comparable, masi_alpha, option_alphas, options_in
from scoring.stats.data.table import Ratings, RatingsTable


@dataclass(frozen=True)
class ChoiceQuestion:
    """A question with options.

    Parameters
    ----------
    criterion
        Its name.
    options
        The values that can be chosen, in the order of the form.
    several
        Whether more than one may be.
    differs
        Whether an option has another meaning for each item, so that its value is only a position.
    """

    criterion: str
    options: Sequence[str]
    several: bool = False
    differs: bool = False


def choice_agreement(
    answers: pd.DataFrame, question: ChoiceQuestion, *, identified: bool, resampling: Resampling
) -> list[Figure]:
    """Agreement on one question with options.

    Parameters
    ----------
    answers
        One row per answer: `item`, `rater`, `value` (empty for a "can't rate"; several options joined by
        `|`), and `group` if there are any.
    question
        The question.
    identified
        Whether raters are persons.
    resampling
        Replicates, seed and confidence of the intervals.

    Returns
    -------
    list of Figure
        For one option Krippendorff's nominal α, Fleiss' κ, Gwet's AC1 and raw agreement. For several α with
        the MASI distance and α of each option. Where the options differ, coefficients that count how often a
        value was chosen are refused with `options_differ`; raw agreement (of several: on the whole set) and
        for one option Brennan and Prediger's S replace them, which no exchange of an item's options changes.

    References
    ----------
    Krippendorff (2019); Fleiss (1971); Gwet (2008); Brennan and Prediger (1981); Passonneau (2006).
    """
    if question.several:
        return _of_sets(answers, question, identified, resampling)
    if question.differs:
        return _of_places(answers, question, identified, resampling)
    ratings = coded_options(answers, question.criterion, question.options, identified)
    return [
        alpha(ratings, "nominal", resampling),
        fleiss(ratings, resampling),
        gwet(ratings, "identity", resampling),
        raw_agreement(ratings, 0, resampling),
    ]


def _of_places(
    answers: pd.DataFrame, question: ChoiceQuestion, identified: bool, resampling: Resampling
) -> list[Figure]:
    options = [str(place) for place in range(len(question.options))]
    ratings = coded_options(_by_frequency(answers), question.criterion, options, identified)
    names = (("alpha", "nominal"), ("fleiss", ""), ("ac1", f"q={len(options)}"))
    return [
        *(_differing(ratings, name, resampling) for name in names),
        brennan_prediger(ratings, resampling),
        raw_agreement(ratings, 0, resampling),
    ]


def _by_frequency(answers: pd.DataFrame) -> pd.DataFrame:
    """Each item's values as 0, 1, ... by how often they were chosen, whatever the order of its options."""
    given = answers[answers["value"] != ""]
    numbers = given.groupby(["item", "value"]).size().sort_values(ascending=False, kind="stable")
    place = numbers.groupby(level="item").cumcount().to_dict()
    cells = zip(answers["item"], answers["value"], strict=True)
    return answers.assign(value=[str(place.get(cell, "")) for cell in cells])


def coded_options(answers: pd.DataFrame, criterion: str, values: Sequence[str], identified: bool) -> Ratings:
    """Code answers that are one option each.

    Parameters
    ----------
    answers
        One row per answer: `item`, `rater`, `value` (empty for a "can't rate"), and `group` if there are any.
    criterion
        Name of the question.
    values
        The options; each is coded by its place.
    identified
        Whether raters are persons.
    """
    code: Mapping[str, int] = {value: place for place, value in enumerate(values)}
    long = answers.assign(criterion=criterion, value=answers["value"].map(code))
    scales = {criterion: (0, len(values) - 1)}
    table = RatingsTable.from_frame(long, identified=identified, scales=scales)
    return replace(table.criteria[criterion], nominal=True)


def _differing(ratings: Ratings, name: tuple[str, str], resampling: Resampling) -> Figure:
    place = (ratings.criterion, *name)
    return refused(place, OPTIONS_DIFFER, ratings.sample, resampling.confidence)


def _of_sets(
    answers: pd.DataFrame, question: ChoiceQuestion, identified: bool, resampling: Resampling
) -> list[Figure]:
    given = answers[answers["value"] != ""]
    if question.differs:
        whole = given.assign(value=[comparable(value) for value in given["value"]])
        places = _by_frequency(whole)
        ratings = coded_options(places, question.criterion, sorted(set(places["value"])), identified)
        refusal = _differing(ratings, ("alpha", "masi"), resampling)
        return [refusal, raw_agreement(ratings, 0, resampling)]
    sets = SetAnswers(
        criterion=question.criterion,
        items=list(given["item"]),
        raters=list(given["rater"]),
        answers=[frozenset(options_in(value)) for value in given["value"]],
        identified=identified,
        groups=list(given["group"].fillna("")) if "group" in given.columns else (),
    )
    return [masi_alpha(sets, resampling), *option_alphas(sets, resampling)]
