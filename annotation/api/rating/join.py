"""`join/<token>/`: read and accept the consent form."""

from __future__ import annotations

from django.http import Http404
from django.utils import timezone
from rest_framework import status
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.base.operations import operation
from annotation.api.base.requests import person, validated
from annotation.api.rating.rate_pages import enrolment_of
from annotation.api.rating.rate_serializers import ConsentSerializer, InvitationSerializer, JoinedSerializer
from annotation.domain.base.sealing import digest_of
from annotation.models import Invitation
from annotation.selectors.pay.costs import pay_shown_to_raters
from annotation.services.people.invitations import check_admits
from annotation.services.rating.enrolment import check_open, consent
from config.client_address import network_of


class JoinView(APIView):
    permission_classes = [AllowAny]

    @operation("join_read", gives=InvitationSerializer, person=(401, 404), refuses=(409,))
    def get(self, request: Request, token: str) -> Response:
        """Consent form and instructions of a study."""
        invitation = _invitation(token)
        check_open(invitation, invitation.study)
        if invitation.rater is None or invitation.rater.consented_at is None:
            check_admits(invitation)
        return Response(InvitationSerializer(_read(invitation)).data)

    @operation(
        "join_agree",
        takes=ConsentSerializer,
        gives={201: JoinedSerializer, 200: JoinedSerializer},
        refuses=(409, 422),
    )
    def post(self, request: Request, token: str) -> Response:
        """Consent: 201 with the personal token, 200 if accepted before."""
        invitation, asked = _invitation(token), timezone.now()
        given = validated(ConsentSerializer, request)
        rater = consent(
            invitation=invitation,
            user=person(request),
            version=given.get("consent_number"),
            network=network_of(request),
            interface_language=given.get("interface_language", ""),
        )
        personal = Invitation.objects.filter(rater=rater, revoked_at__isnull=True).first()
        body = {**enrolment_of(rater), "token": personal.token or None if personal else None}
        new = rater.consented_at is not None and rater.consented_at >= asked
        number = status.HTTP_201_CREATED if new else status.HTTP_200_OK
        return Response(JoinedSerializer(body).data, status=number)


def _invitation(token: str) -> Invitation:
    found = (
        Invitation.objects.select_related("study__pay", "rater__study")
        .filter(token_digest=digest_of(token))
        .first()
    )
    if found is None:
        raise Http404
    return found


def _read(invitation: Invitation) -> dict[str, object]:
    study, rater = invitation.study, invitation.rater
    return {
        "study": study.slug,
        "title": study.title,
        "description": study.description,
        "language": study.language,
        "content_warning": study.content_warning,
        "contact": study.contact,
        "contact_translations": study.contact_translations,
        "consent": study.consent,
        "consent_number": study.consent_number,
        "least_seconds": study.least_seconds,
        "exempt_characters": study.exempt_characters,
        "instructions": study.instructions,
        "translations": study.translations,
        "agreed": rater is not None and rater.consented_at is not None,
        "pay": pay_shown_to_raters(study),
    }
