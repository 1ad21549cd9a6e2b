"""The data sheet: questions answered from the study's facts and by its members.

After Gebru et al. (2021), Datasheets for Datasets; the publisher completes unanswered questions.
"""

from __future__ import annotations

from collections.abc import Iterator

from annotation.domain.base.sheet.questions import section_of
from annotation.domain.pay.wages import money
from scoring.bundle.contents import Contents
from scoring.bundle.release.publication import Publication
from scoring.selectors.judges.judged_values import judge_facts
from scoring.selectors.reports.methods import DESIGNS, PAID_FOR
from scoring.selectors.reports.study_facts import StudyFacts

WITHDRAWAL = {
    "keep": "They stay in the data.",
    "exclude": "They are marked as excluded.",
    "erase": "They are erased.",
}
UNKNOWN = "Not recorded in the study. Whoever publishes the data should answer this."
Answers = Iterator[tuple[str, str]]


def data_sheet(contents: Contents) -> str:
    """Motivation, composition, collection, preparation, uses, maintenance."""
    return _sheet(f"Data sheet: {contents.study.title}", [
        ("Motivation", _motivation(contents)),
        ("Composition", _composition(contents)),
        ("Collection", _collection(contents)),
        ("Preparation", _preparation(contents)),
        ("Uses, distribution and maintenance", _uses(contents)),
    ])  # fmt: skip


def _sheet(title: str, sections: list[tuple[str, Answers]]) -> str:
    lines = [f"# {title}", ""]
    for heading, answers in sections:
        lines += [f"## {heading}", ""]
        for question, answer in answers:
            lines += [f"**{question}** {answer}", ""]
    return "\n".join(lines)


def _motivation(contents: Contents) -> Answers:
    yield "What is it for?", contents.study.description or UNKNOWN
    authors = "; ".join(author.full_name for author in contents.publication.authors)
    yield "Who created it?", authors or UNKNOWN
    yield "Who funded it?", _answered(contents, "G.4")


def _composition(contents: Contents) -> Answers:
    facts, study = contents.facts, contents.study
    yield "What is an instance?", "A rating: the answer of one rater to one criterion about one item."
    yield (
        "How many are there?",
        (
            f"{facts.ratings} ratings in {facts.responses} responses about {facts.items} items"
            f" ({facts.groups} groups, {facts.systems} systems)."
        ),
    )
    yield (
        "Is anything missing?",
        (f"{facts.cannot_rate} responses say that the item cannot be rated; they have no value."),
    )
    yield "In which language?", f"{study.language}."
    yield (
        "Is any of it simulated?",
        f"{facts.simulated} of {facts.raters} raters are simulated; they are marked.",
    )
    yield from _judged(contents)
    yield (
        "Does it contain intentional errors or noise?",
        (
            "Attention checks and calibration answers are in separate files, `data/checks.csv` and"
            " `data/qualification.csv`, and never among the ratings."
        ),
    )
    yield (
        "Does it identify people?",
        (
            "Raters appear under codes. Platform IDs, names and addresses are not included. Comments, problem"
            " reports and answers in words are the raters’ own; known names and addresses in them are"
            " replaced."
        ),
    )
    yield "Might it be offensive?", study.content_warning or "No content warning was given."


def _judged(contents: Contents) -> Answers:
    judges = judge_facts(contents.study) if contents.with_judges else ()
    if judges:
        n = sum(judge["n_answers"] for judge in judges)
        yield (
            "Does it contain answers of models?",
            (
                f"{n} answers of {len(judges)} automatic judges are in `data/judgements.csv`, none among the"
                " ratings; `judges.json` says how each judge was set up."
            ),
        )


def _collection(contents: Contents) -> Answers:
    facts = contents.facts
    yield "When?", _when(facts)
    yield "By whom?", _who(contents)
    yield "How were raters paid?", _paid(contents)
    yield (
        "How were items assigned?",
        DESIGNS.get(contents.study.design, contents.study.design).capitalize() + ".",
    )
    yield "Did raters consent?", _consent(contents)


def _preparation(contents: Contents) -> Answers:
    facts = contents.facts
    yield "What was excluded?", _excluded(facts)
    yield "Are the raw data included?", "Yes. Excluded ratings are marked, not deleted."
    yield (
        "What happens to the responses of a rater who withdraws?",
        f"{WITHDRAWAL[contents.study.on_withdrawal]} Raters who withdrew: {facts.withdrawn}.",
    )


def _uses(contents: Contents) -> Answers:
    yield "What was it used for?", f"The figures in `reports/`: {', '.join(contents.reports) or 'none yet'}."
    yield "Under which licence?", _licences(contents.publication)
    yield "What may it be used for, and what not?", _answered(contents, "G.2")
    yield "Who maintains it?", _answered(contents, "G.5")


def _licences(publication: Publication) -> str:
    licence, texts = publication.licence, publication.of_texts
    data = f"{licence.name}: {licence.url}" if licence else UNKNOWN
    if publication.are_texts_reserved:
        return f"{data} Texts of items: no licence; others have the rights to them."
    return f"{data} Texts of items: {texts.name}: {texts.url}" if texts != licence and texts else data


def _answered(contents: Contents, number: str) -> str:
    """What members answered in the human evaluation sheet."""
    rows = contents.sheet.sections[section_of(number)]
    answer = next(row.answer for row in rows if row.question.number == number)
    return contents.redactor.note(answer) or UNKNOWN


def _who(contents: Contents) -> str:
    if not contents.study.identified:
        return "It is unknown who gave which rating: slots replace raters."
    return f"{contents.facts.raters} raters, {contents.facts.simulated} of them simulated."


def _when(facts: StudyFacts) -> str:
    if facts.first is None or facts.last is None:
        return "The times are not known."
    return f"From {facts.first:%Y-%m-%d} to {facts.last:%Y-%m-%d}."


def _paid(contents: Contents) -> str:
    if not contents.with_pay:
        return "Not included in this bundle. The managers of the study can say."
    pay = contents.facts.pay
    if pay is None:
        return "No pay was set in the study."
    hourly = f"; the median session earned {pay.currency} {pay.per_hour:f} an hour" if pay.per_hour else ""
    return f"{pay.currency} {money(pay.amount)} a {PAID_FOR[pay.paid_for]}{hourly}."


def _consent(contents: Contents) -> str:
    number = contents.facts.consent_versions
    return (
        f"The consent text is in study.json{f', in {number} versions' if number > 1 else ''}."
        if number
        else "No consent text is stored."
    )


def _excluded(facts: StudyFacts) -> str:
    rules = ", ".join(f"{one.number} by `{one.key}`" for one in facts.excluded)
    return f"Active exclusions: {rules or 'none'}. {facts.late} late responses are marked."
