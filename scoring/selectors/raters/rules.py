"""The exclusion rules of a study with their state and their newest previews."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, Max, Q

from annotation.domain.base.messages import Message
from annotation.domain.quality.exclusion_rules import condition_note, condition_words, may_select_on_agreement
from annotation.models import Exclusion, ExclusionLift, ExclusionRule, Rater, Study
from scoring.models import Report
from scoring.selectors.raters.item_figures import figures_state

PREVIEW = "exclusion_preview"


@dataclass(frozen=True)
class RuleRow:
    """A rule with its state: `n_active` active exclusions, the latest of `applied_at`."""

    rule: ExclusionRule
    n_active: int
    n_ever: int
    applied_at: datetime | None

    @property
    def applied(self) -> bool:
        """Whether exclusions of this rule are active."""
        return self.n_active > 0

    @property
    def words(self) -> list[Message]:
        """Its conditions as words."""
        return [condition_words(condition) for condition in self.rule.conditions]

    @property
    def notes(self) -> list[Message]:
        """What to consider before its conditions exclude data, each note once."""
        notes = {
            condition["kind"]: note
            for condition in self.rule.conditions
            if (note := condition_note(condition))
        }
        return list(notes.values())

    @property
    def on_agreement(self) -> bool:
        """Whether its conditions may exclude what agrees least."""
        return may_select_on_agreement(self.rule.conditions)


def rule_rows(study: Study) -> list[RuleRow]:
    """The rules of a study in the order of their declaration, in one query."""
    return [_row(rule) for rule in _counted(study)]


def rule_row(study: Study, pk: int) -> RuleRow | None:
    """One rule of a study, or None where it has no such rule."""
    found = _counted(study).filter(pk=pk).first()
    return None if found is None else _row(found)


def latest_preview(rule: ExclusionRule) -> Report | None:
    """The newest preview of a rule."""
    previews = Report.objects.filter(study=rule.study_id, kind=PREVIEW, method__rule=rule.pk)
    return previews.order_by("-pk").first()


def preview_state(rule: ExclusionRule, before: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """How much there is of everything that a preview of a rule comes from.

    Applying the rule, and lifting it, changes nothing in what it would do.

    Parameters
    ----------
    rule : ExclusionRule
        The rule, its study loaded.
    before : mapping or None
        The state of a preview that this one is compared with.

    Returns
    -------
    dict
        As of the figures of items, without the exclusions of the rule itself.
    """
    state = figures_state(rule.study, before)
    state["n_exclusions"] -= Exclusion.objects.filter(by_rule=rule).count()
    state["n_lifts"] -= ExclusionLift.objects.filter(exclusion__by_rule=rule).count()
    return state


def is_fresh(rule: ExclusionRule, preview: Report) -> bool:
    """Whether the data have not changed since the preview of a rule."""
    return bool(preview.data_state == preview_state(rule, preview.data_state))


def matched_keys(study: Study, preview: Report) -> dict[str, list[Any]]:
    """Keys of items, codes of raters and numbers of answers that a preview caught."""
    caught = preview.tables["caught"]
    keys = dict(study.items.values_list("pk", "key")) if caught["items"] else {}
    codes = dict(study.raters.values_list("pk", "code")) if caught["raters"] else {}
    return {
        "items": [keys[pk] for pk in caught["items"] if pk in keys],
        "raters": [codes[pk] for pk in caught["raters"] if pk in codes],
        "responses": caught["responses"],
    }


def matched_raters(preview: Report) -> list[str]:
    """The codes of the raters that a preview caught, in their order."""
    caught = preview.tables["caught"]["raters"]
    people = Rater.objects.filter(study=preview.study_id, pk__in=caught) if caught else Rater.objects.none()
    return list(people.order_by("code").values_list("code", flat=True))


def _counted(study: Study) -> Any:
    active = Q(exclusions__isnull=False, exclusions__lift__isnull=True)
    return (
        ExclusionRule.objects.filter(study=study)
        .select_related("author", "study")
        .annotate(
            n_ever=Count("exclusions"),
            n_active=Count("exclusions", filter=active),
            applied_at=Max("exclusions__created_at", filter=active),
        )
        .order_by("created_at", "pk")
    )


def _row(rule: Any) -> RuleRow:
    return RuleRow(rule, rule.n_active, rule.n_ever, rule.applied_at)
