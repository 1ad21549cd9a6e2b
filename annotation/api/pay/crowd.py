"""`prolific/` and `mturk/`: the account on a platform, the study there, and who took part.

What calls a platform is done by a job: its number is the answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.http import Http404
from django.urls import reverse
from rest_framework import status
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.base.operations import study_operation
from annotation.api.base.requests import validated
from annotation.api.pay.crowd_serializers import (
    ConnectionSerializer,
    CrowdJobSerializer,
    DecisionsSerializer,
    DraftSerializer,
    HitSerializer,
    LinkedStudySerializer,
    OutsideStudySerializer,
    PlacesSerializer,
    PlatformTokenSerializer,
    SubmissionSerializer,
)
from annotation.domain.base.errors import InvalidContent
from annotation.domain.base.messages import message
from annotation.domain.base.platforms import Platform
from annotation.domain.pay.crowd import OFFERS, Decision
from annotation.models import CrowdSubmission, Invitation, Job
from annotation.permissions import Access, Act
from annotation.selectors.pay.crowd import (
    connection_of,
    links_for,
    outside_study_of,
    reviewed,
    submissions_of,
)
from annotation.services.pay.crowd.connection import disconnect, request_connection
from annotation.services.pay.crowd.creation import request_finding
from annotation.services.pay.crowd.outside_studies import request_link, request_state, unlink_study
from annotation.services.pay.crowd.places import request_places
from annotation.services.pay.crowd.submissions import decide, request_reading
from annotation.services.pay.mturk.hits import Hit, request_hit
from annotation.services.pay.prolific.draft_content import Draft
from annotation.services.pay.prolific.drafts import request_draft

JOB = {202: CrowdJobSerializer}


class CrowdPlatform:
    """One of the platforms with an interface, as the part of an address."""

    regex = "|".join(one.value for one in OFFERS)

    def to_python(self, value: str) -> Platform:
        """The platform."""
        return Platform(value)

    def to_url(self, value: str) -> str:
        """The part of the address."""
        return str(value)


class ConnectionView(APIView):
    @study_operation(Act.MANAGE, "crowd_connection", gives=ConnectionSerializer)
    def get(self, request: Request, access: Access, platform: Platform) -> Response:
        """The account on a platform, without its token."""
        row = connection_of(access.study, platform)
        if row is None:
            raise Http404("This study has no account there.")
        return Response(ConnectionSerializer(row).data)

    @study_operation(
        Act.MANAGE, "crowd_connect", takes=PlatformTokenSerializer, gives=JOB, refuses=(409, 422)
    )
    def put(self, request: Request, access: Access, platform: Platform) -> Response:
        """Test the token of an account, which is stored encrypted if the platform accepts it."""
        token = validated(PlatformTokenSerializer, request)["token"]
        return _accepted(
            request_connection(study=access.study, platform=platform, actor=access.user, token=token)
        )

    @study_operation(Act.MANAGE, "crowd_disconnect", gives={204: None}, refuses=(409,))
    def delete(self, request: Request, access: Access, platform: Platform) -> Response:
        """Delete the token; nothing changes on the platform."""
        disconnect(study=access.study, platform=platform, actor=access.user)
        return Response(status=status.HTTP_204_NO_CONTENT)


class OutsideStudyView(APIView):
    @study_operation(Act.MANAGE, "crowd_study", gives=OutsideStudySerializer)
    def get(self, request: Request, access: Access, platform: Platform) -> Response:
        """The study on a platform, as it was last read."""
        row = outside_study_of(access.study, platform)
        if row is None:
            raise Http404("This study has none there.")
        return Response(OutsideStudySerializer(row).data)

    @study_operation(Act.MANAGE, "crowd_link", takes=LinkedStudySerializer, gives=JOB, refuses=(409, 422))
    def put(self, request: Request, access: Access, platform: Platform) -> Response:
        """Use a study that exists on a platform."""
        given = validated(LinkedStudySerializer, request)
        link = _link(access, platform, given["invitation"])
        number = given["number"]
        return _accepted(
            request_link(
                study=access.study, platform=platform, invitation=link, number=number, actor=access.user
            )
        )

    @study_operation(Act.MANAGE, "crowd_places", takes=PlacesSerializer, gives=JOB, refuses=(409, 422))
    def patch(self, request: Request, access: Access, platform: Platform) -> Response:
        """Raise the places on a platform to a total."""
        places = validated(PlacesSerializer, request)["places"]
        return _accepted(
            request_places(study=access.study, platform=platform, places=places, actor=access.user)
        )

    @study_operation(Act.MANAGE, "crowd_separate", gives={204: None}, refuses=(409,))
    def delete(self, request: Request, access: Access, platform: Platform) -> Response:
        """Separate the study from a platform, where it stays as it is."""
        unlink_study(study=access.study, platform=platform, actor=access.user)
        return Response(status=status.HTTP_204_NO_CONTENT)


class DraftsView(APIView):
    @study_operation(Act.MANAGE, "prolific_draft", takes=DraftSerializer, gives=JOB, refuses=(409, 422))
    def post(self, request: Request, access: Access) -> Response:
        """Create a draft on Prolific; a person publishes it there."""
        given = validated(DraftSerializer, request)
        link = _link(access, Platform.PROLIFIC, given.pop("invitation"))
        address, draft = _address(request, link), Draft(**given)
        return _accepted(
            request_draft(
                study=access.study, invitation=link, address=address, draft=draft, actor=access.user
            )
        )


class HitsView(APIView):
    @study_operation(Act.MANAGE, "mturk_hit", takes=HitSerializer, gives=JOB, refuses=(409, 422))
    def post(self, request: Request, access: Access) -> Response:
        """Create and publish a HIT on Mechanical Turk: workers can accept it at once."""
        given = validated(HitSerializer, request)
        link = _link(access, Platform.MTURK, given.pop("invitation"))
        hit = Hit(**{**given, "countries": tuple(given["countries"])})
        address = _address(request, link)
        return _accepted(
            request_hit(study=access.study, invitation=link, address=address, hit=hit, actor=access.user)
        )


class ReadingView(APIView):
    @study_operation(Act.MANAGE, "crowd_read", gives=JOB, refuses=(409,))
    def post(self, request: Request, access: Access, platform: Platform) -> Response:
        """Read the study on a platform, or look for one whose creation was not answered."""
        row = outside_study_of(access.study, platform)
        ask = request_finding if row is not None and not row.number else request_state
        return _accepted(ask(study=access.study, platform=platform, actor=access.user))


class SubmissionsView(ListAPIView[CrowdSubmission]):
    serializer_class = SubmissionSerializer

    @study_operation(Act.MANAGE, "crowd_submissions", gives=SubmissionSerializer(many=True), refuses=(400,))
    def get(self, request: Request, access: Access, platform: Platform) -> Response:
        """The submissions as they were last read, with what the rules propose."""
        page = self.paginate_queryset(submissions_of(access.study, platform)) or []
        row = outside_study_of(access.study, platform)
        shown = reviewed(page, platform=platform, can_screen_out=bool(row and row.screen_out_code))
        return self.get_paginated_response(self.get_serializer(shown, many=True).data)

    @study_operation(
        Act.MANAGE, "crowd_submissions_decide", takes=DecisionsSerializer, gives=JOB, refuses=(409, 422)
    )
    def post(self, request: Request, access: Access, platform: Platform) -> Response:
        """Read the submissions from a platform, after sending what you have confirmed."""
        given = validated(DecisionsSerializer, request)
        wanted = _distinct_decisions(given.get("decisions", []))
        if not wanted:
            return _accepted(request_reading(study=access.study, platform=platform, actor=access.user))
        return _accepted(
            decide(
                study=access.study,
                platform=platform,
                decisions=_by_row(platform, access, wanted),
                actor=access.user,
                reason=given.get("reason", ""),
            )
        )


def _accepted(job: Job) -> Response:
    return Response({"job": job.pk}, status=status.HTTP_202_ACCEPTED)


def _distinct_decisions(decisions: Sequence[Mapping[str, str]]) -> dict[str, Decision]:
    """Decisions by submission; two different ones about the same are refused."""
    wanted: dict[str, Decision] = {}
    for one in decisions:
        number, decision = one["submission"], Decision(one["decision"])
        if wanted.setdefault(number, decision) is not decision:
            sentence = message("There are two different decisions about %(number)s.", number=repr(number))
            raise InvalidContent(sentence, code="two_decisions", fields={"decisions": sentence})
    return wanted


def _link(access: Access, platform: Platform, number: int) -> Invitation:
    link = links_for(access.study, platform).filter(pk=number).first()
    if link is None:
        sentence = message("Choose a link for %(platform)s.", platform=OFFERS[platform].name)
        raise InvalidContent(sentence, code="bad_draft", fields={"invitation": sentence})
    return link


def _address(request: Request, link: Invitation) -> str:
    return request.build_absolute_uri(reverse("join", args=[link.token]))


def _by_row(platform: Platform, access: Access, wanted: dict[str, Decision]) -> dict[int, Decision]:
    found = submissions_of(access.study, platform).filter(number__in=list(wanted))
    rows = dict(found.values_list("number", "pk"))
    unknown = next((number for number in wanted if number not in rows), None)
    if unknown is not None:
        sentence = message(
            "There is no submission %(number)s. Read the submissions first.", number=repr(unknown)
        )
        raise InvalidContent(sentence, code="unknown_submission", fields={"decisions": sentence})
    return {rows[number]: decision for number, decision in wanted.items()}
