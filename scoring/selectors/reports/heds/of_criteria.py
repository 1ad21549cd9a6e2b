"""What a study knows of each of its criteria for the human evaluation sheet, in English."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from annotation.domain.questions.kinds.kind import Yields
from annotation.models import Criterion, FormVersion
from scoring.models import Report
from scoring.selectors.base.figures import figure_name
from scoring.selectors.reports.heds.known import NOT_APPLICABLE, Known

# Of two texts or more at once.
RELATIVE = (Yields.PREFERENCE, Yields.ORDER)
# Answers without a scale or options.
WITHOUT_SCALE = {
    Yields.WORDS: "Raters answer in their own words.",
    Yields.SPANS: "Raters mark parts of the text.",
    Yields.ERRORS: "Raters mark errors in the text with a category and a severity.",
    Yields.ORDER: "Raters put texts in order.",
}
FORMS = {
    Yields.NUMBER: "Direct quality estimation.",
    Yields.LABEL: "Classification of the text.",
    Yields.LABELS: "Classification of the text, with any number of labels.",
    Yields.PREFERENCE: "Relative quality estimation.",
    Yields.ORDER: "Relative quality estimation, by ranking.",
    Yields.WORDS: "Answers in the raters’ own words.",
    Yields.SPANS: "Annotation of the text.",
    Yields.ERRORS: "Annotation of errors in the text.",
}
NOT_ASSESSED = "Not assessed: no rater rates an item twice."
REPEATED = "Attention checks show raters some items of their own again."


def known_of_criterion(
    version: FormVersion, criterion: Criterion, report: Report | None, name: str, *, repeats: bool
) -> dict[str, Known]:
    """The answers to the questions of section 4 about a criterion, by number.

    Parameters
    ----------
    version : FormVersion
        The version of its form.
    criterion : Criterion
        The criterion, with its points.
    report : Report or None
        The newest reliability report that is up to date.
    name : str
        Name of the criterion in statistics.
    repeats : bool
        Whether attention checks show raters items again. How consistent they are is then for people to say.
    """
    kind, points = criterion.question_kind, list(criterion.points.all())
    found = {
        "4.2.1": Known("Subjective: raters give their own judgement."),
        "4.2.2": Known("Relative." if kind.yields in RELATIVE else "Absolute."),
        "4.3.1": Known(criterion.name),
        "4.3.5": Known(f"{kind.title[0].upper()}{kind.title[1:]}."),
        "4.3.6": Known(WITHOUT_SCALE.get(kind.yields, NOT_APPLICABLE)),
        "4.3.8": Known(FORMS[kind.yields]),
        "4.3.12.1": Known(REPEATED if repeats else NOT_ASSESSED),
    }
    if not repeats:
        found["4.3.12.2"] = Known(NOT_ASSESSED)
    described = [point for point in points if point.description]
    if described:
        descriptions = "; ".join(f"{one.label or one.value}: {one.description}" for one in described)
        found["4.3.2"] = Known(descriptions)
    asked = criterion.question.strip() or version.question.strip()
    if asked:
        found["4.3.7"] = Known(asked)
    found |= dict(_values(criterion, [_point(point.value, point.label) for point in points]))
    return found | dict(_agreement(report, name))


def _point(value: str, label: str) -> str:
    return f"{value} ({label})" if label and label != value else value


def _values(criterion: Criterion, points: Sequence[str]) -> Iterator[tuple[str, Known]]:
    """How many values there are, and which."""
    kind = criterion.question_kind
    if kind.yields in WITHOUT_SCALE:
        yield "4.3.3", Known(NOT_APPLICABLE)
        yield "4.3.4", Known(NOT_APPLICABLE)
        return
    low, high = kind.stated_ends(criterion.minimum, criterion.maximum)
    if points and not kind.continuous:
        yield "4.3.3", Known(f"{len(points)}.")
        yield "4.3.4", Known(f"{', '.join(points)}.")
        return
    if kind.continuous or low is None or high is None:
        yield "4.3.3", Known("Continuous.")
    else:
        yield "4.3.3", Known(f"{high - low + 1:g}.")
    yield "4.3.4", Known(f"{_end(low, 'no lowest value')} to {_end(high, 'no highest value')}.")


def _end(value: float | None, otherwise: str) -> str:
    return otherwise if value is None else f"{value:g}"


def _agreement(report: Report | None, name: str) -> Iterator[tuple[str, Known]]:
    """The first coefficient of the report that could be computed."""
    rows: Sequence[Mapping[str, Any]] = report.figures if report else ()
    known = (one for one in rows if one["criterion"] == name and one["estimate"] is not None)
    row = next((one for one in known if one["coefficient"] == "alpha"), None)
    if row is None:
        return
    limits = "" if row["low"] is None else f" [{row['low']:.3f}, {row['high']:.3f}]"
    interval = ", with a 95% confidence interval" if limits else ""
    yield "4.3.11.1", Known(f"{figure_name(row)}{interval}.")
    yield "4.3.11.2", Known(f"{row['estimate']:.3f}{limits}.")
