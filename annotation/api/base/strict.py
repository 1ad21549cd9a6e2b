"""Requests that name a field or parameter that does not exist are refused as a whole."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from rest_framework import serializers
from rest_framework.exceptions import ValidationError


class StrictSerializer(serializers.Serializer[Any]):
    """A serializer for requests that rejects unknown fields."""

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, Mapping):
            refuse_unknown(data, self.fields)
        return super().to_internal_value(data)


def refuse_unknown(given: Iterable[Any], known: Collection[str]) -> None:
    """Refuse names that are not known; the answer says which are.

    Raises
    ------
    ValidationError
        With a sentence for each unknown name.
    """
    unknown = [str(name) for name in given if name not in known]
    if unknown:
        advice = f"known fields: {', '.join(sorted(known))}" if known else "this request has no fields"
        sentence = f"Unknown field; {advice}."
        raise ValidationError({name: [sentence] for name in unknown})
