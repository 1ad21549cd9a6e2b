"""Facts of a study for papers and data sheets: who rated what, when, how and for how much."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.db.models import Count, Q, Value
from django.db.models.functions import Coalesce, Concat

from annotation.domain.base.states import Purpose, RaterState
from annotation.models import CheckVerdict, FormVersion, Pay, Qualification, RaterKind, Response, Study
from annotation.selectors.pay.costs import PayFigures, pay_figures, pay_of
from annotation.selectors.questions.criterion_labels import criterion_labels
from annotation.selectors.questions.form_versions import form_versions
from annotation.selectors.questions.pilots.pilot_answers import pilot_answers
from scoring.models import Report
from scoring.selectors.agreement.recommended import recommended_rows
from scoring.selectors.reports.collected import Collected, count_collected

# The figure that running text quotes as the agreement on a criterion.
QUOTED = ("alpha", "ordinal")


@dataclass(frozen=True)
class PayFacts:
    """What raters were promised, and what the median sitting earned in an hour."""

    currency: str
    amount: Decimal
    paid_for: str
    floor: Decimal | None
    per_hour: Decimal | None


@dataclass(frozen=True)
class ExcludedBy:
    """Active exclusions by one rule: its key in files, its title (empty for none), and their number."""

    key: str
    title: str
    number: int


@dataclass(frozen=True)
class StudyFacts:
    """Counts and settings of a study, from its data alone; None where nothing is known."""

    items: int
    # added_while_open, retired: Items that were added after the study was opened; items that are retired
    added_while_open: int
    retired: int
    groups: int
    systems: int
    complete_groups: bool  # Whether every group has an item of every system
    # raters, simulated, withdrawn: Raters with an answer; those of them who are simulated; those who
    # have withdrawn
    raters: int
    simulated: int
    withdrawn: int
    # responses, late, cannot_rate, ratings: Everything submitted for the main task, whether the
    # statistics use it or not
    responses: int
    late: int
    cannot_rate: int
    ratings: int
    collected: Collected  # The responses that the statistics use
    excluded: tuple[ExcludedBy, ...]  # Active exclusions by rule
    # first, last: When the first and the last response were saved
    first: datetime | None
    last: datetime | None
    page_seconds: float | None  # Median per page
    # checks, checks_passed: Attention checks with a verdict, and those passed
    checks: int
    checks_passed: int
    qualification: str  # The rule by which raters qualified; empty for none
    consent_versions: int
    questions: int
    pay: PayFacts | None
    # Of each form, the newest version that the statistics use; of a form without responses, the newest one
    versions: tuple[FormVersion, ...]
    pilot: str  # Title of the pilot study; empty without one
    pilot_pooled_at: (
        datetime | None
    )  # When it was declared that both are pooled; None where they are separate
    pilot_pooled_because: str
    agreement: Mapping[str, Mapping[str, Any]]  # By criterion, the report's row of ordinal α
    # The report's reliability of mean ratings, a row of each criterion
    of_means: tuple[Mapping[str, Any], ...]
    names: Mapping[str, str]  # Names of the criteria in `agreement`
    agreement_pooled: bool  # Whether that report takes all form versions together
    replicates: int  # Resamples of its intervals; 0 without a report


def facts_of(study: Study, reports: Mapping[str, Report], *, with_pay: bool) -> StudyFacts:
    """Gather the facts.

    Parameters
    ----------
    study : Study
        The study.
    reports : mapping of str to Report
        By name; the agreement is that of `reliability`, where there is one.
    with_pay : bool
        Include the raters' pay, which only managers of the study may see.

    Returns
    -------
    StudyFacts
        In a fixed number of queries, and two more where the newest version of a form has no responses yet.
    """
    newest = form_versions(study=study)
    collected = count_collected(study, [version.form for version in newest])
    report = reports.get("reliability")
    pay = pay_of(study)
    # Times that are known for some answers alone say nothing of the work.
    figures = None if _untimed(study) else pay_figures(study, pay)
    rule = Qualification.objects.filter(study=study).values_list("rule", flat=True).first()
    verdicts = CheckVerdict.objects.filter(assignment__rater__study=study, passed__isnull=False)
    active = study.exclusions.filter(lift__isnull=True).order_by("rule", "by_rule")
    by_rule = active.values_list("rule", Coalesce("by_rule__name", Value(""))).annotate(n=Count("pk"))
    return StudyFacts(
        **_items(study),
        **_raters(study),
        **collected.totals,
        collected=collected,
        excluded=tuple(ExcludedBy(*row) for row in by_rule),
        page_seconds=figures.page_seconds if figures else None,
        checks=verdicts.count(),
        checks_passed=verdicts.filter(passed=True).count(),
        qualification=rule or "",
        consent_versions=study.consent_texts.count(),
        questions=study.demographic_questions.count(),
        pay=_pay(pay, figures) if pay and with_pay else None,
        versions=_asked(newest, collected),
        pilot=study.pilot.title if study.pilot else "",
        pilot_pooled_at=study.pilot_pooled_at if study.pilot else None,
        pilot_pooled_because=study.pilot_pooled_because if study.pilot else "",
        agreement=_agreement(report),
        of_means=tuple(recommended_rows(report, "mean")) if report else (),
        names=criterion_labels(study) if report else {},
        agreement_pooled=bool(report and report.method.get("pool_versions")),
        replicates=int(report.method.get("replicates", 0)) if report else 0,
    )


def _asked(newest: Sequence[FormVersion], collected: Collected) -> tuple[FormVersion, ...]:
    """The versions that the statistics use, in the order of the forms."""
    used = {version.form: version.pk for version in collected.versions if version.used}
    current = {one.pk for one in newest}
    older = FormVersion.objects.filter(pk__in=[pk for pk in used.values() if pk not in current])
    loaded = older.select_related("form__fed_by__source", "form__pairing").prefetch_related(
        "criteria__points"
    )
    known = {one.form_id: one for one in loaded} if set(used.values()) - current else {}
    return tuple(known.get(one.form_id, one) for one in newest)


def _items(study: Study) -> dict[str, Any]:
    found = study.items.aggregate(
        items=Count("pk"),
        added_while_open=Count("pk", filter=added_while_open(study)),
        retired=Count("pk", filter=Q(retired_at__isnull=False)),
        groups=Count("group", distinct=True, filter=~Q(group="")),
        systems=Count("system", distinct=True, filter=~Q(system="")),
        # Names are of one line.
        pairs=Count(
            Concat("group", Value("\n"), "system"), distinct=True, filter=~Q(group="") & ~Q(system="")
        ),
    )
    pairs = found.pop("pairs")
    return {**found, "complete_groups": pairs == found["groups"] * found["systems"]}


def added_while_open(study: Study) -> Q:
    """Items that were added after the study was opened for the first time."""
    return Q(added_at__gt=study.opened_at) if study.opened_at else Q(pk__in=[])


def _raters(study: Study) -> dict[str, Any]:
    raters = study.raters.exclude(kind=RaterKind.TRIAL)
    answered = Q(assignments__purpose=Purpose.MAIN, assignments__responses__current=True)
    counts = raters.aggregate(
        raters=Count("pk", distinct=True, filter=answered),
        simulated=Count("pk", distinct=True, filter=answered & Q(simulated=True)),
        withdrawn=Count("pk", distinct=True, filter=Q(state=RaterState.WITHDRAWN)),
    )
    pool = pilot_answers(study)
    if pool is not None:
        own = pool.pilot.raters.filter(pk__in=pool.own_raters())
        counts["raters"] += own.count()
        counts["simulated"] += own.filter(simulated=True).count()
    return dict(counts)


def _untimed(study: Study) -> bool:
    """Whether it is not known of every page when it was saved, as of imported answers."""
    return Response.objects.filter(
        assignment__rater__study=study,
        assignment__purpose__in=[Purpose.MAIN, Purpose.CHECK],
        submitted_at__isnull=True,
    ).exists()


def _pay(pay: Pay, figures: PayFigures | None) -> PayFacts:
    per_hour = figures.paid.per_hour if figures and figures.paid else None
    return PayFacts(pay.currency, pay.amount, pay.paid_for, pay.floor, per_hour)


def _agreement(report: Report | None) -> dict[str, Mapping[str, Any]]:
    rows = report.figures if report else []
    return {row["criterion"]: row for row in rows if (row["coefficient"], row["variant"]) == QUOTED}
