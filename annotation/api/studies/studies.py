"""`studies/`: the caller's studies, one study, its state."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.base.refusal_schema import BODY, PERSON, refusals
from annotation.api.base.requests import caller, validated
from annotation.api.studies.addresses import new_address
from annotation.api.studies.study_serializers import (
    ConsentTextEditSerializer,
    ConsentTextSerializer,
    StateSerializer,
    StudyCreateSerializer,
    StudyEditSerializer,
    StudySerializer,
    StudySummarySerializer,
)
from annotation.domain.base.states import StudyState
from annotation.models import Study, User
from annotation.permissions import Access, Act, study_access
from annotation.protocols.registry import TEMPLATES
from annotation.protocols.split_by_criterion import asked_apart
from annotation.selectors.people.consent import versions_of
from annotation.selectors.people.demographics import questions_of
from annotation.selectors.questions.form_versions import form_versions
from annotation.selectors.studies.overview import studies_of, study_counts
from annotation.services.people.consent import change_text
from annotation.services.people.demographics import set_questions
from annotation.services.studies.demo_studies import create_demo_study
from annotation.services.studies.lifecycle import change_state, create_from_template, create_study, edit_study


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
        given = validated(StudyCreateSerializer, request)
        user = caller(request)
        with new_address():
            study = _create(user, given)
        access = study_access(user, study.slug, Act.VIEW)
        return Response(study_json(access), status=status.HTTP_201_CREATED)


def _create(owner: User, fields: dict[str, Any]) -> Study:
    protocol, overlap = fields.pop("protocol", ""), fields.pop("overlap", None)
    create = create_demo_study if fields.pop("demo_items", False) else create_from_template
    questions, apart = fields.pop("questions", []), fields.pop("criteria_apart", False)
    if protocol:
        template = asked_apart(TEMPLATES[protocol]) if apart else TEMPLATES[protocol]
        study = create(template=template, owner=owner, overlap=overlap, **fields)
    else:
        study = create_study(owner=owner, **fields)
    if questions:
        set_questions(study=study, actor=owner, questions=questions)
    return study


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
        responses={200: StudySerializer, **refusals(*BODY, *PERSON, 409, 422)},
    )
    def patch(self, request: Request, slug: str) -> Response:
        access = study_access(caller(request), slug, Act.EDIT)
        given = StudyEditSerializer(data=request.data, partial=True)
        given.is_valid(raise_exception=True)
        fields = dict(given.validated_data)
        questions = fields.pop("questions", None)
        with transaction.atomic():
            edit_study(study=access.study, actor=access.user, **fields)
            if questions is not None:
                set_questions(study=access.study, actor=access.user, questions=questions)
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
        given = validated(StateSerializer, request)
        to = StudyState(given["state"])
        if access.study.state == StudyState.CLOSED and to is StudyState.OPEN:
            access.require(Act.OWN)
        study = change_state(study=access.study, to=to, actor=caller(request))
        return Response({"state": study.state})


class ConsentTextsView(APIView):
    @extend_schema(
        operation_id="consent_texts",
        summary="The versions of the consent text, the one in force first",
        responses={200: ConsentTextSerializer(many=True), **refusals(*PERSON)},
    )
    def get(self, request: Request, slug: str) -> Response:
        access = study_access(caller(request), slug, Act.VIEW)
        return Response(ConsentTextSerializer(versions_of(access.study), many=True).data)

    @extend_schema(
        operation_id="consent_change",
        summary="Put a new version in force: raters who agreed to an older one are asked again",
        request=ConsentTextEditSerializer,
        responses={201: ConsentTextSerializer(many=True), **refusals(*BODY, *PERSON, 409, 422)},
    )
    def post(self, request: Request, slug: str) -> Response:
        access = study_access(caller(request), slug, Act.MANAGE)
        given = validated(ConsentTextEditSerializer, request)
        change_text(study=access.study, actor=access.user, text=given["text"])
        body = ConsentTextSerializer(versions_of(access.study), many=True).data
        return Response(body, status=status.HTTP_201_CREATED)


class NothingView(APIView):
    """Any other address under the API: the same body as for what one may not see."""

    authentication_classes = []
    permission_classes = []

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        raise Http404


def study_json(access: Access) -> dict[str, Any]:
    study = access.study
    extra = {
        "role": access.role,
        "forms": form_versions(study=study),
        "questions": questions_of(study),
        **study_counts(study=study),
    }
    return dict(StudySerializer({**vars(study), **extra}).data)
