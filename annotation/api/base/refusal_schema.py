"""What the schema says of refusals."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiResponse

from annotation.api.base.refusals import ErrorSerializer

REFUSALS = {
    400: "The request cannot be taken; `fields` says why.",
    401: "Not signed in, or the token is not valid.",
    403: "The role in this study does not reach that far.",
    404: "No such thing, or no role in its study.",
    409: "Right in itself, but not in the present state.",
    413: "The body is too large.",
    415: "A content type that is not understood.",
    422: "The content cannot be stored; nothing was.",
    429: "Too many requests, or attempts to sign in: wait.",
}
PERSON = (401, 403, 404)
BODY = (400, 413, 415)


def refusals(*numbers: int) -> dict[Any, Any]:
    """The given refusals for `extend_schema(responses=...)`."""
    return {
        number: OpenApiResponse(response=ErrorSerializer, description=REFUSALS[number])
        for number in sorted(numbers)
    }


def add_rate_limit(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Every operation of the API may answer that it was asked too often: said in the schema once for all."""
    refusal = {
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}},
        "description": REFUSALS[429],
    }
    for operations in result["paths"].values():
        for operation in operations.values():
            operation["responses"].setdefault("429", refusal)
    return result
