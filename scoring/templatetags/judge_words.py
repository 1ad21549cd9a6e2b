"""Words about judges that answer by a model: names of models, and reasons for missing answers."""

from __future__ import annotations

from django import template
from django.utils.translation import gettext_lazy as _

from annotation.templatetags.rater_words import named
from scoring.backends.checkpoints import shown_checkpoint

register = template.Library()

REASONS = {
    "cannot_rate": _("cannot be rated, according to the judge"),
    "refused": _("refused by the model"),
    "cut_off": _("answer too long, cut off"),
    "malformed": _("neither a JSON object nor a list of criteria"),
    "empty_answer": _("empty answer"),
    "answered_twice": _("criterion answered twice"),
    "criterion_missing": _("criterion missing"),
    "not_a_value": _("not a single value"),
    "out_of_scale": _("not on the scale"),
    "not_asked": _("not asked after the answer before it"),
    "too_long": _("prompt too long for the model"),
    "not_finite": _("the model overflowed"),
    "not_given": _("not given"),
}


register.filter("checkpoint_name", shown_checkpoint)


@register.filter
def answer_reason(code: str) -> str:
    """The words of a reason; of an unknown one, its code."""
    return named(REASONS, code)
