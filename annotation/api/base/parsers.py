"""Bodies have a largest size, which the settings name, a deepest level, and whole characters only."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import IO, Any

from django.conf import settings
from rest_framework import status
from rest_framework.exceptions import APIException, ParseError
from rest_framework.parsers import DataAndFiles, JSONParser, MultiPartParser
from rest_framework.utils.json import strict_constant

from annotation.domain.base.bounded_json import TooDeeplyNested, has_half_character, load_json
from annotation.domain.base.text_validation import HALF_CHARACTER

STRICT = json.JSONDecoder(parse_constant=strict_constant)


class TooLarge(APIException):
    status_code = status.HTTP_413_REQUEST_ENTITY_TOO_LARGE
    default_code = "too_large"


class BoundedJSONParser(JSONParser):
    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        _check(parser_context, settings.DATA_UPLOAD_MAX_MEMORY_SIZE, "send a file, or several requests")
        encoding = (parser_context or {}).get("encoding", settings.DEFAULT_CHARSET)
        try:
            body = load_json(stream.read().decode(encoding), decoder=STRICT)
        except TooDeeplyNested as problem:
            raise ParseError(f"The request body is invalid: {problem}.", code=problem.code) from problem
        except (ValueError, LookupError) as problem:
            raise ParseError(f"JSON parse error - {problem}") from problem
        if has_half_character(body):
            raise ParseError(f"The request body is invalid: {HALF_CHARACTER}.", code="lone_surrogate")
        return body


class BoundedUploadParser(MultiPartParser):
    takes_files = True

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> DataAndFiles[Any, Any]:
        _check(parser_context, settings.UPLOAD_MAX_BYTES, "see GROUNDWORK_UPLOAD_MAX_MB")
        return super().parse(stream, media_type, parser_context)


def _check(context: Mapping[str, Any] | None, most: int, advice: str) -> None:
    meta = context["request"].META if context else {}
    length = str(meta.get("CONTENT_LENGTH") or "0")
    if not length.isdecimal() or int(length) > most:
        raise TooLarge(f"The request body is larger than {most} bytes: {advice}.")
