"""Every refusal of the API is `{"code", "message", "fields"}`."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.http import Http404
from rest_framework import exceptions, serializers, status
from rest_framework.response import Response
from rest_framework.views import exception_handler as default_handler

from annotation.domain.base.errors import (
    DiskFull,
    FileRefused,
    GroundworkError,
    InvalidAnswer,
    InvalidContent,
    TooManyJoins,
)
from annotation.io.base.full_disk import is_disk_full

logger = logging.getLogger(__name__)

MOST_PROBLEMS = 100


class ErrorSerializer(serializers.Serializer[Any]):
    """`fields` says what is wrong with each named field; for a refused file it lists its problems.

    Of an answer, `codes` among them has a stable code for some criteria, such as `tuple_incomplete`.
    """

    code = serializers.CharField(help_text="Stable code for software.")
    message = serializers.CharField(help_text="Sentence for people: what happened and what to do.")
    fields = serializers.DictField(  # type: ignore[assignment]
        child=serializers.JSONField(),
        help_text="Field → sentence; `problems` → list for a file, `codes` → criterion → code for an answer.",
    )


def exception_handler(error: Exception, context: dict[str, Any]) -> Response | None:
    """Turn a refusal into the contract's body; what is not a refusal stays a fault."""
    if not isinstance(error, GroundworkError) and is_disk_full(error):
        logger.error("The disk is full", exc_info=error)
        error = DiskFull()
    if isinstance(error, TooManyJoins):
        answer = _answer(429, error.code, error.message, error.fields)
        answer["Retry-After"] = str(error.seconds)
        return answer
    if isinstance(error, GroundworkError):
        return _answer(_status(error), error.code, _message(error), _fields(error))
    if isinstance(error, Http404 | exceptions.NotFound):
        return _answer(404, "not_found", "This does not exist, or you do not have access to it.")
    if isinstance(error, RequestDataTooBig):
        return _answer(413, "too_large", f"{error} Send a file, or several requests.")
    if isinstance(error, PermissionDenied):
        error = exceptions.PermissionDenied(str(error) or None)
    standard = default_handler(error, context)
    if standard is None or not isinstance(error, exceptions.APIException):
        return standard
    if isinstance(error, exceptions.ValidationError):
        standard.data = _body("invalid", "The request is invalid.", flat(error.detail))
    else:
        standard.data = _body(_code(error), str(error.detail))
    return standard


def flat(detail: Any, path: str = "") -> dict[str, Any]:
    """Nested messages as one level, `items.3.fields` → sentence."""
    if isinstance(detail, Mapping):
        pairs = [(str(key), value) for key, value in detail.items()]
    elif isinstance(detail, list) and any(isinstance(part, Mapping | list) for part in detail):
        pairs = [(str(number), value) for number, value in enumerate(detail) if value]
    else:
        sentences = detail if isinstance(detail, list) else [detail]
        return {path or "request": " ".join(str(sentence) for sentence in sentences)}
    found: dict[str, Any] = {}
    for key, value in pairs:
        found |= flat(value, f"{path}.{key}" if path else key)
    return found


def _status(error: GroundworkError) -> int:
    """422 for content that cannot be stored, 409 for what the present state does not allow."""
    if isinstance(error, DiskFull):
        return status.HTTP_507_INSUFFICIENT_STORAGE
    if isinstance(error, InvalidContent):
        return status.HTTP_422_UNPROCESSABLE_ENTITY
    return status.HTTP_409_CONFLICT


def _message(error: GroundworkError) -> str:
    if isinstance(error, FileRefused):
        count = len(error.problems)
        more = f" ({count} problems in total)" if count > 1 else ""
        return f"Nothing was saved. {error.problems[0]}{more}"
    return error.message


def _fields(error: GroundworkError) -> dict[str, Any]:
    if isinstance(error, FileRefused):
        return {"problems": [vars(problem) for problem in error.problems[:MOST_PROBLEMS]]}
    codes = error.codes if isinstance(error, InvalidAnswer) else {}
    return {**error.fields, "codes": codes} if codes else dict(error.fields)


def _code(error: exceptions.APIException) -> str:
    codes = error.get_codes()
    return codes if isinstance(codes, str) else error.default_code


def _body(code: str, message: str, fields: Mapping[str, Any] | None = None) -> dict[str, Any]:
    return {"code": code, "message": message, "fields": dict(fields or {})}


def _answer(number: int, code: str, message: str, fields: Mapping[str, Any] | None = None) -> Response:
    return Response(_body(code, message, fields), status=number)
