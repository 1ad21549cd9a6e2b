"""Reasons why a sentence, or a possible comparator, is not a simile. The codes are stable."""

from __future__ import annotations

EMPTY = "empty"
NO_COMPARATOR = "no_comparator"
VERB = "verb_like"
FIXED = "fixed_expression"
CLAUSE = "clause_compared"
NO_VEHICLE = "no_vehicle"
POINTER = "vehicle_only_points"
INCLINATION = "inclination"
EXAMPLES = "examples"
NAME = "named_individual"
FORECAST = "forecast"
SAME_KIND = "same_kind"
QUESTION = "question"
NO_TOPIC = "topic_not_named"
SITUATION = "situation_compared"
