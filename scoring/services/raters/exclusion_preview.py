"""What an exclusion rule would do: asking a worker, and computing it before anything is excluded."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np

from annotation.domain.base.errors import GroundworkError
from annotation.domain.base.messages import message
from annotation.domain.quality.exclusion_rules import condition_words
from annotation.models import ExclusionRule, Job, User
from annotation.services.base.jobs import Lease, enqueue
from scoring.models import Report
from scoring.selectors.data.answers import StudyAnswers, active_exclusions, study_answers
from scoring.selectors.data.metric_scores import MetricScores, metric_scores
from scoring.selectors.raters.rules import preview_state
from scoring.services.base.report_store import Provenance, complete_report
from scoring.services.data.counting import NOTHING_YET
from scoring.services.raters.rule_conditions import conditions_of
from scoring.stats.agreement.key_results import compute_key_results, counts_of
from scoring.stats.base.resampling import Resampling
from scoring.stats.data.answers import Answers
from scoring.stats.data.rule_matches import RuleMatches
from scoring.stats.raters.exclusion import Condition, find_matches, is_about_items
from scoring.stats.raters.selection_effect import selection_effects

KIND = "exclusion_preview"
# So many answers are resampled, and shuffled, in all: large studies in seconds, small ones with less noise.
RESAMPLED, SHUFFLED = 20_000_000, 1_000_000
REPLICATES, FEWEST_REPLICATES = 1000, 100
SHUFFLES, FEWEST_SHUFFLES = 100, 3


def request_preview(*, rule: ExclusionRule, actor: User | None) -> Job:
    """Ask a worker what a rule would do, unless a job is under way.

    Parameters
    ----------
    rule : ExclusionRule
        The rule.
    actor : User or None
        User who asks for it.
    """
    return enqueue(kind=KIND, study=rule.study, params={"rule": rule.pk}, created_by=actor)


def compute_preview(*, lease: Lease) -> Report:
    """Figures before and after a rule, the rule's effect on shuffled answers, and that of chance.

    Before is what the study's other exclusions leave; those of the rule itself are not looked at.

    Parameters
    ----------
    lease : Lease
        Lease of a job of kind `exclusion_preview`.

    Returns
    -------
    Report
        Its tables: `before` and `after` as `KeyResults.to_json`, `selection` one entry a criterion, `caught`
        the keys of the rows caught, `conditions` how many each condition catches alone, `gone` how many
        items, groups, raters and ratings go.

    Raises
    ------
    GroundworkError
        There is no such rule (`no_rule`), or nothing to compute from (`no_ratings`).
    LeaseLost
        Another worker has taken the job over; nothing was stored.
    """
    rule = _rule_of(lease)
    study = rule.study
    lease.beat(0, 1, message("Reading the ratings"))
    state = preview_state(rule)
    found = study_answers(study, without_rule=rule.pk)
    if not found.criteria:
        raise GroundworkError(NOTHING_YET, code="no_ratings")
    before = found.answers.only(~active_exclusions(study, found, without_rule=rule.pk).out(found.answers))
    scores = metric_scores(study, found)
    method = preview_settings(before, {"rule": rule.pk, "conditions": rule.conditions})
    provenance = Provenance(KIND, fingerprint(before, scores), method, {}, state)

    def compute() -> tuple[list[dict[str, Any]], dict[str, Any]]:
        tables = _tables(found, before, rule, scores, method, lease)
        return tables["after"]["figures"], tables

    return complete_report(lease, provenance, compute)


def preview_settings(answers: Answers, asked: dict[str, Any]) -> dict[str, Any]:
    """Replicates, shuffles and seed for answers of this number.

    Parameters
    ----------
    answers : Answers
        Answers of the computation.
    asked : dict
        Other settings of the computation.

    Returns
    -------
    dict
        The `method` of a report.
    """
    n = max(len(answers), 1)
    return {
        **asked,
        "replicates": min(REPLICATES, max(FEWEST_REPLICATES, RESAMPLED // n)),
        "shuffles": min(SHUFFLES, max(FEWEST_SHUFFLES, SHUFFLED // n)),
        "seed": int(fingerprint(answers)[:8], 16),
    }


def fingerprint(answers: Answers, scores: MetricScores | None = None) -> str:
    """SHA-256 of answers with their labels, and of scores with their signs.

    Parameters
    ----------
    answers : Answers
        With their labels.
    scores : MetricScores or None
        With their signs.
    """
    found = hashlib.sha256()
    labels = ["\0".join(map(str, answers.item_labels)), "\0".join(map(str, answers.rater_labels))]
    found.update("\1".join([*labels, *answers.values]).encode())
    flags = [answers.cannot, answers.lacks_context, answers.failed_checks, answers.group]
    for column in (answers.item, answers.rater, answers.form, answers.seconds, *flags):
        found.update(np.ascontiguousarray(column).tobytes())
    for value in (*answers.values.values(), *(scores.columns.values() if scores else ())):
        found.update(np.ascontiguousarray(value).tobytes())
    found.update(repr(sorted(scores.signs.items()) if scores else "").encode())
    return found.hexdigest()


def _rule_of(lease: Lease) -> ExclusionRule:
    wanted = ExclusionRule.objects.select_related("study")
    rule = wanted.filter(pk=lease.job.params.get("rule"), study=lease.job.study_id).first()
    if rule is None:
        raise GroundworkError(message("This rule does not exist in this study."), code="no_rule")
    return rule


def _tables(
    found: StudyAnswers,
    before: Answers,
    rule: ExclusionRule,
    scores: MetricScores,
    method: dict[str, Any],
    lease: Lease,
) -> dict[str, Any]:
    resampling = Resampling(
        method["replicates"],
        method["seed"],
        limits="measured",
        tick=lambda _: lease.beat(0, 1, message("Computing results before and after")),
    )
    conditions = conditions_of(rule.conditions, before.scales)
    caught = find_matches(before, conditions)
    first = compute_key_results(before, resampling, scores.columns).to_json()
    second = compute_key_results(before.only(~caught.out(before)), resampling, scores.columns).to_json()
    effects = selection_effects(
        before,
        conditions,
        seed=method["seed"],
        shuffles=method["shuffles"],
        draws=method["shuffles"],
        tick=lambda done, total: lease.beat(done, total, message("Applying the rule to shuffled ratings")),
    )
    return {
        "before": first,
        "after": second,
        "selection": [effect.to_json() for effect in effects],
        "caught": _keys(found, before, caught),
        "conditions": [
            {
                "words": condition_words(condition),
                **_numbers(before, find_matches(before, conditions_of([condition], before.scales))),
            }
            for condition in rule.conditions
        ],
        "sequence": _in_sequence(before, rule),
        "gone": {key: first["counts"][key] - second["counts"][key] for key in first["counts"]},
    }


def _in_sequence(before: Answers, rule: ExclusionRule) -> list[dict[str, Any]]:
    """What each condition leaves out of what is left by those tried before it, so that the numbers add up.

    `place` is that of the condition in the rule. An item or a rater goes with the last of its ratings.
    """
    each = [conditions_of([condition], before.scales) for condition in rule.conditions]
    tried: list[Condition] = []
    last, steps = counts_of(before), []
    for place in sorted(range(len(each)), key=lambda place: any(map(is_about_items, each[place]))):
        tried += each[place]
        left = counts_of(before.only(~find_matches(before, tried).out(before)))
        steps.append({"place": place, "gone": {key: last[key] - left[key] for key in last}, "left": left})
        last = left
    return steps


def _keys(found: StudyAnswers, before: Answers, caught: RuleMatches) -> dict[str, list[int]]:
    """Keys of the rows caught, as JSON; items and raters without an answer have nothing to take out."""
    items, raters = np.unique(before.item), np.unique(before.rater)
    return {
        "items": found.item_pks[items[caught.items[items]]].tolist(),
        "raters": found.rater_pks[raters[caught.raters[raters]]].tolist(),
        "responses": before.number[caught.responses].tolist(),
    }


def _numbers(before: Answers, caught: RuleMatches) -> dict[str, int]:
    return {
        "items": len(np.unique(before.item[caught.items[before.item]])),
        "raters": len(np.unique(before.rater[caught.raters[before.rater]])),
        "responses": int(np.count_nonzero(caught.responses)),
    }
