"""The key results of a study without exclusions, under its rules and with its active exclusions."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from annotation.domain.base.errors import GroundworkError
from annotation.domain.base.messages import message
from annotation.models import ExclusionRule, Job, Study, User
from annotation.services.base.jobs import Lease, enqueue
from annotation.services.quality.exclusions import WITHDRAWN
from scoring.models import Report
from scoring.selectors.data.answers import StudyAnswers, active_exclusions, study_answers
from scoring.selectors.data.metric_scores import metric_scores
from scoring.selectors.raters.item_figures import figures_state
from scoring.services.base.report_store import Provenance, complete_report, study_of
from scoring.services.data.counting import NOTHING_YET
from scoring.services.raters.exclusion_preview import fingerprint, preview_settings
from scoring.services.raters.rule_conditions import conditions_of
from scoring.stats.agreement.key_results import compute_key_results
from scoring.stats.base.resampling import Resampling
from scoring.stats.data.answers import Answers
from scoring.stats.raters.exclusion import find_matches

KIND = "multiverse"


def request_multiverse(*, study: Study, actor: User | None) -> Job:
    """Ask a worker for the headline figures under each set of exclusions, unless a job is under way.

    Parameters
    ----------
    study : Study
        The study.
    actor : User or None
        User who asks for it.
    """
    return enqueue(kind=KIND, study=study, params={}, created_by=actor)


def compute_multiverse(*, lease: Lease) -> Report:
    """Compute the key results under each set of exclusions.

    The sets: nothing, all declared rules, each rule alone, all rules, and the active exclusions. Answers of
    raters whose withdrawal excludes them from statistics are in none of them.

    Parameters
    ----------
    lease : Lease
        Lease of a job of kind `multiverse`.

    Returns
    -------
    Report
        Its table `worlds` has one entry a set of exclusions: `key`, `name`, `before_opening`, and
        what `KeyResults.to_json` gives.

    Raises
    ------
    GroundworkError
        No rater has rated yet (`no_ratings`).
    LeaseLost
        Another worker has taken the job over; nothing was stored.
    """
    study = study_of(lease.job)
    lease.beat(0, 1, message("Reading the ratings"))
    state = {**figures_state(study), "n_rules": study.exclusion_rules.count()}
    found = study_answers(study)
    if not found.criteria:
        raise GroundworkError(NOTHING_YET, code="no_ratings")
    scores = metric_scores(study, found)
    rules = list(study.exclusion_rules.order_by("created_at", "pk"))
    asked = {
        "rules": [[rule.pk, rule.conditions] for rule in rules],
        "standing": fingerprint(_with_active_exclusions(study, found)),
    }
    method = preview_settings(found.answers, asked)
    provenance = Provenance(KIND, fingerprint(found.answers, scores), method, {}, state)

    def compute() -> tuple[list[dict[str, Any]], dict[str, Any]]:
        total, worlds = len(rules) + 4, []
        for done, (key, name, prior, answers) in enumerate(_worlds(study, found, rules)):
            tick = partial(_beat, lease, done, total, name)
            resampling = Resampling(method["replicates"], method["seed"], tick=tick, limits="measured")
            figures = compute_key_results(answers, resampling, scores.columns).to_json()
            worlds.append({"key": key, "name": name, "before_opening": prior, **figures})
        return [], {"worlds": worlds}

    return complete_report(lease, provenance, compute)


def _beat(lease: Lease, done: int, total: int, name: str, _replicates: int) -> None:
    lease.beat(done, total, name)


World = tuple[str, str, bool | None, Answers]


def _worlds(study: Study, found: StudyAnswers, rules: list[ExclusionRule]) -> Iterator[World]:
    everything = _without_withdrawn(study, found)

    def under(chosen: list[ExclusionRule]) -> Answers:
        conditions = [one for rule in chosen for one in conditions_of(rule.conditions, found.answers.scales)]
        return everything.only(~find_matches(everything, conditions).out(everything))

    yield "none", "Nothing excluded", None, everything
    prior = [rule for rule in rules if rule.before_opening]
    if len(prior) > 1:
        yield "declared", "All rules declared before opening", True, under(prior)
    for rule in rules:
        yield f"rule:{rule.key}", rule.name, rule.before_opening, under([rule])
    if len(rules) > 1 and len(prior) < len(rules):
        yield "all", "All rules together", False, under(rules)
    current = _with_active_exclusions(study, found)
    if len(current) < len(everything):
        yield "standing", "Active exclusions", None, current


def _with_active_exclusions(study: Study, found: StudyAnswers) -> Answers:
    return found.answers.only(~active_exclusions(study, found).out(found.answers))


def _without_withdrawn(study: Study, found: StudyAnswers) -> Answers:
    out = active_exclusions(study, found, only=WITHDRAWN)
    return found.answers.only(~out.out(found.answers))
