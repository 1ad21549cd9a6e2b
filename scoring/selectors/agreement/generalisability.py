"""Reports of generalisability, for pages and files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.db.models import QuerySet

from annotation.models import Study
from scoring.models import Report
from scoring.stats.agreement.generalisability.analysis import FEW_RATERS

KIND = "generalisability"
# Raised when the same ratings get other figures, or more of them.
DEFINITIONS = 2
# The numbers of raters that a page compares in words.
FEWER, MORE = 3, 5
PLACES = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
Row = dict[str, Any]
Columns = tuple[tuple[str, str], ...]
COMPONENT_COLUMNS: Columns = (
    ("criterion", "Criterion"),
    ("effect", "Effect"),
    ("variance", "Variance"),
    ("error", "Standard error"),
    ("low", "Low"),
    ("high", "High"),
    ("confidence", "Confidence"),
    ("share", "Share"),
    ("at_boundary", "At the boundary"),
)
COEFFICIENT_COLUMNS: Columns = (
    ("criterion", "Criterion"),
    ("criteria", "Criteria"),
    ("coefficient", "Coefficient"),
    ("estimate", "Estimate"),
    ("low", "Low"),
    ("high", "High"),
    ("confidence", "Confidence"),
    ("error_variance", "Error variance"),
    ("caution", "Caution"),
)
STUDY_COLUMNS: Columns = (
    ("criterion", "Criterion"),
    ("criteria", "Criteria"),
    ("raters", "Raters per item"),
    ("design", "Raters of items"),
    ("coefficient", "Coefficient"),
    ("estimate", "Estimate"),
    ("low", "Low"),
    ("high", "High"),
    ("confidence", "Confidence"),
    ("caution", "Caution"),
)
TABLES = {"components": COMPONENT_COLUMNS, "coefficients": COEFFICIENT_COLUMNS, "d-study": STUDY_COLUMNS}


def reports_of(study: Study) -> QuerySet[Report]:
    """The reports of a study that have the present figures, the newest first."""
    return Report.objects.filter(study=study, kind=KIND, method__definitions=DEFINITIONS).order_by("-pk")


def latest_analyses(study: Study) -> Report | None:
    """The newest report of a study; None before the first."""
    return reports_of(study).first()


def sets_of(report: Report) -> list[Row]:
    """Criteria of a report, alone and together: `criterion`, the name of the set, and `criteria`.

    Parameters
    ----------
    report : Report
        Report of kind `generalisability`.
    """
    found = {one["criterion"]: one for part in ("analyses", "refused") for one in report.tables[part]}
    return [{key: found[name][key] for key in ("criterion", "criteria")} for name in report.method["sets"]]


def analysis_of(report: Report, criterion: str) -> Row | None:
    """The analysis of a set of criteria as the report has it; None where there is none."""
    return next(
        (analysis for analysis in report.tables["analyses"] if analysis["criterion"] == criterion), None
    )


def shown_analysis(report: Report, criterion: str) -> Row | None:
    """One analysis as pages show it; None without one of this name.

    Parameters
    ----------
    report : Report
        Report of kind `generalisability`.
    criterion : str
        Name of the criterion, or of several together.

    Returns
    -------
    dict
        `components` with shares in per cent; `readings` with `at_hand`, `rows` of the D study with places on
        an axis in per cent, and `fewer` and `more`, of 3 and 5 raters; `ticks`; `left_out`; `counts`;
        `cautions`; `rated_on_one_criterion`, whether each rater rates one of several criteria of an item, so
        that item × rater is part of the residual.
    """
    analysis = analysis_of(report, criterion)
    if analysis is None:
        return None
    return {
        **analysis,
        "components": [{**one, "percent": f"{one['share']:.0%}"} for one in analysis["components"]],
        "rated_on_one_criterion": len(analysis["criteria"]) > 1
        and any(one["name"] == "item:rater" and "residual" in one["same_as"] for one in analysis["left_out"]),
        "at_boundary": [one["name"] for one in analysis["components"] if one["at_boundary"]],
        "readings": [_shown_reading(one) for one in analysis["readings"]],
        "ticks": [{"label": f"{place:g}", "x": 100 * place, "zero": False} for place in PLACES],
    }


def _shown_reading(reading: Mapping[str, Any]) -> Row:
    by_raters = {row["raters"]: row["same"]["absolute"]["value"] for row in reading["d_study"]}
    return {
        **reading,
        "rows": [
            {
                "raters": row["raters"],
                "same": _placed(row["same"]["relative"]),
                "different": _placed(row["different"]["relative"]),
                "absolute": _placed(row["same"]["absolute"]),
            }
            for row in reading["d_study"]
        ],
        "fewer": {"raters": FEWER, "value": by_raters[FEWER]},
        "more": {"raters": MORE, "value": by_raters[MORE]},
    }


def _placed(estimated: Mapping[str, float]) -> Row:
    """An estimate with the names and places that the forest plot of the pages uses."""
    return {
        **estimated,
        "estimate": estimated["value"],
        "x": 100 * estimated["value"],
        "x_low": 100 * estimated["low"],
        "x_high": 100 * estimated["high"],
        "x_mean": None,
        "shape": "circle",
    }


def file_rows(report: Report, what: str) -> list[Row]:
    """Rows of one of `TABLES`, over all criteria.

    Parameters
    ----------
    report : Report
        Report of kind `generalisability`.
    what : str
        A key of `TABLES`.
    """
    rows_of = {"components": _components, "coefficients": _coefficients, "d-study": _d_study}[what]
    given = {"confidence": report.method["confidence"]}
    return [
        {**given, "criterion": analysis["criterion"], **row}
        for analysis in report.tables["analyses"]
        for row in rows_of(analysis)
    ]


def _components(analysis: Mapping[str, Any]) -> Iterator[Row]:
    for one in analysis["components"]:
        yield {"effect": one["name"], **one}


def _coefficients(analysis: Mapping[str, Any]) -> Iterator[Row]:
    for reading in analysis["readings"]:
        for which in ("relative", "absolute"):
            found = reading["at_hand"]
            row = {"criteria": reading["criteria"], "coefficient": which}
            row |= {"caution": _caution(analysis, of_severity=which == "absolute")}
            yield row | _limits(found[which]) | {"error_variance": found[f"{which}_error"]}


def _d_study(analysis: Mapping[str, Any]) -> Iterator[Row]:
    for reading in analysis["readings"]:
        for row in reading["d_study"]:
            for design in ("same", "different"):
                for which in ("relative", "absolute"):
                    named = {"raters": row["raters"], "design": design, "coefficient": which}
                    of_severity = which == "absolute" or design == "different"
                    named["caution"] = _caution(analysis, of_severity=of_severity)
                    yield {"criteria": reading["criteria"], **named, **_limits(row[design][which])}


def _caution(analysis: Mapping[str, Any], *, of_severity: bool) -> str:
    """Codes of the cautions of a coefficient; few raters matter where differences in severity count."""
    return " ".join(code for code in analysis["cautions"] if of_severity or code != FEW_RATERS)


def _limits(estimated: Mapping[str, float]) -> Row:
    return {"estimate": estimated["value"], "low": estimated["low"], "high": estimated["high"]}


def publishable_sentence(report: Report, analysis: Mapping[str, Any]) -> str:
    """What was estimated and what came out, in words for a paper.

    Parameters
    ----------
    report : Report
        Report of kind `generalisability`.
    analysis : mapping
        From `shown_analysis`.
    """
    effects = [one["name"].replace(":", " × ") for one in analysis["components"] if one["name"] != "residual"]
    found, counts = analysis["readings"][0]["at_hand"], analysis["counts"]
    level = f"{100 * report.method['confidence']:g}%"

    def figure(which: str) -> str:
        one = found[which]
        return f"{one['value']:.2f} ({level} CI {one['low']:.2f} to {one['high']:.2f})"

    number = len(analysis["criteria"])
    several = f" and the mean of these {number} criteria, which are taken as fixed" if number > 1 else ""
    return (
        f"Variance components of {', '.join(effects[:-1])} and {effects[-1]} were estimated from "
        f"{counts['ratings']} ratings of {counts['item']} items by {counts['rater']} raters by restricted "
        f"maximum likelihood. With {analysis['raters_per_item']:.3g} raters per item{several}, the "
        f"generalisability coefficient Eρ² is {figure('relative')}, the dependability Φ {figure('absolute')}."
    )
