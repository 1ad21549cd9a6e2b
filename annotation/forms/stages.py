"""The stage before a form, as members fill it in."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.domain.seats.stages import StagePeople, StageRule
from annotation.models import Form, FormVersion
from annotation.protocols.template import FeedTemplate
from annotation.selectors.questions.form_versions import form_versions
from annotation.selectors.studies.definition import feed_of

RULES = [
    (StageRule.ALL.value, gettext_lazy("all of them")),
    (StageRule.MAJORITY.value, gettext_lazy("more than half")),
    (StageRule.ANY.value, gettext_lazy("any of them: at the first")),
]
PEOPLE = [
    (StagePeople.OTHERS.value, gettext_lazy("others than rate in the stage before")),
    (StagePeople.OTHERS_FOR_ITEM.value, gettext_lazy("others than rated that item before")),
    (StagePeople.ANYBODY.value, gettext_lazy("anybody")),
]


class StageForm(forms.Form):
    """Which answer of an earlier form lets an item through, for whom, and what of it is shown."""

    answer = forms.ChoiceField(label=gettext_lazy("An item comes to this form"), required=False)
    rule = forms.ChoiceField(label=gettext_lazy("if it is given by"), choices=RULES)
    people = forms.ChoiceField(label=gettext_lazy("It is rated here by"), choices=PEOPLE)
    suggestions = forms.BooleanField(
        label=gettext_lazy("Raters see the earlier answers, without names, and begin with them"),
        required=False,
    )
    matches = forms.CharField(
        label=gettext_lazy("Which answers suggest which"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
        max_length=5000,
        help_text=gettext_lazy(
            "A line for each, such as “tuples = candidates”: criterion of this form, then of the one before. "
            "Empty: criteria of the same name."
        ),
    )

    def __init__(self, form: Form, data: Any = None) -> None:
        feed = feed_of(form)
        super().__init__(data, initial=None if feed is None else _initial(feed))
        earlier = [one for one in form_versions(study=form.study) if _is_before(one.form, form)]
        answer: Any = self.fields["answer"]
        answer.choices = [("", _("always: every item")), *_answers(earlier)]

    def clean_matches(self) -> dict[str, str]:
        """The lines as names."""
        found = {}
        for line in filter(str.strip, self.cleaned_data["matches"].splitlines()):
            name, sign, before = (part.strip() for part in line.partition("="))
            if not (name and sign and before):
                raise forms.ValidationError(
                    _("Write “criterion = earlier criterion”, not “%s”.") % line.strip()
                )
            found[name] = before
        return found

    def feed(self) -> FeedTemplate | None:
        """What the page says; None for every item."""
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
            matches=given["matches"],
        )


def _initial(feed: FeedTemplate) -> dict[str, Any]:
    return {
        "answer": json.dumps([feed.form, feed.criterion, feed.value]),
        "rule": feed.rule.value,
        "people": feed.people.value,
        "suggestions": feed.suggestions,
        "matches": "\n".join(f"{name} = {before}" for name, before in feed.matches.items()),
    }


def _is_before(one: Form, form: Form) -> bool:
    return not one.planted and (one.position, one.pk) < (form.position, form.pk)


def _answers(earlier: list[FormVersion]) -> Iterator[tuple[str, str]]:
    """Every answer that can decide, in words."""
    for version in earlier:
        for criterion in version.criteria.all():
            if criterion.question_kind.decides:
                for point in criterion.points.all():
                    words = _("when “%(criterion)s” of “%(form)s” is “%(answer)s”") % {
                        "criterion": criterion.name,
                        "form": version.form.title,
                        "answer": point.label or point.value,
                    }
                    yield json.dumps([version.form.key, criterion.key, point.value]), words
