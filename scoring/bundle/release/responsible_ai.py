"""How the data came about, in the terms of Croissant's extension for responsible AI (1.0, 2024)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from scoring.bundle.contents import Contents
from scoring.selectors.judges.judged_values import judge_facts
from scoring.selectors.reports.methods import DESIGNS, QUALIFIED, agreement_sentence, methods_paragraph
from scoring.selectors.reports.study_facts import StudyFacts

RESPONSIBLE_AI = "http://mlcommons.org/croissant/RAI/1.0"
VOCABULARY = "http://mlcommons.org/croissant/RAI/"


def responsible_ai(contents: Contents) -> dict[str, Any]:
    """The properties that a study can fill; those that only its authors know are left out."""
    return {f"rai:{name}": value for name, value in _properties(contents) if value}


def _properties(contents: Contents) -> Iterator[tuple[str, Any]]:
    facts, study = contents.facts, contents.study
    yield "dataCollection", methods_paragraph(study, facts)
    yield "dataCollectionType", "Human ratings"
    yield "dataCollectionMissingData", _missing(facts)
    yield "dataCollectionRawData", f"{facts.items} items, {facts.groups} groups, {facts.systems} systems."
    yield "dataCollectionTimeframe", [f"{one:%Y-%m-%d}" for one in (facts.first, facts.last) if one]
    yield "dataPreprocessingProtocol", _exclusions(facts)
    yield "dataAnnotationProtocol", _protocol(contents)
    yield "dataAnnotationPlatform", "Groundwork"
    yield "machineAnnotationTools", _judges(contents)
    yield "dataAnnotationAnalysis", agreement_sentence(facts)
    yield (
        "annotationsPerItem",
        "; ".join(
            f"{version.form.overlap} for the form “{version.form.title}”" for version in facts.versions
        ),
    )
    yield (
        "personalSensitiveInformation",
        ("Raters appear under codes. Names, addresses and platform IDs are not part of the data."),
    )


def _judges(contents: Contents) -> list[str]:
    judges = judge_facts(contents.study) if contents.with_judges else ()
    return [f"{judge['name']}: answers in data/judgements.csv, apart from the ratings" for judge in judges]


def _missing(facts: StudyFacts) -> str:
    return f"{facts.cannot_rate} responses say that the item cannot be rated; they have no value."


def _exclusions(facts: StudyFacts) -> str:
    rules = ", ".join(f"{one.number} by {one.title or one.key}" for one in facts.excluded)
    return f"Active exclusions, marked in the data: {rules}." if rules else "Nothing is excluded."


def _protocol(contents: Contents) -> str:
    study, facts = contents.study, contents.facts
    design = DESIGNS.get(study.design, study.design)
    parts = [f"Assignment of items: {design}."]
    if facts.qualification:
        parts.append(QUALIFIED.get(facts.qualification, ""))
    if facts.checks:
        parts.append(f"Attention checks: {facts.checks_passed} of {facts.checks} passed.")
    return " ".join(part for part in parts if part)
