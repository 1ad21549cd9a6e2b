"""A methods paragraph for a paper, from study data only; unknown details are left out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from annotation.domain.pay.wages import money
from annotation.domain.questions.kinds.condition import Comparison, Condition
from annotation.models import Criterion, Study
from scoring.selectors.reports.collected import Collected, PartCount, RatingsReached, VersionCount
from scoring.selectors.reports.study_facts import QUOTED, ExcludedBy, PayFacts, StudyFacts
from scoring.stats.agreement.coefficients import COEFFICIENTS
from scoring.stats.base.cautions import cautions_of

# Names of the answers to each kind of question, alone and together with those to another kind.
PARTS_NAMED = {
    "scale": ("rating", "ratings on scales"),
    "choice": ("choice", "choices"),
    "order": ("order", "orders"),
    "tuples": ("marking of tuples", "markings of tuples"),
    "errors": ("error marking", "error markings"),
}
PAID_FOR = {"page": "page", "sitting": "session", "rater": "rater for the whole task"}
DESIGNS = {
    "pool": "each rater received the items with the fewest ratings first, in an individual order",
    "batches": "each rater received fixed sets of pages",
    "all": "every rater was asked to rate every item",
    "panels": "separate panels of raters answered separate forms",
}
QUALIFIED = {
    "near": "Raters qualified by ratings close to the reference values of calibration items.",
    "rank": "Raters qualified by the rank correlation of their ratings with the reference values.",
    "hand": "Raters were admitted manually after they rated calibration items.",
}

# Cautions about the interval of α, and the units of which there are few.
NARROW = {"few_groups": "groups of items", "few_items": "items"}
EXCLUDED_HOW = {"by_hand": "manually", "withdrawn": "because their raters withdrew"}


def methods_paragraph(study: Study, facts: StudyFacts) -> str:
    """An English paragraph for the section on data collection."""
    return " ".join(_sentences(study, facts))


def _sentences(study: Study, facts: StudyFacts) -> Iterator[str]:
    if not facts.responses:
        yield f"No ratings have been collected yet for the {how_many(facts.items, 'item')} of this study."
        return
    yield from _collected(study, facts)
    if facts.pilot:
        yield _pilot(facts)
    yield from (_asked(form) for form in facts.versions)
    if len(facts.versions) > 1 and all(len(version.criteria.all()) == 1 for version in facts.versions):
        yield "Each criterion was asked on a page of its own."
    yield from _versions(facts.collected)
    yield from (_reached(one) for one in facts.collected.reached)
    if not study.source:
        yield f"{DESIGNS[study.design].capitalize()}."
    if facts.qualification:
        yield QUALIFIED.get(facts.qualification, "Raters had to qualify.")
    if facts.checks:
        passed = 100 * facts.checks_passed / facts.checks
        verdicts = f"{how_many(facts.checks, 'attention check')} with a verdict{_in_this_study(facts)}"
        yield f"Of {verdicts} raters passed {passed:.1f}%."
    yield from _pay_and_time(facts)
    yield from _left_out(study, facts)
    agreed = agreement_sentence(facts)
    if agreed:
        yield from _narrow_intervals(facts)
        yield agreed
    yield from _of_means(facts)


def _collected(study: Study, facts: StudyFacts) -> Iterator[str]:
    """What was submitted and when, and what of it the statistics use."""
    when = ""
    if facts.first and facts.last:
        days = [f"{day:%-d %B %Y}" for day in (facts.first, facts.last)]
        when = f" on {days[0]}" if days[0] == days[1] else f" between {days[0]} and {days[1]}"
    of = [how_many(facts.groups, "group")] if facts.groups else []
    of += [how_many(facts.systems, "system")] if facts.systems > 1 else []
    together = f" ({(' of ' if facts.complete_groups else ', ').join(of)})" if of else ""
    responses, items = how_many(facts.responses, "response"), how_many(facts.items, "item")
    yield f"We collected {responses} about {items}{together}{when}."
    if facts.added_while_open:
        yield f"{_of_items(facts.added_while_open)} added while the study was open."
    if facts.retired:
        yield f"{_of_items(facts.retired)} retired, and no more ratings of them were requested."
    parts = facts.collected.parts
    for part in parts:
        yield _analysed(study, part, named=len(parts) > 1)
    if facts.collected.words:
        words = how_many(facts.collected.words, "answer")
        yield f"{words} in words are part of the data and of no statistic."


def _pilot(facts: StudyFacts) -> str:
    """What becomes of the pilot's responses; the reason is quoted as it was declared."""
    before = f"A pilot study, “{facts.pilot}”, came before"
    if facts.pilot_pooled_at is None:
        return f"{before}; its responses are in no statistic."
    number = how_many(facts.collected.from_pilot, "response")
    return (
        f"{before}; {number} in it to the same questions about the same items are pooled with those of this "
        f"study and counted above, as declared on {facts.pilot_pooled_at:%-d %B %Y} for this reason: "
        f"“{_unquoted(facts.pilot_pooled_because)}”."
    )


def _unquoted(text: str) -> str:
    """On one line, and without the marks that would end the quotation."""
    return " ".join(text.replace("“", "‘").replace("”", "’").split())


def _analysed(study: Study, part: PartCount, *, named: bool) -> str:
    who = how_many(part.raters, "rater") if study.identified else "unidentified raters"
    if part.simulated == part.raters:
        who = how_many(part.raters, "simulated rater")
    elif part.simulated:
        who += f" ({part.simulated} of them simulated, with {how_many(part.simulated_responses, 'response')})"
    one, several = PARTS_NAMED[part.kind]
    what = f"{part.ratings:,} {several}" if named else how_many(part.ratings, one)
    responses, items = how_many(part.responses, "response"), how_many(part.items, "item")
    text = f"The statistics use {what} in {responses} about {items}"
    cannot = part.cannot_rate
    not_rated = (
        f"; {how_many(cannot, 'response')} among them said that the item cannot be rated" if cannot else ""
    )
    return f"{text} from {who}{not_rated}."


def _versions(collected: Collected) -> Iterator[str]:
    """Of each form with several versions: how many responses saw each, and which the statistics use."""
    forms: dict[int, list[VersionCount]] = {}
    for version in collected.versions:
        forms.setdefault(version.form, []).append(version)
    for versions in forms.values():
        if len(versions) < 2:
            continue
        saw = [
            f"{how_many(version.responses, 'response')} saw version {version.label}" for version in versions
        ]
        use = _used([version for version in versions if version.used])
        yield f"Of the form “{versions[0].title}”, {listed(saw)}; {use}."


def _used(versions: Sequence[VersionCount]) -> str:
    """Which versions the statistics use, and which of them together."""
    if not versions:
        return "the statistics use none of them"
    pools: dict[int, list[str]] = {}
    for version in versions:
        pools.setdefault(version.pool, []).append(version.label)
    together = [
        f"versions {listed(labels)} together" if len(labels) > 1 else f"version {labels[0]}"
        for labels in pools.values()
    ]
    return f"the statistics use {listed(together)}"


def _reached(reached: RatingsReached) -> str:
    low, high = reached.requested
    requested = f"{low} to {high} raters per item" if low < high else f"{how_many(high, 'rater')} per item"
    got = f"items received a median of {reached.median:g} (range {reached.fewest} to {reached.most})"
    if reached.fewest == reached.most:
        got = f"items received {reached.most} each"
    got += " among the responses that the statistics use"
    short = f"{reached.short:,} of {how_many(reached.items, 'item')} received fewer than requested"
    if not reached.short:
        short = "every item received what was requested"
    return f"For the form “{reached.title}” we requested {requested}: {got}, and {short}."


def listed(parts: list[str]) -> str:
    """Parts as an English list: commas, and `and` before the last."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def _of_items(number: int) -> str:
    return f"{how_many(number, 'item')} {'was' if number == 1 else 'were'}"


def _in_this_study(facts: StudyFacts, word: str = "in") -> str:
    """Where a pilot is pooled, the words that what follows is of this study alone."""
    return f" {word} this study" if facts.pilot_pooled_at else ""


def _asked(version: Any) -> str:
    criteria = list(version.criteria.all())
    names = {criterion.key: criterion.name for criterion in criteria}
    questions = ", ".join(_criterion(criterion, names) for criterion in criteria)
    feed = getattr(version.form, "fed_by", None)
    received = f", for items with the answer “{feed.value}” in the form “{feed.source.title}”" if feed else ""
    return f"The form “{version.shown_title}” asked for {questions}{received}."


def _criterion(criterion: Criterion, names: Mapping[str, str]) -> str:
    kind = criterion.question_kind.scale_in_words(criterion.minimum, criterion.maximum)
    details = [] if criterion.name.lower() == kind else [kind]
    if criterion.asked_after:
        earlier = names.get(criterion.asked_after, criterion.asked_after)
        details.append(f"only after {_answer_in_words(criterion.asked_when)} to “{earlier}”")
    return f"{criterion.name.lower()} ({'; '.join(details)})" if details else criterion.name.lower()


def _answer_in_words(asked_when: str) -> str:
    condition = Condition.read(asked_when)
    if condition.comparison is Comparison.EXACTLY:
        return f"“{asked_when}”"
    bound = "at least" if condition.comparison is Comparison.AT_LEAST else "at most"
    return f"an answer of {bound} {condition.value}"


def _pay_and_time(facts: StudyFacts) -> Iterator[str]:
    """What people were paid and how long they took; a study without people has neither."""
    if facts.raters == facts.simulated:
        return
    who = f"Raters{_in_this_study(facts, 'of')}{' who are not simulated' if facts.simulated else ''}"
    if facts.pay:
        yield _paid(who, facts.pay)
    if facts.page_seconds is not None:
        yield f"{who} took {page_time(facts.page_seconds)} for the median page."


def page_time(seconds: float) -> str:
    """The time of a page in words."""
    return f"{seconds:.0f} s" if seconds >= 1 else "less than a second"


def _paid(who: str, pay: PayFacts) -> str:
    text = f"{who} were paid {pay.currency} {money(pay.amount)} per {PAID_FOR[pay.paid_for]}"
    if pay.per_hour is not None:
        text += f", which came to {pay.currency} {pay.per_hour:f} an hour for the median session"
    return f"{text}."


def _left_out(study: Study, facts: StudyFacts) -> Iterator[str]:
    collected = facts.collected
    if collected.late:
        yield f"The statistics do not use {how_many(collected.late, 'late response')}."
    if collected.excluded:
        how = listed([_rule_in_words(one) for one in facts.excluded])
        raters = f" from {how_many(collected.excluded_raters, 'rater')}" if study.identified else ""
        yield f"We excluded {how_many(collected.excluded, 'response')}{raters} {how}."
    if facts.withdrawn:
        yield f"{how_many(facts.withdrawn, 'rater')} withdrew{_in_this_study(facts, 'from')}."


def _narrow_intervals(facts: StudyFacts) -> Iterator[str]:
    """What pages say of intervals that rest on too few units; without a number, which nothing could check."""
    found = {code for row in facts.agreement.values() for code in cautions_of(row["signature"])}
    for code, units in NARROW.items():
        if code in found:
            yield f"The following intervals of α rest on few {units} and are too narrow."


def agreement_sentence(facts: StudyFacts) -> str:
    """Ordinal α of each criterion with its interval; empty where none is known.

    Parameters
    ----------
    facts : StudyFacts
        Facts with the agreement of an up-to-date report.
    """
    known = [(key, row) for key, row in facts.agreement.items() if row["estimate"] is not None]
    parts = "; ".join(f"{facts.names.get(key, key).lower()} {_figure(row)}" for key, row in known)
    key, level = QUOTED
    pooled = ", all form versions together" if facts.agreement_pooled else ""
    what = f"{COEFFICIENTS[key].title} ({level}, {_intervals(facts)}{pooled})"
    return f"{what}: {parts}." if parts else ""


def _of_means(facts: StudyFacts) -> Iterator[str]:
    """The reliability of mean ratings, by the coefficient that the design asks for."""
    found: dict[str, list[str]] = {}
    for row in facts.of_means:
        if row["estimate"] is not None:
            title = COEFFICIENTS[row["coefficient"]].title
            name = facts.names.get(row["criterion"], row["criterion"]).lower()
            found.setdefault(title, []).append(f"{name} {_figure(row)}")
    pooled = ", all form versions together" if facts.agreement_pooled else ""
    for title, parts in found.items():
        yield f"{title} (95% CI{pooled}): {'; '.join(parts)}."


def _intervals(facts: StudyFacts) -> str:
    """How the intervals were made, such as by 2,000 resamples of groups."""
    units = sorted(
        {
            str(row["interval_method"]).rpartition(":")[2]
            for row in facts.agreement.values()
            if row["low"] is not None
        }
    )
    if not units:
        return "95% bootstrap CI"
    return f"95% bootstrap CI from {facts.replicates:,} resamples of {listed(units)}"


def _figure(row: Mapping[str, Any]) -> str:
    if row["low"] is None:
        return f"{row['estimate']:.3f}, no interval"
    return f"{row['estimate']:.3f} [{row['low']:.3f}, {row['high']:.3f}]"


def excluded_how(one: ExcludedBy) -> str:
    """The number of exclusions by a rule, a member or withdrawals, and which of these."""
    return f"{one.number:,} {_rule_in_words(one)}"


def _rule_in_words(one: ExcludedBy) -> str:
    return EXCLUDED_HOW.get(one.key, f"by the rule “{one.title or one.key}”")


def how_many(number: int, what: str) -> str:
    """A number with its noun, in the plural unless it is one."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"
