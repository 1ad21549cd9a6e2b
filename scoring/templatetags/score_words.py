"""Words for stored names of scores in templates."""

from __future__ import annotations

from django import template

from scoring.selectors.base.metric_definitions import metric_definition
from scoring.selectors.base.score_names import in_words

register = template.Library()

register.filter("score_words", in_words)
register.filter("metric_definition", metric_definition)
