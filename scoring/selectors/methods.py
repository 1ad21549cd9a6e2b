"""A methods paragraph for a paper, of the study's facts alone: what is not known is not said."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from annotation.models import Criterion, Study
from scoring.selectors.study_facts import PayFacts, StudyFacts

PAID_FOR = {"page": "page", "sitting": "sitting", "rater": "rater for the whole task"}
DESIGNS = {
    "pool": "each rater was given items with the fewest ratings first, in an order of their own",
    "batches": "each rater took fixed sets of pages",
    "all": "every rater was to rate every item",
    "panels": "separate panels of raters answered separate forms",
}
QUALIFIED = {
    "near": "Raters qualified by coming near the reference on calibration items.",
    "rank": "Raters qualified by the rank correlation of their values with the reference.",
    "hand": "Raters were admitted by hand after calibration items.",
}


def methods_paragraph(study: Study, facts: StudyFacts) -> str:
    """Sentences for the section on data collection.

    Parameters
    ----------
    study : Study
        Its title and design.
    facts : StudyFacts
        Of the same study.

    Returns
    -------
    str
        English, in one paragraph.
    """
    return " ".join(_sentences(study, facts))


def _sentences(study: Study, facts: StudyFacts) -> Iterator[str]:
    if not facts.responses:
        yield f"No ratings have been collected yet for the {_n(facts.items, 'item')} of this study."
        return
    yield _collected(study, facts)
    yield from (_asked(form) for form in facts.versions)
    if not study.source:
        yield f"Of how items were handed out: {DESIGNS[study.design]}."
    if facts.qualification:
        yield QUALIFIED.get(facts.qualification, "Raters had to qualify.")
    if facts.checks:
        passed = 100 * facts.checks_passed / facts.checks
        yield f"Of {_n(facts.checks, 'attention check')} with a verdict raters passed {passed:.1f} %."
    if facts.pay:
        yield _paid(facts.pay)
    if facts.page_seconds is not None:
        took = f"{facts.page_seconds:.0f} s" if facts.page_seconds >= 1 else "less than a second"
        yield f"The median page took {took}."
    yield from _left_out(study, facts)
    agreed = agreement_sentence(facts)
    if agreed:
        yield agreed


def _collected(study: Study, facts: StudyFacts) -> str:
    who = _n(facts.raters, "rater") if study.identified else "unidentified raters"
    if facts.simulated:
        who += f" ({facts.simulated} of them simulated)"
    when = ""
    if facts.first and facts.last:
        days = [f"{day:%-d %B %Y}" for day in (facts.first, facts.last)]
        when = f" on {days[0]}" if days[0] == days[1] else f" between {days[0]} and {days[1]}"
    of = [_n(facts.items, "item")]
    of += [_n(facts.groups, "group")] if facts.groups else []
    of += [_n(facts.systems, "system")] if facts.systems > 1 else []
    ratings = f"{_n(facts.ratings, 'rating')} in {_n(facts.responses, 'response')}"
    return f"We collected {ratings} about {of[0]}{_and(of[1:])} from {who}{when}."


def _and(parts: list[str]) -> str:
    return f" ({' of '.join(parts)})" if parts else ""


def _asked(version: Any) -> str:
    questions = [_criterion(one) for one in version.criteria.all()]
    wanted = f"{version.form.overlap} raters an item were asked for" if version.form.overlap else ""
    return f"The form “{version.form.title}” asked for {', '.join(questions)}{wanted and f'; {wanted}'}."


def _criterion(one: Criterion) -> str:
    kind = one.question_kind.scale_in_words(one.minimum, one.maximum)
    return one.name.lower() if one.name.lower() == kind else f"{one.name.lower()} ({kind})"


def _paid(pay: PayFacts) -> str:
    text = f"They were paid {pay.currency} {pay.amount.normalize():f} a {PAID_FOR[pay.paid_for]}"
    if pay.per_hour is not None:
        text += f", which came to {pay.currency} {pay.per_hour:f} an hour for the median sitting"
    return f"{text}."


def _left_out(study: Study, facts: StudyFacts) -> Iterator[str]:
    if facts.cannot_rate:
        yield f"{_n(facts.cannot_rate, 'response')} said that the item cannot be rated."
    if facts.late and not study.include_late:
        yield f"{_n(facts.late, 'late response')} stayed out of the figures."
    for rule, number in facts.excluded.items():
        yield f"{_n(number, 'exclusion')} by the rule “{rule}” stood when this was written."
    if facts.withdrawn:
        yield f"{_n(facts.withdrawn, 'rater')} withdrew."


def agreement_sentence(facts: StudyFacts) -> str:
    """Ordinal α of each criterion with its interval; empty where none is known.

    Parameters
    ----------
    facts : StudyFacts
        With the agreement of a report that speaks of the data as they are.

    Returns
    -------
    str
        One sentence.
    """
    known = [(name, row) for name, row in facts.agreement.items() if row["estimate"] is not None]
    parts = "; ".join(f"{name} {_figure(row)}" for name, row in known)
    return f"Krippendorff’s α (ordinal, 95 % bootstrap interval): {parts}." if parts else ""


def _figure(row: Mapping[str, Any]) -> str:
    if row["low"] is None:
        return f"{row['estimate']:.3f}, no interval"
    return f"{row['estimate']:.3f} [{row['low']:.3f}, {row['high']:.3f}]"


def _n(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
