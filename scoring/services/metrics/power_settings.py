"""The settings of a power plan: read from a form or a request, checked, and made into a question."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from annotation.domain.base.errors import InvalidContent
from annotation.domain.base.messages import Message, message
from scoring.selectors.base.stored_sentences import as_message
from scoring.services.metrics.power_fields import (
    ITEMS,
    LISTS,
    OF_QUESTION,
    PAIRS,
    RATERS,
    SETS,
    STATED,
    VARIANCES,
    Number,
    counts_of,
)
from scoring.stats.agreement.variance.crossed import Components
from scoring.stats.metrics.power.answering import Answering, Design, PowerError
from scoring.stats.metrics.power.best_worst import SetsDiffer
from scoring.stats.metrics.power.preferences import PairsDiffer, Pilot, preferring
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
MOST_RATINGS = 20_000_000
CORRELATIONS = ("pearson", "spearman", "kendall")
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
    message("Sets of %(size)s need at least %(needed)s candidates, not %(candidates)s."),
)


def read_settings(given: Mapping[str, Any], pilots: Mapping[str, Mapping[str, Any]]) -> Settings:
    """Check the settings of a plan, and that its question can be simulated.

    Parameters
    ----------
    given : mapping
        `question` (a key of `OF_QUESTION`) with its numbers, `criterion` (of a pilot; empty for typed
        variances) or the numbers of `STATED`, `items` and `raters` (numbers separated by commas), `pool`,
        `in_group` (but for best–worst sets), `studies`; for systems `crossed`, for metrics `correlation`, and
        `coefficient` with its variant after a colon. What is missing has its default.
    pilots : mapping of str to mapping
        By criterion, what `pilots_of` gives for the question.

    Returns
    -------
    dict
        JSON values, with how raters answer under `answering`, or `spread` of best–worst sets.

    Raises
    ------
    InvalidContent
        `invalid_plan`, with what is wrong and in which field.
    """
    question = str(given.get("question") or "systems")
    if question not in OF_QUESTION:
        raise _refusal("question", message("There is no such question."))
    criterion = str(given.get("criterion") or "")
    if criterion and criterion not in pilots:
        raise _refusal("criterion", _without_pilot(question))
    settings: Settings = {
        "question": question,
        "criterion": criterion,
        **_numbers(given, OF_QUESTION[question]),
        **_choices(given, question),
        "in_group": 0,
        **_numbers(given, counts_of(question)),
        "items": _list(given, "items", ITEMS),
        "raters": _list(given, "raters", RATERS),
    }
    _refuse_without_effect(settings)
    try:
        settings |= _assumed(given, settings, pilots.get(criterion))
        asked = question_of(settings)
        designs = designs_of(settings)
        if isinstance(asked, SystemsDiffer | PairsDiffer):
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
    if settings["question"] == SETS:
        return SetsDiffer(**{name: settings[name] for name in (*OF_QUESTION[SETS], *STATED[SETS])})
    stored = settings["answering"]
    answering = Answering(
        **stored
        | {name: np.array(stored[name], dtype=np.float64) for name in ("points", "thresholds")}
        | {"systems": tuple(stored["systems"])}
    )
    if settings["question"] == PAIRS:
        return PairsDiffer(answering, settings["preferred"])
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
        Design(items, raters, settings["pool"], settings["in_group"])
        for raters in settings["raters"]
        for items in settings["items"]
    ]


def coefficient_keys() -> list[str]:
    """The coefficients that a plan can be about, `alpha:ordinal` with their variant."""
    return [f"{key}:{variant}" if variant else key for key, variant in COEFFICIENTS]


def _choices(given: Mapping[str, Any], question: str) -> Settings:
    if question == "systems":
        return {"crossed": str(given.get("crossed", "")).lower() in {"1", "on", "true"}}
    if question in {PAIRS, SETS}:
        return {}
    name, options = (
        ("correlation", CORRELATIONS) if question == "metrics" else ("coefficient", coefficient_keys())
    )
    chosen = str(given.get(name) or options[0])
    if chosen not in options:
        raise _refusal(name, message("There is no such coefficient."))
    return {name: chosen}


def _without_pilot(question: str) -> Message:
    if question in {PAIRS, SETS}:
        return message("The newest reliability report of this study has no such results of this criterion.")
    return message("There is no ordinal mixed model of this criterion.")


def _assumed(given: Mapping[str, Any], settings: Settings, pilot: Mapping[str, Any] | None) -> Settings:
    """What is assumed of the answers: stated, or as in a pilot."""
    question = settings["question"]
    if question in {PAIRS, SETS}:
        stated = _as_in_pilot(settings, pilot) if pilot else _numbers(given, STATED[question])
        if question == SETS:
            return stated
        answering = preferring(stated["item"], settings["rater"], stated["ties"], settings["shared"])
        return stated | {"answering": _stored(answering)}
    if pilot:
        return {"answering": _stored(Answering.of_model(pilot))}
    numbers = _numbers(given, VARIANCES)
    return numbers | {"answering": _stored(_typed(numbers))}


def _as_in_pilot(settings: Settings, pilot: Mapping[str, Any]) -> Settings:
    if settings["question"] == SETS:
        return {"spread": pilot["spread"]}
    item, ties = Pilot(**pilot).fitted(settings["rater"])
    return {"item": item, "ties": ties}


def _typed(numbers: Settings) -> Answering:
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
    """Refuse settings without an effect, and one rating per item, from which no agreement follows."""
    nothing = message("The planned effect is 0, so that there is nothing to find.")
    if settings["question"] in {"systems", SETS} and settings["difference"] == 0:
        raise _refusal("difference", nothing)
    if settings["question"] == PAIRS and settings["preferred"] == 0.5:
        raise _refusal("preferred", nothing)
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
    size = settings.get("size", 1)
    ratings = settings["studies"] * systems * size * sum(design.items * design.pool for design in designs)
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
