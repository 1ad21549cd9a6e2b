"""What reviewers will miss in the data of a study: each point with its reason, and where to fix it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.db.models import Exists, OuterRef

from annotation.domain.base.messages import Message, counted_message, message
from annotation.domain.base.states import ENDED_JOBS, StudyState
from annotation.models import Job, ProblemReport, Response, Study
from scoring.bundle.release.publication import Publication
from scoring.models import Judge, Report, Score
from scoring.selectors.base.figures import has_these_definitions
from scoring.selectors.base.reports import latest_report
from scoring.selectors.data.staleness import is_stale
from scoring.selectors.judges.run_state import RUN
from scoring.selectors.metrics.power_plans import plans_of
from scoring.selectors.reports.heds.sheet import Sheet
from scoring.selectors.reports.study_facts import StudyFacts

# Fewer ratings of an item say nothing of agreement.
FEWEST_RATINGS = 2
SCORING, JUDGED = "score", "judges"
HEADS = {
    "simulated": message("Simulated ratings"),
    "licence": message("Licence"),
    "authors": message("Authors"),
    "consent": message("Consent"),
    "publication_consent": message("Consent to publication"),
    "ethics": message("Ethics review"),
    "recruitment": message("How raters were recruited"),
    "rater_description": message("Who the raters are"),
    "complete": message("Data collection"),
    "ratings_per_item": message("Ratings per item"),
    "attention_checks": message("Attention checks"),
    "pay": message("Pay"),
    "power": message("Power"),
    "exclusion_rule": message("Exclusion rule"),
    "agreement": message("Agreement"),
    "intended_use": message("Intended use"),
    "provenance": message("How the texts were made"),
    "scores": message("Automatic scores"),
    "judges": message("Automatic judges"),
    "sheet": message("Human evaluation sheet"),
    "remarks": message("Comments on answers"),
    "comments": message("Reported problems and comments on items"),
}


@dataclass(frozen=True)
class Finding:
    """A point that reviewers look for.

    `page` is the URL name of the page on which to fix it, with `query` and `anchor`. `is_note` marks what is
    not missing, and has to be read or considered before a release.
    """

    code: str
    is_missing: bool
    why: Message
    page: str
    anchor: str = ""
    query: str = ""
    is_note: bool = False

    @property
    def head(self) -> Message:
        """The title of the point."""
        return HEADS[self.code]


def review_findings(
    study: Study,
    facts: StudyFacts,
    reports: Sequence[Report],
    sheet: Sheet,
    publication: Publication,
    *,
    with_pay: bool,
) -> list[Finding]:
    """List the points that reviewers look for, each with whether it is missing.

    Parameters
    ----------
    study : Study
        The study.
    facts : StudyFacts
        Facts of the study.
    reports : sequence of Report
        Up-to-date reports of the study.
    sheet : Sheet
        Human evaluation sheet of the study.
    publication : Publication
        Licence and authors that were declared last.
    with_pay : bool
        Whether the reader may see the pay; otherwise no finding mentions it.
    """
    found = [
        *_simulated(facts),
        *_publication(publication),
        *_people(study, sheet),
        *_numbers(study, facts, reports, sheet),
    ]
    if with_pay and not study.source:
        stated = not sheet.is_open("3.2.2.2")
        why = (
            message("Stated.")
            if stated
            else message("Reviewers ask what raters earned, or whether they volunteered.")
        )
        found.append(Finding("pay", not stated, why, "study-pay"))
    return [*found, _scores(study), *_judges(study), *_of_sheet(sheet), *_comments(study)]


def _simulated(facts: StudyFacts) -> Iterator[Finding]:
    """Ratings by simulated raters, which readers must not mistake for human ratings."""
    if facts.simulated:
        why = counted_message(
            "%(n)d rater is simulated. Publish simulated ratings only if you say so.",
            "%(n)d raters are simulated. Publish simulated ratings only if you say so.",
            n=facts.simulated,
        )
        yield Finding("simulated", False, why, "study-raters", is_note=True)


def _publication(publication: Publication) -> Iterator[Finding]:
    licence = publication.licence
    why = message("Without a licence, no one may use the data.")
    if licence is not None:
        why = message("%(name)s.", name=licence.name)
    yield Finding("licence", licence is None, why, "study-releases", "make")
    authors = len(publication.authors)
    why = message("Without authors, no one can cite the data.")
    if authors:
        why = counted_message("%(n)d author.", "%(n)d authors.", n=authors)
    yield Finding("authors", not authors, why, "study-releases", "make")


def _people(study: Study, sheet: Sheet) -> Iterator[Finding]:
    if not study.source:
        stored = bool(study.consent.strip() or study.consent_number)
        why = message("The text is in the bundle.") if stored else message("No consent text is stored.")
        yield Finding("consent", not stored, why, "study-consent")
    answered = message("Answered in the sheet.")
    for code, number, why in (
        (
            "publication_consent",
            "G.1",
            message("Say whether raters agreed to it."),
        ),
        ("ethics", "5.1", message("Name the committee, or say that there was none.")),
        ("recruitment", "3.2.3", message("Results depend on who was asked, and how.")),
        ("rater_description", "3.2.2.1", message("Say whether raters are experts, and what else is known.")),
        ("intended_use", "G.2", message("Say what the ratings should not be used for.")),
        ("provenance", "G.3", message("Name models, versions and prompts of the systems.")),
    ):
        is_open = sheet.is_open(number)
        yield Finding(code, is_open, why if is_open else answered, "study-sheet", f"q-{number}")


def _numbers(study: Study, facts: StudyFacts, reports: Sequence[Report], sheet: Sheet) -> Iterator[Finding]:
    reached = facts.collected.reached
    few = facts.responses < FEWEST_RATINGS * facts.items
    if reached:
        few = any(one.fewest < FEWEST_RATINGS for one in reached)
    why = message("Each item has at least two ratings that count.")
    if few:
        why = message("Some items have fewer than two ratings that count; they say nothing of agreement.")
    yield Finding("ratings_per_item", few, why, "study-items")
    if not study.source:
        closed = study.state == StudyState.CLOSED
        why = message("The study is closed.")
        if not closed:
            why = message("The study is not closed: a release now is a snapshot.")
        yield Finding("complete", not closed, why, "study")
        why = message("Only times and agreement show careless responding.")
        if facts.checks:
            why = counted_message("%(n)d result.", "%(n)d results.", n=facts.checks)
        yield Finding("attention_checks", facts.checks == 0, why, "study-checks")
        declared = study.exclusion_rules.exists()
        why = (
            message("Declared, with its date.")
            if declared
            else message("Say beforehand who is left out, and why.")
        )
        yield Finding("exclusion_rule", not declared, why, "study-rules")
    planned = plans_of(study).exists() or not sheet.is_open("3.1.3.2")
    why = (
        message("Planned.") if planned else message("Say why there are so many ratings: simulate the power.")
    )
    yield Finding("power", not planned, why, "study-power")
    computed = any(report.kind == "reliability" for report in reports)
    why = message("Computed from the data as they are.")
    if not computed:
        why = message("Compute it: reports older than the data are no part of a bundle.")
    yield Finding("agreement", not computed, why, "study-reliability")


def _of_sheet(sheet: Sheet) -> Iterator[Finding]:
    why = message("Every question is answered.")
    if sheet.n_open:
        why = counted_message("%(n)d question is open.", "%(n)d questions are open.", n=sheet.n_open)
    yield Finding("sheet", bool(sheet.n_open), why, "study-sheet")


def _scores(study: Study) -> Finding:
    """Automatic scores: being computed, missing for some items, complete, or none."""
    if Job.objects.filter(study=study, kind=SCORING).exclude(state__in=ENDED_JOBS).exists():
        why = message("They are being computed. A release now has only those that are ready.")
        return Finding("scores", True, why, "study-score-runs")
    run = study.score_runs.filter(scores__isnull=False).order_by("-created_at", "-pk").first()
    if run is None:
        why = message("None. Papers that compare metrics with ratings need them.")
        return Finding("scores", False, why, "study-scores", is_note=True)
    valued = Score.objects.filter(run=run, item=OuterRef("pk"), value__isnull=False)
    n = study.items.filter(~Exists(valued), planted=False, retired_at=None).count()
    why = message("Every item has scores of the newest run.")
    if n:
        why = counted_message(
            "%(n)d item has no score in the newest run.", "%(n)d items have no score in the newest run.", n=n
        )
    return Finding("scores", bool(n), why, "study-scores")


def _judges(study: Study) -> Iterator[Finding]:
    """Answers of judges that are still coming in, and a comparison with raters that a release would lack."""
    if not Judge.objects.filter(study=study).exists():
        return
    newest = latest_report(study, JUDGED)
    why = None
    if Job.objects.filter(study=study, kind=RUN).exclude(state__in=ENDED_JOBS).exists():
        why = message("A judge is still answering. Wait before you release its answers.")
    elif newest is None or is_stale(study, newest) or not has_these_definitions(newest):
        why = message("Their comparison with the raters is missing or out of date. A release has none then.")
    if why:
        yield Finding("judges", False, why, "study-judges", is_note=True)


def _comments(study: Study) -> Iterator[Finding]:
    """What raters wrote themselves, which should be read before it is published."""
    about = {"assignment__rater__study": study}
    remarks = Response.objects.filter(**about, current=True).exclude(remark="").count()
    reports = ProblemReport.objects.filter(**about).count()
    for code, n, file in (("remarks", remarks, "ratings"), ("comments", reports, "problems")):
        if n:
            why = counted_message(
                "%(n)d text of raters is published. Read it: known names are replaced, others are not.",
                "%(n)d texts of raters are published. Read them: known names are replaced, others are not.",
                n=n,
            )
            query = f"what={file}&preview=1"
            yield Finding(code, False, why, "study-exports", "file", query, is_note=True)
