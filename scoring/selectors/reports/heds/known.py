"""What a study knows of itself for its human evaluation sheet; the answers are in English."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Count

from annotation.domain.base.platforms import WHERE, Platform
from annotation.domain.base.sheet.answers import SheetAnswer
from annotation.domain.pay.wages import money
from annotation.models import FormVersion, Study
from annotation.selectors.questions.seen_instructions import instructions_under
from annotation.selectors.questions.text_languages import english_name
from config.distribution import release
from scoring.models import Report
from scoring.selectors.metrics.power_plans import plans_of
from scoring.selectors.reports.methods import (
    DESIGNS,
    PAID_FOR,
    QUALIFIED,
    excluded_how,
    how_many,
    listed,
)
from scoring.selectors.reports.study_facts import StudyFacts

NOT_APPLICABLE = "Not applicable."


@dataclass(frozen=True)
class Known:
    """An answer that follows from the study; `suffices` unless members have to add to it."""

    text: str
    suffices: bool = True


def known_answers(
    study: Study, facts: StudyFacts, answers: Mapping[str, SheetAnswer], *, with_pay: bool
) -> dict[str, Known]:
    """The answers to questions about the study as a whole, by number.

    Parameters
    ----------
    study : Study
        The study.
    facts : StudyFacts
        Facts of the study.
    answers : mapping of str to SheetAnswer
        What members answered, by place; some answers make further questions needless.
    with_pay : bool
        Include what raters are paid.

    Returns
    -------
    dict of str to Known
        Questions without a known answer are left out.
    """
    found = {
        "1.1.2": Known(f"The study “{study.title}”."),
        "1.2": Known("Ratings, items, forms and results are in the data bundle.", suffices=False),
        "2.5": Known(f"{english_name(study.language)}."),
        "3.1.1": Known(_items(study, facts)),
        "3.2.1": Known(_raters(study, facts)),
        **dict(_power(study)),
        **dict(_pay(facts, with_pay=with_pay)),
        **dict(_people(study, facts)),
        **_procedure(study, facts),
    }
    place = answers.get("3.3.7")
    if place is not None and place.choice == "own_place":
        found["3.3.8"] = Known(NOT_APPLICABLE)
    return found


def _items(study: Study, facts: StudyFacts) -> str:
    if not facts.systems:
        return f"{how_many(facts.items, 'item')}. No system is named."
    named = study.items.exclude(system="").order_by().values("system").annotate(n=Count("pk"))
    numbers = sorted(one["n"] for one in named)
    if len(numbers) == 1:
        return f"{how_many(facts.items, 'item')} from 1 system."
    same = numbers[0] == numbers[-1]
    each = how_many(numbers[0], "item") if same else f"{numbers[0]:,} to {numbers[-1]:,} items"
    return f"{each} from each of {len(numbers)} systems, {facts.items:,} in total."


def _raters(study: Study, facts: StudyFacts) -> str:
    if not study.identified:
        return "Unknown: the data number the ratings of each item, but do not identify the raters."
    number = "all" if facts.simulated == facts.raters else facts.simulated
    simulated = f", {number} of them simulated" if facts.simulated else ""
    withdrawn = f" {how_many(facts.withdrawn, 'rater')} withdrew." if facts.withdrawn else ""
    return f"{how_many(facts.raters, 'rater')}{simulated}.{withdrawn}"


def _power(study: Study) -> Iterator[tuple[str, Known]]:
    """What the newest power plan says."""
    plan: Report | None = plans_of(study).first()
    if plan is None:
        return
    yield "3.1.3.1", Known("By simulating the planned study. The power plan has the settings.")
    enough: Mapping[str, Any] | None = plan.tables.get("enough")
    designs = plan.tables.get("designs") or []
    if enough is not None:
        design = f"{how_many(enough['items'], 'item')} and {how_many(enough['raters'], 'rating')} per item"
        yield "3.1.3.2", Known(f"{enough['power']:.2f} with {design}.")
    elif designs:
        yield "3.1.3.2", Known(f"At most {max(one['power'] for one in designs):.2f} in the planned designs.")
    yield "3.1.3.3", Known(f"In Groundwork ({plan.software}).")


def _pay(facts: StudyFacts, *, with_pay: bool) -> Iterator[tuple[str, Known]]:
    if not with_pay:
        yield "3.2.2.2", Known("Not included here. Ask the managers of the study.")
    elif facts.pay is not None:
        pay = facts.pay
        hourly = (
            f"; the median session earned {pay.currency} {pay.per_hour:f} per hour" if pay.per_hour else ""
        )
        paid = f"{pay.currency} {money(pay.amount)} per {PAID_FOR[pay.paid_for]}{hourly}"
        yield "3.2.2.2", Known(f"Paid in money: {paid}.")


def _people(study: Study, facts: StudyFacts) -> Iterator[tuple[str, Known]]:
    used = study.invitations.exclude(platform=Platform.NONE).order_by().values_list("platform", flat=True)
    names = sorted({WHERE[Platform(one)] for one in used})
    if names:
        yield "3.2.3", Known(f"Raters joined through links for {listed(names)}.", suffices=False)
    trained = [
        *(["Raters saw worked examples."] if any(version.examples for version in facts.versions) else []),
        *(
            ["They could practise on an item first."]
            if any(version.practice for version in facts.versions)
            else []
        ),
        *([QUALIFIED.get(facts.qualification, "Raters had to qualify.")] if facts.qualification else []),
        *([f"Instructions: {read}"] if (read := _instructions(study, facts)) else []),
    ]
    if trained:
        yield "3.2.4", Known(" ".join(trained))
    if facts.questions:
        asked = f"Raters could answer {how_many(facts.questions, 'demographic question')}."
        yield "3.2.5", Known(f"{asked} The answers are not published.", suffices=False)


def _instructions(study: Study, facts: StudyFacts) -> str:
    """The instructions that raters read; if they changed, those of each version that statistics use."""
    used = [one.pk for one in facts.collected.versions if one.used]
    versions = FormVersion.objects.filter(pk__in=used).select_related("form")
    read = {
        f"{one.form.title}, version {one.label}": instructions_under(one, study).get(study.language, "")
        for one in versions.order_by("form__position", "form", "number", "correction")
    }
    if len(set(read.values())) < 2:
        return next(iter(read.values()), study.instructions)
    return "\n\n".join(f"{version}: {text or 'none.'}" for version, text in read.items())


def _procedure(study: Study, facts: StudyFacts) -> dict[str, Known]:
    if study.source:
        imported = "The ratings were published elsewhere and imported into Groundwork."
        return {"3.3.2": Known(imported, suffices=False)}
    checks = list(_checks(study, facts))
    return {
        "3.3.2": Known(f"Groundwork {release()}: pages in the web browser."),
        "3.3.3.1": Known(_kinds_of_checks(study, facts)),
        "3.3.3.2": Known(" ".join(checks) or NOT_APPLICABLE),
        "3.3.4.1": Known("The file `forms.json` of the data bundle has every form as raters saw it."),
        "3.3.4.2": Known(_seen(study, facts)),
        "3.3.5": Known(_freedom(study)),
        "3.3.6": Known(_questions(study)),
    }


def _kinds_of_checks(study: Study, facts: StudyFacts) -> str:
    kinds = [
        *(["attention checks"] if facts.checks else []),
        *(["a qualification"] if facts.qualification else []),
        *(["a minimum time per page"] if study.least_seconds else []),
        *(["exclusion of raters or responses"] if facts.excluded else []),
    ]
    return f"{', '.join(kinds).capitalize()}." if kinds else "None."


def _checks(study: Study, facts: StudyFacts) -> Iterator[str]:
    if facts.checks:
        passed = f"{facts.checks_passed:,} of {how_many(facts.checks, 'attention check')}"
        yield f"Raters passed {passed} that they answered."
    if facts.qualification:
        yield QUALIFIED.get(facts.qualification, "Raters had to qualify.")
    if study.least_seconds:
        yield f"Answers given in less than {how_many(study.least_seconds, 'second')} are not saved."
    if facts.excluded:
        yield f"Exclusions in force: {'; '.join(map(excluded_how, facts.excluded))}."


def _seen(study: Study, facts: StudyFacts) -> str:
    texts = {block["field"] for version in facts.versions for block in version.blocks}
    fields = f" (fields: {', '.join(sorted(texts))})" if texts else ""
    warned = " Before the start, they saw a content warning." if study.content_warning else ""
    return f"The texts of the item{fields}, and the questions with the labels of their answers.{warned}"


def _freedom(study: Study) -> str:
    seconds = how_many(study.least_seconds or 0, "second")
    least = f" They could save an item after {seconds} at the earliest." if study.least_seconds else ""
    design = DESIGNS.get(study.design, study.design)
    return (
        "Raters could pause and come back at any time. An item was reserved for "
        f"{how_many(study.seat_minutes, 'minute')}.{least} Assignment: {design}."
    )


def _questions(study: Study) -> str:
    named = "Raters saw whom to contact." if study.contact else "Raters saw no contact."
    return f"{named} On every page, they could report a problem or write a comment."
