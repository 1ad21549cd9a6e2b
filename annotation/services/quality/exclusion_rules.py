"""Exclusion rules: declaration, application and lifting. Ratings are never changed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from django.db import transaction
from django.utils.text import slugify

from annotation.domain.base.errors import InvalidContent, NotAllowedNow
from annotation.domain.base.messages import message
from annotation.domain.base.states import Purpose
from annotation.domain.base.text_validation import validated_text
from annotation.domain.quality.exclusion_rules import HAND_PICKED, check_conditions
from annotation.models import (
    Exclusion,
    ExclusionLift,
    ExclusionRule,
    Item,
    Rater,
    RaterKind,
    Response,
    Study,
    User,
)
from annotation.services.base import audit
from annotation.services.quality.exclusions import reason_given
from annotation.services.quality.replacements import restore_seats
from annotation.services.seats import reservations
from annotation.services.seats.pair_rounds import add_due_rounds, lock_raters_of
from annotation.services.seats.stages import decide_all, lock_study_items

CHUNK_SIZE = 1000
LONGEST_NAME = 120
TARGETS = ("item", "rater", "response")


def declare_rule(
    *,
    study: Study,
    name: str,
    conditions: Sequence[Mapping[str, Any]],
    reason: str,
    criteria: Sequence[str],
    on_ratios: Collection[str] = (),
    actor: User,
) -> ExclusionRule:
    """Store a rule; it counts as declared in advance before the study opens and has answers.

    Parameters
    ----------
    study, actor
        A study in any state, and who declares the rule.
    name, reason : str
        Up to 120 characters, and why; both needed.
    conditions : sequence of mapping
        Each with `kind` and its settings; see `annotation.domain.quality.exclusion_rules`.
    criteria : sequence of str
        Names of the study's criteria that are answered by a number.
    on_ratios : collection of str
        Those of them on which ratios count and every answer is above zero.

    Returns
    -------
    ExclusionRule
        Its time is that of the declaration; nothing is excluded yet.

    Raises
    ------
    InvalidContent
        The name or reason is missing (`no_name`, `no_reason`), a condition cannot be read (`no_condition`,
        `bad_condition`, `bound_not_above_zero`), or what is picked is not in the study (`unknown_pick`).
    """
    name, reason = validated_text(name), validated_text(reason)
    _check_words(name, reason)
    checked = check_conditions(conditions, criteria, on_ratios)
    for condition in checked:
        if condition["kind"] == HAND_PICKED:
            _refuse_unknown(study, condition)
    with transaction.atomic():
        study = Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        rule = ExclusionRule.objects.create(
            study=study,
            key=_free_key(study, name),
            name=name,
            conditions=checked,
            reason=reason,
            before_opening=_nothing_seen(study),
            author=actor,
        )
        audit.record(
            study=study,
            actor=actor,
            act="declare_rule",
            rule=rule.key,
            before_opening=rule.before_opening,
            reason=rule.reason,
        )
    return rule


def apply_rule(
    *,
    rule: ExclusionRule,
    items: Iterable[int],
    raters: Iterable[int],
    responses: Iterable[int],
    actor: User,
) -> int:
    """Exclude what a rule has caught, as its preview listed it; existing exclusions stay as they are.

    Parameters
    ----------
    rule, actor
        The rule, and who decides.
    items, raters, responses : iterable of int
        Keys of what it caught.

    Returns
    -------
    int
        Exclusions created.

    Raises
    ------
    NotAllowedNow
        Nothing is caught that the rule does not exclude already (`nothing_caught`).
    """
    with transaction.atomic():
        study = Study.objects.select_for_update(no_key=True).get(pk=rule.study_id)
        caught = {
            "item": set(Item.objects.filter(study=study).values_list("pk", flat=True)) & set(items),
            "rater": set(study.raters.values_list("pk", flat=True)) & set(raters),
            "response": _own_responses(study, set(responses)),
        }
        # A response that one of these raters is sending waits, and then counts or not as decided here.
        list(Rater.objects.select_for_update(of=("self",)).filter(pk__in=caught["rater"]).order_by("pk"))
        lock_study_items(study)
        exclusions = _not_yet_excluded(rule, caught, actor)
        if not exclusions:
            raise NotAllowedNow(
                message("The rule matches nothing that it has not already excluded."), code="nothing_caught"
            )
        Exclusion.objects.bulk_create(exclusions, batch_size=CHUNK_SIZE)
        reservations.release(raters=caught["rater"])
        decide_all(study=study)
        numbers = {
            f"n_{target}s": sum(getattr(one, f"{target}_id") is not None for one in exclusions)
            for target in TARGETS
        }
        audit.record(study=study, actor=actor, act="apply_rule", rule=rule.key, reason=rule.reason, **numbers)
    return len(exclusions)


def _not_yet_excluded(rule: ExclusionRule, caught: Mapping[str, set[int]], actor: User) -> list[Exclusion]:
    """Build exclusions for the targets that the rule matches and has not excluded yet."""
    active = Exclusion.objects.filter(by_rule=rule, lift__isnull=True)
    return [
        Exclusion(
            study_id=rule.study_id,
            rule=rule.key,
            by_rule=rule,
            reason=rule.reason,
            author=actor,
            **{f"{target}_id": pk},
        )
        for target in TARGETS
        for pk in sorted(caught[target] - set(active.values_list(target, flat=True)))
    ]


def lift_rule(*, rule: ExclusionRule, reason: str, actor: User) -> int:
    """Lift all exclusions by a rule, which can be applied again; returns how many.

    Parameters
    ----------
    rule : ExclusionRule
        The rule; it can be applied again.
    reason : str
        Why; needed.
    actor : User
        User who decides.

    Raises
    ------
    InvalidContent
        No reason is given (`no_reason`).
    NotAllowedNow
        The rule has no active exclusions (`nothing_to_lift`).
    """
    with transaction.atomic():
        study = Study.objects.select_for_update(no_key=True).get(pk=rule.study_id)
        active = list(Exclusion.objects.filter(by_rule=rule, lift__isnull=True).values_list("pk", flat=True))
        if not active:
            raise NotAllowedNow(
                message("This rule has no active exclusions to lift."), code="nothing_to_lift"
            )
        reason = reason_given(reason)
        lock_raters_of(Exclusion.objects.filter(by_rule=rule, lift__isnull=True), study)
        ExclusionLift.objects.bulk_create(
            (ExclusionLift(exclusion_id=pk, reason=reason, author=actor) for pk in active),
            batch_size=CHUNK_SIZE,
        )
        decide_all(study=study)
        for start in range(0, len(active), CHUNK_SIZE):
            chunk = Exclusion.objects.filter(pk__in=active[start : start + CHUNK_SIZE])
            restore_seats(study=study, exclusions=chunk)
        audit.record(study=study, actor=actor, act="lift_rule", rule=rule.key, reason=reason, n=len(active))
        add_due_rounds(study=study)
    return len(active)


UNKNOWN_PICKS = {
    "items": message("The study has no item “%(key)s”."),
    "raters": message("The study has no rater “%(key)s”."),
    "responses": message("The study has no response “%(key)s”."),
}


def _check_words(name: str, reason: str) -> None:
    if not 0 < len(name) <= LONGEST_NAME:
        sentence = message("Enter a name of at most %(most)s characters.", most=LONGEST_NAME)
        raise InvalidContent(sentence, code="no_name", fields={"name": sentence})
    if not reason:
        raise InvalidContent(message("Enter a reason. It is saved with the rule."), code="no_reason")


def _nothing_seen(study: Study) -> bool:
    """Whether a study has no responses yet, so that a rule cannot have been fitted to them."""
    answered = Response.objects.filter(assignment__item__study=study, assignment__purpose=Purpose.MAIN)
    return study.opened_at is None and not answered.exists()


def _refuse_unknown(study: Study, picked: Mapping[str, Any]) -> None:
    """Refuse unknown items, raters and responses: the rule would silently match less than it lists."""
    existing = {
        "items": study.items.values_list("key", flat=True),
        "raters": study.raters.exclude(kind=RaterKind.TRIAL).values_list("code", flat=True),
        "responses": Response.objects.filter(
            assignment__item__study=study, assignment__purpose=Purpose.MAIN
        ).values_list("pk", flat=True),
    }
    for name, known in existing.items():
        unknown = sorted(set(picked[name]) - set(known)) if picked[name] else []
        if unknown:
            raise InvalidContent(
                message(UNKNOWN_PICKS[name], key=str(unknown[0])[:80]),
                code="unknown_pick",
                fields={name: message("Unknown: %(n)s.", n=len(unknown))},
            )


def _own_responses(study: Study, wanted: set[int]) -> set[int]:
    if not wanted:
        return set()
    own = Response.objects.filter(assignment__item__study=study)
    return set(own.values_list("pk", flat=True)) & wanted


def _free_key(study: Study, name: str) -> str:
    plain = slugify(name)[:50] or "rule"
    taken = set(study.exclusion_rules.values_list("key", flat=True)) | {"by_hand", "withdrawn"}
    if plain not in taken:
        return plain
    return next(key for number in range(2, len(taken) + 3) if (key := f"{plain}-{number}") not in taken)
