"""Operations of the API: their description in the schema, and the study of each request."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

from django.http import HttpResponseBase
from django.urls import URLPattern, path
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.base.refusals import ErrorSerializer
from annotation.api.base.requests import caller, validated
from annotation.api.base.strict import StrictSerializer
from annotation.permissions import Access, Act, study_access

Parameters = ParamSpec("Parameters")
Answer = TypeVar("Answer", bound=HttpResponseBase)
Operation = TypeVar("Operation", bound=Callable[..., HttpResponseBase])
REFUSALS = {
    400: "The request is invalid; `fields` gives the reasons.",
    401: "Not signed in, or the token is not valid.",
    403: "The role in this study does not allow this.",
    404: "Not found, or no role in its study.",
    409: "Not possible in the current state.",
    413: "The request body is too large.",
    415: "The content type is not supported.",
    422: "The content is invalid. Nothing was saved.",
    429: "Too many requests or sign-in attempts. Try again later.",
}
PERSON = (401, 403, 404)
BODY = (400, 413, 415)
WRITING = {"post", "put", "patch"}


def refusals(*numbers: int) -> dict[Any, Any]:
    """Error responses for `extend_schema(responses=...)`."""
    return {
        number: OpenApiResponse(response=ErrorSerializer, description=REFUSALS[number])
        for number in sorted(numbers)
    }


def add_rate_limit(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Add the refusal of too many requests to every operation in the schema."""
    refusal = {
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}},
        "description": REFUSALS[429],
    }
    for operations in result["paths"].values():
        for operation in operations.values():
            operation["responses"].setdefault("429", refusal)
    return result


def operation(
    name: str,
    *,
    gives: Any,
    takes: Any = None,
    refuses: Sequence[int] = (),
    person: Sequence[int] = PERSON,
    **further: Any,
) -> Callable[[Operation], Operation]:
    """Describe a method of a view in the schema; the first line of its docstring is the summary.

    Parameters
    ----------
    name
        Its stable name (`operationId`).
    gives
        The serializer of an answer with status 200, or status → serializer.
    takes
        The serializer of the body, or content type → serializer. A method that writes and takes none
        refuses every field.
    refuses
        Statuses of refusals in addition to those of `person` and of every body.
    person
        Statuses of refusals of the caller.
    further
        What else `extend_schema` takes, such as `parameters`.
    """
    answers = gives if isinstance(gives, dict) else {200: gives}

    def described(method: Operation) -> Operation:
        takes_nothing = takes is None and method.__name__ in WRITING
        numbers = {*person, *refuses, *(BODY if takes or takes_nothing else ())}
        summary, _, method.__doc__ = (method.__doc__ or "").partition("\n\n")
        return extend_schema(
            operation_id=name,
            summary=summary.removesuffix("."),
            request=takes,
            responses={**answers, **refusals(*numbers)},
            **further,
        )(_without_fields(method) if takes_nothing else method)

    return described


def _without_fields(method: Operation) -> Operation:
    @wraps(method)
    def answer(view: Any, request: Request, *args: Any, **kwargs: Any) -> HttpResponseBase:
        validated(StrictSerializer, request)
        return method(view, request, *args, **kwargs)

    return cast("Operation", answer)


def study_operation(
    act: Act, name: str, **described: Any
) -> Callable[[Callable[Concatenate[Any, Request, Access, Parameters], Answer]], Callable[..., Answer]]:
    """Give a method the study of its address, where the caller may do what it is for.

    Parameters
    ----------
    act
        What the caller must be allowed to do in the study.
    name, described
        As for `operation`.
    """

    def with_access(
        method: Callable[Concatenate[Any, Request, Access, Parameters], Answer],
    ) -> Callable[..., Answer]:
        @operation(name, **described)
        @wraps(method)
        def answer(
            view: Any, request: Request, slug: str, *args: Parameters.args, **kwargs: Parameters.kwargs
        ) -> Answer:
            return method(view, request, study_access(caller(request), slug, act), *args, **kwargs)

        return answer

    return with_access


def listed(view: ListAPIView[Any], rows: Any) -> Response:
    """One page of rows, by the serializer of the view."""
    page = view.paginate_queryset(rows)
    return view.get_paginated_response(view.get_serializer(page, many=True).data)


def study_path(route: str, view: type[APIView], name: str) -> URLPattern:
    """The address of a view below `studies/<study>/`."""
    return path(f"studies/<slug:slug>/{route}", view.as_view(), name=name)
