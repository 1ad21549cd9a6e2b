"""The settings of a power plan: read from a form or a request, checked, and made into a question."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from annotation.domain.base.errors import InvalidContent
from annotation.domain.base.messages import Message, message
from scoring.selectors.base.stored_sentences import as_message
from scoring.stats.agreement.variance.crossed import Components
from scoring.stats.metrics.power.answering import Answering, Design, PowerError
from scoring.stats.metrics.power.questions import (
    COEFFICIENTS,
    CoefficientAbove,
    MetricsDiffer,
    Question,
    SystemsDiffer,
)

Settings = dict[str, Any]
MOST_POINTS = 101
MOST_DESIGNS = 12
FEWEST_STUDIES = 20
MOST_RATINGS = 20_000_000
CORRELATIONS = ("pearson", "spearman", "kendall")


@dataclass(frozen=True)
class Number:
    """A number of the form."""

    label: Message
    default: float
    low: float
    high: float
    whole: bool = False


VARIANCES: Mapping[str, Number] = {
    "item": Number(message("Variance between items"), 0.5, 0.0001, 1_000),
    "rater": Number(message("Variance between raters"), 0.1, 0, 1_000),
    "residual": Number(message("Residual variance"), 0.5, 0.0001, 1_000),
    "mean": Number(message("Mean rating"), 3, -1_000, 1_000),
    "lowest": Number(message("Lowest point of the scale"), 1, -1_000, 1_000),
    "highest": Number(message("Highest point of the scale"), 5, -1_000, 1_000),
    "step": Number(message("Distance of two points"), 1, 0.01, 100),
    "shared": Number(message("Share of the variance between items that is between groups"), 0, 0, 0.99),
}
OF_QUESTION: Mapping[str, Mapping[str, Number]] = {
    "systems": {"difference": Number(message("Difference of the mean ratings"), 0.3, -1_000, 1_000)},
    "metrics": {
        "first": Number(message("Correlation of the first metric with quality"), 0.6, 0, 0.99),
        "second": Number(message("Correlation of the second metric with quality"), 0.5, 0, 0.99),
        "between": Number(message("Correlation of the metrics with each other"), 0.5, -0.99, 0.99),
    },
    "coefficient": {"bound": Number(message("Bound that the confidence interval must exceed"), 0.6, -1, 1)},
}
POOL = Number(message("Raters in the study"), 10, 1, 1_000, whole=True)
IN_GROUP = Number(message("Items of a group, per system (0: no groups)"), 0, 0, 1_000, whole=True)
STUDIES = Number(message("Simulated studies per design"), 400, FEWEST_STUDIES, 5_000, whole=True)
ITEMS = Number(message("Items"), 100, 5, 2_000, whole=True)
RATERS = Number(message("Ratings per item"), 3, 1, 50, whole=True)
LISTS = {"items": "50, 100, 200", "raters": "3, 5"}
PROBLEMS = (
    message("The variances of item and residual must be above 0."),
    message("The mean %(mean)s is not between %(low)s and %(high)s."),
    message("The model found no differences between items."),
    message("The mean rating is %(mean)s. A difference of %(difference)s would leave the scale."),
    message("A design needs at least 2 items and 1 rating per item."),
    message("%(raters)s ratings per item need at least %(needed)s raters, not %(pool)s."),
    message(
        "No metrics have correlations of %(first)s and %(second)s with the quality and %(between)s with "
        "each other."
    ),
)


def read_settings(given: Mapping[str, Any], models: Mapping[str, Mapping[str, Any]]) -> Settings:
    """Check the settings of a plan, and that its question can be simulated.

    Parameters
    ----------
    given : mapping
        `question` (a key of `OF_QUESTION`) with its numbers, `criterion` (of a model; empty for typed
        variances) or the numbers of `VARIANCES`, `items` and `raters` (numbers separated by commas), `pool`,
        `in_group`, `studies`; for systems `crossed`, for metrics `correlation`, and `coefficient` with its
        variant after a colon. What is missing has its default.
    models : mapping of str to mapping
        By criterion, the ordinal mixed model that `model_json` gives.

    Returns
    -------
    dict
        JSON values, with how raters answer under `answering`.

    Raises
    ------
    InvalidContent
        `invalid_plan`, with what is wrong and in which field.
    """
    question = str(given.get("question") or "systems")
    if question not in OF_QUESTION:
        raise _refusal("question", message("There is no such question."))
    criterion = str(given.get("criterion") or "")
    if criterion and criterion not in models:
        raise _refusal("criterion", message("There is no ordinal mixed model of this criterion."))
    settings: Settings = {
        "question": question,
        "criterion": criterion,
        **_numbers(given, OF_QUESTION[question]),
        **_choices(given, question),
        **_numbers(given, {"pool": POOL, "in_group": IN_GROUP, "studies": STUDIES}),
        "items": _list(given, "items", ITEMS),
        "raters": _list(given, "raters", RATERS),
    }
    _refuse_without_effect(settings)
    try:
        answering = Answering.of_model(models[criterion]) if criterion else _typed(given, settings)
        settings["answering"] = _stored(answering)
        asked = question_of(settings)
        designs = designs_of(settings)
        if isinstance(asked, SystemsDiffer):
            _ = asked.shift
    except PowerError as refusal:
        problem = as_message(str(refusal), PROBLEMS)
        raise InvalidContent(problem, code=refusal.code) from None
    _refuse_too_much(settings, designs, asked.n_systems)
    return settings


def question_of(settings: Settings) -> Question:
    """The question of checked settings.

    Parameters
    ----------
    settings : dict
        From `read_settings`.
    """
    stored = settings["answering"]
    answering = Answering(
        **stored
        | {name: np.array(stored[name], dtype=np.float64) for name in ("points", "thresholds")}
        | {"systems": tuple(stored["systems"])}
    )
    if settings["question"] == "systems":
        return SystemsDiffer(answering, settings["difference"], settings["crossed"])
    if settings["question"] == "metrics":
        first, second, between = (settings[name] for name in OF_QUESTION["metrics"])
        return MetricsDiffer(answering, first, second, between, settings["correlation"])
    coefficient, _, variant = settings["coefficient"].partition(":")
    return CoefficientAbove(answering, coefficient, variant, settings["bound"])


def designs_of(settings: Settings) -> list[Design]:
    """The designs of checked settings, by ratings per item, then by items.

    Parameters
    ----------
    settings : dict
        From `read_settings`.
    """
    return [
        Design(items, raters, settings["pool"])
        for raters in settings["raters"]
        for items in settings["items"]
    ]


def coefficient_keys() -> list[str]:
    """The coefficients that a plan can be about, `alpha:ordinal` with their variant."""
    return [f"{key}:{variant}" if variant else key for key, variant in COEFFICIENTS]


def _choices(given: Mapping[str, Any], question: str) -> Settings:
    if question == "systems":
        return {"crossed": str(given.get("crossed", "")).lower() in {"1", "on", "true"}}
    name, options = (
        ("correlation", CORRELATIONS) if question == "metrics" else ("coefficient", coefficient_keys())
    )
    chosen = str(given.get(name) or options[0])
    if chosen not in options:
        raise _refusal(name, message("There is no such coefficient."))
    return {name: chosen}


def _typed(given: Mapping[str, Any], settings: Settings) -> Answering:
    numbers = _numbers(given, VARIANCES)
    settings.update(numbers)
    count = (numbers["highest"] - numbers["lowest"]) / numbers["step"] + 1
    if not 2 <= round(count, 6) <= MOST_POINTS or not math.isclose(count, round(count), abs_tol=1e-6):
        raise _refusal(
            "step",
            message(
                "A scale from %(low)s to %(high)s in steps of %(step)s has no 2 to %(most)s points.",
                low=f"{numbers['lowest']:g}",
                high=f"{numbers['highest']:g}",
                step=f"{numbers['step']:g}",
                most=MOST_POINTS,
            ),
        )
    points = numbers["lowest"] + numbers["step"] * np.arange(round(count))
    components = Components(numbers["item"], numbers["rater"], numbers["residual"])
    return Answering.of_components(components, numbers["mean"], points, numbers["shared"])


def _stored(answering: Answering) -> Settings:
    return {
        "points": answering.points.tolist(),
        "thresholds": answering.thresholds.tolist(),
        "item": answering.item,
        "group": answering.group,
        "rater": answering.rater,
        "noise": answering.noise,
        "distribution": answering.distribution,
        "systems": list(answering.systems),
    }


def _refuse_without_effect(settings: Settings) -> None:
    """Without an effect there is no power; one rating of each item says nothing of agreement."""
    nothing = message("The planned effect is 0, so that there is nothing to find.")
    if settings["question"] == "systems" and settings["difference"] == 0:
        raise _refusal("difference", nothing)
    if settings["question"] == "metrics" and settings["first"] == settings["second"]:
        raise _refusal("second", nothing)
    if settings["question"] == "coefficient" and min(settings["raters"]) < 2:
        raise _refusal("raters", message("Agreement needs at least 2 ratings per item."))


def _refuse_too_much(settings: Settings, designs: list[Design], systems: int) -> None:
    if len(designs) > MOST_DESIGNS:
        problem = message(
            "These are %(n)s designs. A plan has at most %(most)s.", n=len(designs), most=MOST_DESIGNS
        )
        raise _refusal("items", problem)
    ratings = settings["studies"] * systems * sum(one.items * one.pool for one in designs)
    if ratings > MOST_RATINGS:
        raise _refusal(
            "studies", message("This takes too long. Use fewer simulated studies, designs, items or raters.")
        )


def _numbers(given: Mapping[str, Any], fields: Mapping[str, Number]) -> Settings:
    return {key: _number(key, field, given.get(key, field.default)) for key, field in fields.items()}


def _number(key: str, field: Number, text: Any) -> float | int:
    try:
        number = float(text)
    except (TypeError, ValueError, OverflowError):
        raise _refusal(
            key, message("%(field)s: %(text)s is not a number.", field=field.label, text=repr(str(text)))
        ) from None
    if field.whole and number != round(number, 0):
        raise _refusal(
            key, message("%(field)s: %(text)s is not a whole number.", field=field.label, text=text)
        )
    if not field.low <= number <= field.high:
        limits = {"number": f"{number:g}", "low": f"{field.low:g}", "high": f"{field.high:g}"}
        raise _refusal(
            key,
            message(
                "%(field)s: %(number)s is not between %(low)s and %(high)s.", field=field.label, **limits
            ),
        )
    return int(number) if field.whole else number


def _list(given: Mapping[str, Any], key: str, field: Number) -> list[int]:
    sent = given.get(key, LISTS[key])
    parts = sent if isinstance(sent, list) else str(sent).replace("、", ",").replace("，", ",").split(",")
    return sorted({int(_number(key, field, part)) for part in parts})


def _refusal(key: str, problem: Message) -> InvalidContent:
    return InvalidContent(problem, code="invalid_plan", fields={key: problem})
