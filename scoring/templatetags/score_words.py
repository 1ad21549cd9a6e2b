"""Words for stored names of scores in templates."""

from __future__ import annotations

from django import template

from scoring.models import ScoreRun
from scoring.selectors.base.metric_definitions import metric_definition
from scoring.selectors.base.run_names import models_of, name_of_run
from scoring.selectors.base.score_names import in_words

register = template.Library()

register.filter("score_words", in_words)
register.filter("metric_definition", metric_definition)
register.filter("run_models", models_of)


@register.filter
def run_name(run: ScoreRun | None) -> str:
    """The name of a scoring run; empty where the page shows none."""
    return name_of_run(run) if run else ""
