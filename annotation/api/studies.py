"""`studies/`: the caller's studies, one study, its state."""

from __future__ import annotations

from typing import Any

from django.db import IntegrityError, transaction
from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.exceptions import ValidationError
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.describing import BODY, PERSON, refusals
from annotation.api.requests import caller
from annotation.api.study_serializers import (
    StateSerializer,
    StudyCreateSerializer,
    StudyEditSerializer,
    StudySerializer,
    StudySummarySerializer,
)
from annotation.domain.states import StudyState
from annotation.models import Study, User
from annotation.permissions import Access, Act, study_access
from annotation.protocols.registry import TEMPLATES
from annotation.selectors.overview import form_versions, studies_of, study_counts
from annotation.services.studies import change_state, create_from_template, create_study, edit_study


class StudiesView(ListAPIView[Study]):
    serializer_class = StudySummarySerializer

    def get_queryset(self) -> Any:
        return studies_of(user=caller(self.request))

    @extend_schema(
        operation_id="studies_list",
        summary="The studies in which the caller has a role",
        responses={200: StudySummarySerializer(many=True), **refusals(400, 401, 404)},
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().get(request, *args, **kwargs)

    @extend_schema(
        operation_id="studies_create",
        summary="Make a draft study; the caller owns it",
        request=StudyCreateSerializer,
        responses={201: StudySerializer, **refusals(*BODY, 401, 403, 422)},
    )
    def post(self, request: Request) -> Response:
        given = StudyCreateSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        user = caller(request)
        try:
            with transaction.atomic():
                study = _create(user, given.validated_data)
        except IntegrityError as taken:
            raise ValidationError({"slug": ["This address is taken: choose another."]}) from taken
        access = study_access(user, study.slug, Act.VIEW)
        return Response(study_json(access), status=status.HTTP_201_CREATED)


def _create(owner: User, fields: dict[str, Any]) -> Study:
    protocol, overlap = fields.pop("protocol", ""), fields.pop("overlap", 3)
    if not protocol:
        return create_study(owner=owner, **fields)
    return create_from_template(template=TEMPLATES[protocol], owner=owner, overlap=overlap, **fields)


class StudyView(APIView):
    @extend_schema(
        operation_id="study_get",
        summary="A study with its forms and counts",
        responses={200: StudySerializer, **refusals(*PERSON)},
    )
    def get(self, request: Request, slug: str) -> Response:
        return Response(study_json(study_access(caller(request), slug, Act.VIEW)))

    @extend_schema(
        operation_id="study_edit",
        summary="Change the texts and settings of a draft",
        request=StudyEditSerializer(partial=True),
        responses={200: StudySerializer, **refusals(*BODY, *PERSON, 409)},
    )
    def patch(self, request: Request, slug: str) -> Response:
        access = study_access(caller(request), slug, Act.EDIT)
        given = StudyEditSerializer(data=request.data, partial=True)
        given.is_valid(raise_exception=True)
        edit_study(study=access.study, actor=caller(request), **given.validated_data)
        return Response(study_json(study_access(caller(request), slug, Act.VIEW)))


class StateView(APIView):
    @extend_schema(
        operation_id="study_state",
        summary="Open, pause, close or reopen a study",
        request=StateSerializer,
        responses={200: StateSerializer, **refusals(*BODY, *PERSON, 409)},
    )
    def post(self, request: Request, slug: str) -> Response:
        access = study_access(caller(request), slug, Act.MANAGE)
        given = StateSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        to = StudyState(given.validated_data["state"])
        if access.study.state == StudyState.CLOSED and to is StudyState.OPEN:
            access.require(Act.OWN)
        study = change_state(study=access.study, to=to, actor=caller(request))
        return Response({"state": study.state})


class NothingView(APIView):
    """Any other address under the API: the same body as for what one may not see."""

    authentication_classes = []
    permission_classes = []

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        raise Http404


def study_json(access: Access) -> dict[str, Any]:
    study = access.study
    extra = {"role": access.role, "forms": form_versions(study=study), **study_counts(study=study)}
    return dict(StudySerializer({**vars(study), **extra}).data)
