"""`metaeval --judges`: automatic judges next to raters, as tables or JSON."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from django.core.management.base import CommandError, CommandParser

from scoring.io.how_computed import how_computed
from scoring.io.ratings import LongRatings
from scoring.io.scores import LongScores, places_of
from scoring.management.figures import INTERVAL, FigureCommand, seed_of, software, value_cells
from scoring.stats.base.cautions import cautions_of
from scoring.stats.base.resampling import Resampling
from scoring.stats.data.table import Ratings, RatingsTable
from scoring.stats.judges.alternative_annotator import EPSILONS, AlternativeAnnotatorTest, RaterLeftOut
from scoring.stats.judges.evaluation import ALL_ITEMS, JudgeEvaluation, evaluate_judge
from scoring.stats.judges.mapping import on_scale_of
from scoring.stats.judges.prediction_powered import CombinedMean, MeanEstimate
from scoring.templatetags.reason_words import reason_words

TEST_HEADING = (
    "criterion",
    "judge",
    "advantage",
    INTERVAL,
    "raters beaten",
    "all ratings",
    "p",
    "items",
    "cautions",
)
RATER_HEADING = (
    *("criterion", "judge", "rater", "judge closer", "rater closer"),
    *("p", "adjusted p", "items", "test"),
)
MEANS_HEADING = ("criterion", "judge", "system", "people", "judge alone", "combined", "items", "worth")
MEANING = (
    "Advantage: mean share of items on which the judge is at least as close to the other raters as the\n"
    "rater who is left out. A rater is beaten if the judge is less than epsilon = {epsilon:g} behind\n"
    "(one-sided, Benjamini-Yekutieli, 5%). The test asks for half of the raters. All ratings: the judge's\n"
    "share over every rating, and p of the same test."
)
NO_OPINION = (
    "One value throughout passes the test on: {criteria}. A judge that passes there has shown nothing:\n"
    "the raters agree too little."
)
COMBINED = (
    "Combined: the judge's mean of all items, corrected by how far it is off where people rated\n"
    "(prediction-powered). The rated items must be a random sample. Worth: as many items, rated by people\n"
    "alone, would give the combined interval."
)
MAPPED = (
    "Scores have the distribution of the ratings (equal quantiles): on their own scale they are no answers."
)


def add_judge_options(parser: CommandParser) -> None:
    """Add `--judges` and what belongs to it."""
    parser.add_argument(
        "--judges",
        action="store_true",
        help="test whether each metric, as an automatic judge on the scale of the ratings, may replace a"
        " rater, and combine its scores of unrated items with ratings",
    )
    known = ", ".join(f"{value:g} for {name} raters" for name, value in EPSILONS.items())
    parser.add_argument(
        "--epsilon",
        type=float,
        default=EPSILONS["crowd"],
        help=f"how far a judge may be behind a rater, as a share of items (default: 0.1; {known})",
    )
    parser.add_argument(
        "--equate", action="store_true", help="give scores on another scale the quantiles of the ratings"
    )
    parser.add_argument("--raters", action="store_true", help="print a judge's test against each rater")


def check_judge_options(options: Mapping[str, Any]) -> None:
    """End the command where an option is outside its range, or says nothing."""
    if not 0 <= options["epsilon"] < 1:
        raise CommandError(
            f"--epsilon is {options['epsilon']:g}; it must be at least 0 and below 1. [bad_option]",
            returncode=2,
        )
    if options["judges"] and options["bootstrap"] < 1:
        raise CommandError("--judges needs a --bootstrap of at least 1. [bad_option]", returncode=2)


def judge_metrics(
    command: FigureCommand, ratings: LongRatings, scores: LongScores, options: Mapping[str, Any]
) -> None:
    """Evaluate every metric as a judge on every criterion, and print or write what was found.

    Parameters
    ----------
    command : FigureCommand
        The command that prints.
    ratings, scores
        The files as they were read.
    options : mapping
        Options of the command.

    Raises
    ------
    RatingsTableError, LongFileRefused
        The ratings cannot be coded, or the files name different groups or systems.
    """
    places = _places(ratings, scores)
    table = RatingsTable.from_frame(_with_groups(ratings.frame, places), identified=ratings.identified)
    seed = seed_of(options["seed"], table.fingerprint)
    found = [
        evaluate_judge(
            rated,
            _scores(rated, scores.values[metric], options),
            epsilon=options["epsilon"],
            resampling=Resampling(options["bootstrap"], seed),
            places=places,
        )
        for rated in table.criteria.values()
        for metric in scores.values.columns
    ]
    result = {
        "results": [one.to_row() for one in found],
        "data": {"fingerprint": table.fingerprint, "missing_scores": scores.missing},
        "software": software(),
    }
    if not command.write_json(result, options["json"]):
        _print(command, found, options, seed)


def _print(
    command: FigureCommand, found: list[JudgeEvaluation], options: Mapping[str, Any], seed: int
) -> None:
    constant = {one.criterion: one.constant for one in found}
    command.print_table(TEST_HEADING, map(_test_cells, [*constant.values(), *(one.test for one in found)]))
    command.stdout.write(MEANING.format(epsilon=options["epsilon"]))
    if passed := [criterion for criterion, test in constant.items() if test.passes]:
        command.stdout.write(NO_OPINION.format(criteria=", ".join(passed)))
    if options["equate"]:
        command.stdout.write(MAPPED)
    for one in found:
        if one.n_off_scale:
            off = f"{one.n_off_scale} scores of {one.judge} lie outside the scale of {one.criterion}."
            command.stdout.write(off)
    if options["raters"]:
        command.stdout.write("")
        tested = ((one.test, rater) for one in found for rater in one.test.raters)
        command.print_table(RATER_HEADING, (_rater_cells(*pair) for pair in tested))
    means = [(one, system, mean) for one in found for system, mean in one.means.items() if mean.n_unrated]
    if means:
        command.stdout.write("")
        command.print_table(MEANS_HEADING, (_mean_cells(*row) for row in means))
        command.stdout.write(COMBINED)
    methods = [one.test.interval.method for one in found]
    command.stdout.write(how_computed(methods, replicates=options["bootstrap"], seed=seed))


def _test_cells(test: AlternativeAnnotatorTest) -> tuple[str, ...]:
    row = {
        "reason": test.reason,
        "interval_method": f"none:{test.interval.reason}" if test.interval.reason else test.interval.method,
        "low": test.interval.low,
        "high": test.interval.high,
    }
    everyone = test.all_raters
    return (
        test.criterion,
        test.judge,
        *value_cells(row, None if test.reason else test.advantage),
        "" if test.reason else f"{test.n_beaten} of {test.n_tested}",
        "" if not everyone.n_items else f"{everyone.judge_share:.3f}",
        reason_words(everyone.reason) if everyone.reason else f"{everyone.p:.3g}",
        str(everyone.n_items),
        "; ".join(map(reason_words, cautions_of(test.interval_settings))),
    )


def _rater_cells(test: AlternativeAnnotatorTest, left_out: RaterLeftOut) -> tuple[str, ...]:
    shares = (f"{left_out.judge_share:.3f}", f"{left_out.rater_share:.3f}") if left_out.n_items else ("", "")
    p = (
        (reason_words(left_out.reason), "")
        if left_out.reason
        else (f"{left_out.p:.3g}", f"{left_out.adjusted_p:.3g}")
    )
    return (test.criterion, test.judge, left_out.rater, *shares, *p, str(left_out.n_items), left_out.method)


def _mean_cells(evaluation: JudgeEvaluation, system: str, mean: CombinedMean) -> tuple[str, ...]:
    worth = "" if math.isnan(mean.worth) else f"{mean.worth:.0f}"
    estimates = (_estimate(mean.people), _estimate(mean.judge), _estimate(mean.combined))
    return (
        evaluation.criterion,
        evaluation.judge,
        system or "all items",
        *estimates,
        str(mean.n_rated),
        worth,
    )


def _estimate(mean: MeanEstimate) -> str:
    if math.isnan(mean.estimate):
        return reason_words(mean.reason)
    if mean.reason:
        return f"{mean.estimate:.2f} ({reason_words(mean.reason)})"
    return f"{mean.estimate:.2f} ±{mean.high - mean.estimate:.2f}"


def _scores(ratings: Ratings, scores: pd.Series, options: Mapping[str, Any]) -> pd.Series:
    """The scores as they are, or on the scale of the ratings."""
    if not options["equate"]:
        return scores
    lower = scores.name in options["lower"]
    mapped = on_scale_of(ratings.value, scores.to_numpy(dtype=np.float64), lower_is_better=lower)
    return pd.Series(mapped, index=scores.index, name=scores.name)


def _places(ratings: LongRatings, scores: LongScores) -> pd.DataFrame:
    """Group and system of rated and of scored items, from either file."""
    own = places_of(ratings.frame, "ratings")
    both = pd.concat([own.reset_index(), scores.places.reset_index()]).fillna(ALL_ITEMS)
    return places_of(both, "ratings and scores")


def _with_groups(frame: pd.DataFrame, places: pd.DataFrame) -> pd.DataFrame:
    """The ratings with the groups that only the scores name."""
    if "group" in frame or "group" not in places:
        return frame
    return frame.assign(group=frame["item"].map(places["group"]))
