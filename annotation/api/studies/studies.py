"""`studies/`: the caller's studies, one study, its state."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.http import Http404
from rest_framework import status
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.base.operations import listed, operation, study_operation
from annotation.api.base.requests import caller, validated
from annotation.api.studies.study_serializers import (
    ConsentTextEditSerializer,
    ConsentTextSerializer,
    DeletionDueSerializer,
    DeletionSerializer,
    StateSerializer,
    StudyCreateSerializer,
    StudyEditSerializer,
    StudySerializer,
    StudySummarySerializer,
    new_address,
)
from annotation.domain.base.states import StudyState
from annotation.models import Study, User
from annotation.permissions import Access, Act, study_access
from annotation.protocols.registry import TEMPLATES
from annotation.protocols.split_by_criterion import split_by_criterion
from annotation.selectors.people.consent import versions_of
from annotation.selectors.people.demographics import questions_of
from annotation.selectors.questions.form_versions import form_versions
from annotation.selectors.studies.overview import is_archived, studies_of, study_counts
from annotation.services.people.consent import change_text
from annotation.services.people.demographics import set_questions
from annotation.services.people.members import archive_study
from annotation.services.studies.deletion import cancel_deletion, request_deletion
from annotation.services.studies.demo_studies import create_demo_study
from annotation.services.studies.lifecycle import change_state, create_from_template, create_study, edit_study


class StudiesView(ListAPIView[Study]):
    serializer_class = StudySummarySerializer

    @operation("studies_list", gives=StudySummarySerializer(many=True), person=(401, 404), refuses=(400,))
    def get(self, request: Request) -> Response:
        """The studies in which the caller has a role."""
        return listed(self, studies_of(user=caller(request)))

    @operation(
        "studies_create",
        takes=StudyCreateSerializer,
        gives={201: StudySerializer},
        person=(401, 403),
        refuses=(422,),
    )
    def post(self, request: Request) -> Response:
        """Create a draft study; the caller owns it."""
        given = validated(StudyCreateSerializer, request)
        user = caller(request)
        with new_address():
            study = _create(user, given)
        access = study_access(user, study.slug, Act.VIEW)
        return Response(study_json(access), status=status.HTTP_201_CREATED)


def _create(owner: User, fields: dict[str, Any]) -> Study:
    protocol, overlap = fields.pop("protocol", ""), fields.pop("overlap", None)
    create = create_demo_study if fields.pop("demo_items", False) else create_from_template
    questions, separately = fields.pop("questions", []), fields.pop("criteria_apart", False)
    if protocol:
        template = split_by_criterion(TEMPLATES[protocol]) if separately else TEMPLATES[protocol]
        study = create(template=template, owner=owner, overlap=overlap, **fields)
    else:
        study = create_study(owner=owner, **fields)
    if questions:
        set_questions(study=study, actor=owner, questions=questions)
    return study


class StudyView(APIView):
    @study_operation(Act.READ, "study_get", gives=StudySerializer)
    def get(self, request: Request, access: Access) -> Response:
        """A study with its forms and counts."""
        return Response(study_json(access))

    @study_operation(
        Act.EDIT,
        "study_edit",
        takes=StudyEditSerializer(partial=True),
        gives=StudySerializer,
        refuses=(409, 422),
    )
    def patch(self, request: Request, access: Access) -> Response:
        """Change the texts and settings of a draft."""
        given = StudyEditSerializer(data=request.data, partial=True)
        given.is_valid(raise_exception=True)
        fields = dict(given.validated_data)
        questions = fields.pop("questions", None)
        with transaction.atomic():
            edit_study(study=access.study, actor=access.user, **fields)
            if questions is not None:
                set_questions(study=access.study, actor=access.user, questions=questions)
        return Response(study_json(study_access(access.user, access.slug, Act.VIEW)))


class StateView(APIView):
    @study_operation(Act.MANAGE, "study_state", takes=StateSerializer, gives=StateSerializer, refuses=(409,))
    def post(self, request: Request, access: Access) -> Response:
        """Open, pause, close or reopen a study."""
        given = validated(StateSerializer, request)
        to = StudyState(given["state"])
        if access.study.state == StudyState.CLOSED and to is StudyState.OPEN:
            access.require(Act.OWN)
        study = change_state(study=access.study, to=to, actor=access.user)
        return Response({"state": study.state})


class ArchiveView(APIView):
    @study_operation(Act.VIEW, "study_archive", gives={204: None}, refuses=(409,))
    def put(self, request: Request, access: Access) -> Response:
        """Move a study into the caller’s archive; refused while the study is open or paused."""
        archive_study(study=access.study, user=access.user, archived=True)
        return Response(status=status.HTTP_204_NO_CONTENT)

    @study_operation(Act.VIEW, "study_unarchive", gives={204: None})
    def delete(self, request: Request, access: Access) -> Response:
        """Move a study back into the caller’s list."""
        archive_study(study=access.study, user=access.user, archived=False)
        return Response(status=status.HTTP_204_NO_CONTENT)


class DeletionView(APIView):
    @study_operation(
        Act.OWN,
        "study_delete",
        takes=DeletionSerializer,
        gives={202: DeletionDueSerializer},
        refuses=(409, 422),
    )
    def post(self, request: Request, access: Access) -> Response:
        """Have a closed study deleted after a period in which it can be cancelled."""
        given = validated(DeletionSerializer, request)
        study = request_deletion(study=access.study, title=given["title"], actor=access.user)
        return Response(DeletionDueSerializer(study).data, status=status.HTTP_202_ACCEPTED)

    @study_operation(Act.OWN, "study_deletion_cancel", gives={204: None}, refuses=(409,))
    def delete(self, request: Request, access: Access) -> Response:
        """Keep a study that was to be deleted."""
        cancel_deletion(study=access.study, actor=access.user)
        return Response(status=status.HTTP_204_NO_CONTENT)


class ConsentTextsView(APIView):
    @study_operation(Act.VIEW, "consent_texts", gives=ConsentTextSerializer(many=True))
    def get(self, request: Request, access: Access) -> Response:
        """The versions of the consent form, the current one first."""
        return Response(ConsentTextSerializer(versions_of(access.study), many=True).data)

    @study_operation(
        Act.MANAGE,
        "consent_change",
        takes=ConsentTextEditSerializer,
        gives={201: ConsentTextSerializer(many=True)},
        refuses=(409, 422),
    )
    def post(self, request: Request, access: Access) -> Response:
        """Publish a new version; raters who accepted an older one are asked again."""
        given = validated(ConsentTextEditSerializer, request)
        change_text(
            study=access.study,
            actor=access.user,
            text=given["text"],
            translations=given.get("translations"),
        )
        body = ConsentTextSerializer(versions_of(access.study), many=True).data
        return Response(body, status=status.HTTP_201_CREATED)


class NothingView(APIView):
    """Any other URL of the API: the same response as for a missing object."""

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
        "archived": is_archived(study=study, user=access.user),
        **study_counts(study=study),
    }
    if not access.may_view:
        extra |= {"contact": "", "questions": []}
    return dict(StudySerializer({**vars(study), **extra}).data)
