"""`share-links/`: links that show a stored report without an account."""

from __future__ import annotations

from typing import Any

from django.shortcuts import get_object_or_404
from django.urls import reverse
from rest_framework import serializers, status
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.base.operations import listed, study_operation
from annotation.api.base.requests import validated
from annotation.api.base.strict import StrictSerializer
from annotation.domain.base.limits import LONGEST_LINK_LABEL, LONGEST_SHARE_DAYS
from annotation.permissions import Access, Act
from annotation.selectors.questions.criterion_labels import criterion_labels
from scoring.models import Report, ShareLink
from scoring.selectors.reports.share_links import share_links_of
from scoring.services.reports.share_links import create_share_link, revoke_share_link

MOST = 2**31 - 1


class ShareLinkSerializer(serializers.Serializer[ShareLink]):
    id = serializers.IntegerField(source="pk")
    label = serializers.CharField()  # type: ignore[assignment]
    report = serializers.IntegerField(source="report_id", help_text="ID of the report that the link shows.")
    created_by = serializers.CharField(allow_null=True)
    created_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()
    revoked_at = serializers.DateTimeField(allow_null=True)
    n_opened = serializers.IntegerField(help_text="How often the report was read.")
    last_opened_at = serializers.DateTimeField(allow_null=True)


class MadeShareLinkSerializer(ShareLinkSerializer):
    address = serializers.CharField(help_text="The link; it is shown only once.")


class NewShareLinkSerializer(StrictSerializer):
    report = serializers.IntegerField(
        min_value=1, max_value=MOST, help_text="A reliability report of the study."
    )
    label = serializers.CharField(  # type: ignore[assignment]
        max_length=LONGEST_LINK_LABEL, help_text="Recipients of the link; members see it."
    )
    days = serializers.IntegerField(
        min_value=1, max_value=LONGEST_SHARE_DAYS, default=14, help_text="For how many days the link works."
    )


class ShareLinksView(ListAPIView[ShareLink]):
    serializer_class = ShareLinkSerializer

    @study_operation(Act.MANAGE, "share_links_list", gives=ShareLinkSerializer(many=True), refuses=(400,))
    def get(self, request: Request, access: Access) -> Response:
        """The share links of a study, newest first, without their secrets."""
        return listed(self, share_links_of(access.study))

    @study_operation(
        Act.MANAGE,
        "share_links_create",
        takes=NewShareLinkSerializer,
        gives={201: MadeShareLinkSerializer},
        refuses=(409, 422),
    )
    def post(self, request: Request, access: Access) -> Response:
        """Create a link that shows a stored report without an account."""
        given = validated(NewShareLinkSerializer, request)
        report = get_object_or_404(Report, study=access.study, pk=given.pop("report"))
        link, token = create_share_link(
            study=access.study,
            report=report,
            names=criterion_labels(access.study),
            actor=access.user,
            **given,
        )
        made: dict[str, Any] = dict(ShareLinkSerializer(link).data)
        made["address"] = request.build_absolute_uri(reverse("shared-result", args=[token]))
        return Response(made, status=status.HTTP_201_CREATED)


class ShareLinkView(APIView):
    @study_operation(Act.MANAGE, "share_links_revoke", gives={204: None})
    def delete(self, request: Request, access: Access, pk: int) -> Response:
        """Revoke a share link; it stops working for good."""
        revoke_share_link(link=get_object_or_404(ShareLink, study=access.study, pk=pk), actor=access.user)
        return Response(status=status.HTTP_204_NO_CONTENT)
