"""The JSON Schema of `heds.json`.

The authors of the Human Evaluation Datasheet publish a form that saves its fields by their identifiers, and
no schema; this one is ours.
"""

from __future__ import annotations

from typing import Any

FORMAT = "groundwork-evaluation-sheet/1"
SCHEMA_FILE = "heds.schema.json"
_SHORT = {"type": "string", "minLength": 1}
_QUESTION: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["number", "question", "answer", "choice", "source"],
    "properties": {
        "number": {
            "type": "string",
            "pattern": r"^([1-5]|G)(\.[0-9]+)+$",
            "description": "Of HEDS 3.0; G for further questions.",
        },
        "question": _SHORT,
        "answer": {"type": ["string", "null"], "minLength": 1},
        "choice": {"type": ["string", "null"], "description": "Code of the option that was chosen."},
        "source": {
            "enum": ["study", "members", "both", "open"],
            "description": "Who answered: the data of the study, its members, or nobody yet.",
        },
    },
    "if": {"properties": {"answer": {"type": "null"}}},
    "then": {"properties": {"source": {"const": "open"}}},
}
_QUESTIONS = {"type": "array", "minItems": 1, "items": _QUESTION}
SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "Human evaluation sheet",
    "description": "Answers to the questions of the Human Evaluation Datasheet 3.0, in words of our own.",
    "type": "object",
    "additionalProperties": False,
    "required": ["$schema", "format", "numbers_of", "software", "study", "title", "sections", "criteria"],
    "properties": {
        "$schema": {"const": SCHEMA_FILE},
        "format": {"const": FORMAT},
        "numbers_of": {
            "type": "object",
            "required": ["name", "version", "citation"],
            "additionalProperties": _SHORT,
        },
        "software": _SHORT,
        "study": _SHORT,
        "title": _SHORT,
        "sections": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["number", "title", "questions"],
                "properties": {"number": _SHORT, "title": _SHORT, "questions": _QUESTIONS},
            },
        },
        "criteria": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["form", "criterion", "name", "questions"],
                "properties": {
                    "form": _SHORT,
                    "criterion": _SHORT,
                    "name": _SHORT,
                    "questions": _QUESTIONS,
                },
            },
        },
    },
}
