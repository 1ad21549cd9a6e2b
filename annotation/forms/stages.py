"""The form that sets up the stage before a form."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.domain.questions.kinds.kind import QuestionKind, Yields
from annotation.domain.seats.stages import StagePeople, StageRule
from annotation.models import Form, FormVersion
from annotation.protocols.template import FeedTemplate
from annotation.selectors.questions.form_versions import form_versions
from annotation.selectors.studies.definition import feed_of
from annotation.templatetags.rater_words import translated

RULES = [
    (StageRule.ALL.value, gettext_lazy("all raters of the earlier form")),
    (StageRule.MAJORITY.value, gettext_lazy("more than half of the raters")),
    (StageRule.ANY.value, gettext_lazy("any rater (the first such answer)")),
]
PEOPLE = [
    (StagePeople.OTHERS.value, gettext_lazy("raters who do not take part in the earlier stage")),
    (
        StagePeople.OTHERS_FOR_ITEM.value,
        gettext_lazy("raters who did not rate the item in the earlier stage"),
    ),
    (StagePeople.ANYBODY.value, gettext_lazy("all raters")),
]


class StageForm(forms.Form):
    """The answer to an earlier form that admits an item, the raters, and the earlier answers they see."""

    answer = forms.ChoiceField(label=gettext_lazy("This form receives items"), required=False)
    rule = forms.ChoiceField(label=gettext_lazy("Answer required from"), choices=RULES)
    people = forms.ChoiceField(label=gettext_lazy("Raters of this form"), choices=PEOPLE)
    suggestions = forms.BooleanField(
        label=gettext_lazy("Prefill the earlier answers, without names"),
        required=False,
    )
    # A field named `matches` would hide the method of that name of its form from scripts.
    matched_criteria = forms.CharField(
        label=gettext_lazy("Criteria to prefill"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
        max_length=5000,
        help_text=gettext_lazy(
            "One line per criterion: criterion of this form = criterion of the earlier form, such as "
            "“tuples = candidates”. Leave empty to match criteria with the same name."
        ),
    )

    def __init__(self, form: Form, data: Any = None) -> None:
        feed = feed_of(form)
        super().__init__(data, initial=None if feed is None else _initial(feed))
        earlier = [one for one in form_versions(study=form.study) if _is_before(one.form, form)]
        self.has_earlier = bool(earlier)
        answer: Any = self.fields["answer"]
        answer.choices = [("", _("always (all items)")), *_answers(earlier)]

    def clean_matched_criteria(self) -> dict[str, str]:
        """The lines as names."""
        found = {}
        for line in filter(str.strip, self.cleaned_data["matched_criteria"].splitlines()):
            name, sign, before = (part.strip() for part in line.partition("="))
            if not (name and sign and before):
                raise forms.ValidationError(
                    _("Change “%(line)s” to the form “criterion = earlier criterion”.")
                    % {"line": line.strip()}
                )
            found[name] = before
        return found

    def feed(self) -> FeedTemplate | None:
        """The stage before the form; None if the form receives all items."""
        given = self.cleaned_data
        if not given["answer"]:
            return None
        form, criterion, value = json.loads(given["answer"])
        return FeedTemplate(
            form=form,
            criterion=criterion,
            value=value,
            rule=StageRule(given["rule"]),
            people=StagePeople(given["people"]),
            suggestions=given["suggestions"],
            matches=given["matched_criteria"],
        )


def _initial(feed: FeedTemplate) -> dict[str, Any]:
    return {
        "answer": json.dumps([feed.form, feed.criterion, feed.value]),
        "rule": feed.rule.value,
        "people": feed.people.value,
        "suggestions": feed.suggestions,
        "matched_criteria": "\n".join(f"{name} = {before}" for name, before in feed.matches.items()),
    }


def _is_before(one: Form, form: Form) -> bool:
    return not one.planted and (one.position, one.pk) < (form.position, form.pk)


def _answer_words(kind: QuestionKind) -> str:
    if kind.yields is Yields.ORDER:
        return _("if the best of “%(criterion)s” in “%(form)s” is “%(answer)s”")
    return _("if “%(criterion)s” in “%(form)s” is “%(answer)s”")


def _answers(earlier: list[FormVersion]) -> Iterator[tuple[str, str]]:
    """Every answer that can admit an item, with its label."""
    for version in earlier:
        for criterion in version.criteria.all():
            kind = criterion.question_kind
            if not kind.decides:
                continue
            answers = [(point.value, point.label or point.value) for point in criterion.points.all()]
            for value, label in [*answers, *kind.conditions(())]:
                words = _answer_words(kind) % {
                    "criterion": criterion.name,
                    "form": version.form.title,
                    "answer": translated(label),
                }
                yield json.dumps([version.form.key, criterion.key, value]), words
